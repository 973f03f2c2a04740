/**
 * Messages of real terminals, played to the driver: each message of the vector file in the command it belongs to, and
 * its meaning by PA00P015 13.08, field by field. Two rows were damaged when recorded, and must never be taken for an
 * ending.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import { decodeBmps } from '../../../drivers/zvt/protocol/fields.ts';
import { readResult } from '../../../drivers/zvt/protocol/messages.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { bareBench, settled } from './zvt-tape.ts';

type FieldCapture = { name: string; apdu: string; source: string; cut?: true };

const file = new URL('../../vectors/zvt-terminal-captures.json', import.meta.url);
const { messages } = JSON.parse(readFileSync(file, 'utf8')) as { messages: readonly FieldCapture[] };

const [accepted, done] = ['800000', '060F00'];
/** A payment of 20.40 from another capture, for rows that accompany a result. */
const paid = toHex(captured('status.PaymentGood1'));

type Call = (terminal: IntegratedTerminal) => Promise<unknown>;
const pay =
  (minor: bigint): Call =>
  (terminal) =>
    terminal.pay({ amount: { minor, currency: 'EUR' }, withinMs: 90_000 }, () => {});
const askLast: Call = (terminal) => terminal.lastOutcome();
const askNewest: Call = async (terminal) => terminal.newestBooked?.();
const idle = [accepted, '060F0100'];
const endOfDay: Call = (terminal) => terminal.endOfDay();

/** The capture as this call's answer, with the messages before and after it. */
const scriptedDevice =
  (call: Call, repliesBefore: readonly string[], repliesAfter: readonly string[]) => async (apdu: string) => {
    const { terminal, clock, send } = await bareBench();
    const outcome = settled(call(terminal));
    await clock.settle();
    await send(...repliesBefore, apdu, ...repliesAfter);
    return clock.until(outcome);
  };

/** The terminal answers the hello with the capture. */
const greetingDevice = (greetingAnswers: (apdu: string) => readonly string[]) => async (apdu: string) => {
  const { terminal, clock } = await bareBench(greetingAnswers(apdu));
  return clock.until(terminal.info());
};

type Reading = { says: string; play: (apdu: string) => Promise<unknown>; expected: unknown };

const readings: Readonly<Record<string, readonly Reading[]>> = {
  'feig-1680728161': [
    {
      says: 'a card that was read is not a payment: no amount, no number',
      play: scriptedDevice(askLast, [accepted], [done]),
      expected: 'terminal.unclear',
    },
  ],
  'feig-1680728162': [
    {
      says: 'status 17, please wait, between a payment and its result',
      play: async (apdu) => {
        const { terminal, clock, send, events, tell } = await bareBench();
        const outcome = terminal.pay({ amount: { minor: 2_040n, currency: 'EUR' }, withinMs: 90_000 }, tell);
        await clock.settle();
        await send(accepted, apdu, paid, done);
        return { kind: (await clock.until(outcome)).kind, events };
      },
      expected: { kind: 'approved', events: ['reading'] },
    },
  ],
  'feig-1680728165': [
    {
      says: 'a completion without data ends an approved payment',
      play: scriptedDevice(pay(2_040n), [accepted, paid], []),
      expected: expect.objectContaining({ kind: 'approved' }),
    },
    {
      says: 'and is not an ending without a result',
      play: scriptedDevice(pay(2_040n), [accepted], []),
      expected: 'terminal.unclear',
    },
  ],
  'feig-1680728215': [
    {
      says: 'the customer’s receipt of a cancellation, in one block of 1,126 bytes: 33 lines, the first and the last one empty',
      play: async (apdu) => {
        const outcome = await scriptedDevice(pay(2_040n), [accepted, paid], [done])(apdu);
        const { customerLines, merchantLines } = outcome as { customerLines: string[]; merchantLines: string[] };
        return { count: customerLines.length, lines: customerLines, merchantLines };
      },
      expected: {
        count: 31,
        lines: expect.arrayContaining([
          '         ** Customer Receipt **',
          'Receipt No:                         0232',
          'Card No.:               xxxxxxxxxxxx8074',
          '         Cancellation approved',
          'DAUER 7 TAGE',
        ]),
        merchantLines: [],
      },
    },
  ],
  'feig-1680728219': [
    {
      says: 'the state after a version of 40 characters, and the device’s identity',
      play: greetingDevice((apdu) => [accepted, done, accepted, apdu]),
      expected: { model: 'cVEND plug', serial: '17FD1E3C', firmware: 'GER-APP-v2.0.9;cS02.01.01-10.10-2-2;CC26' },
    },
    {
      says: 'nothing is wrong with it',
      play: scriptedDevice((terminal) => terminal.health(), [accepted], []),
      expected: { ok: true, problems: [] },
    },
  ],
  'feig-1680761818': [
    {
      says: 'a registration’s end: nothing is due (19 is 10), terminal id 52523535',
      play: greetingDevice((apdu) => [accepted, apdu, accepted, done]),
      expected: { model: 'ZVT', serial: '52523535', firmware: '' },
    },
  ],
  'feig-1680761828': [
    {
      says: 'the end of day with its sums (60): a total of 9.58',
      play: scriptedDevice(endOfDay, [accepted], [done]),
      expected: { lines: ['TOTAL 9.58 EUR'] },
    },
    {
      says: 'repeated, it is not a payment',
      play: scriptedDevice(askLast, [accepted], [done]),
      expected: 'terminal.unclear',
    },
    {
      says: 'its two payments are 0233 and 0234',
      play: scriptedDevice(askNewest, [...idle, accepted], [done]),
      expected: '0234',
    },
  ],
  'feig-1682066249': [
    {
      says: 'a girocard of 19 digits, padded with F',
      play: scriptedDevice(pay(2_500n), [accepted], [done]),
      expected: {
        ...{ kind: 'approved', customerLines: [], merchantLines: [] },
        payment: {
          ...{ amount: { minor: 2_500n, currency: 'EUR' }, receiptNumber: '0249', traceNumber: '001012' },
          ...{ terminalId: '52523535', authorisationCode: '018372', maskedPan: '4711***********8004' },
          ...{ cardName: 'girocard', time: '04-21 10:37:20', heardAt: expect.any(Number) },
        },
      },
    },
    {
      says: 'for another amount it is not an approval',
      play: scriptedDevice(pay(2_501n), [accepted], [done]),
      expected: 'terminal.unclear',
    },
  ],
  'valina-issue-11': [
    {
      says: 'truncated: as far as it goes it is 1.54 EUR with the number 0087',
      play: async (apdu) => readResult({ bmps: decodeBmps(fromHex(apdu).subarray(3)), objects: [] }),
      expected: expect.objectContaining({ code: '00', amountMinor: 154n, currency: 'EUR', receiptNumber: '0087' }),
    },
    {
      says: 'truncated: an incomplete message is not an approval',
      play: scriptedDevice(pay(154n), [accepted], []),
      expected: 'terminal.garbled',
    },
    {
      says: 'truncated: it swallows the following end',
      play: scriptedDevice(pay(154n), [accepted], [done]),
      expected: 'terminal.garbled',
    },
  ],
  'bezahl-data081649050': [
    {
      says: 'a contactless debit card for 0.01, without cardholder verification',
      play: scriptedDevice(pay(1n), [accepted], [done]),
      expected: {
        ...{ kind: 'approved', customerLines: [], merchantLines: [] },
        payment: {
          ...{ amount: { minor: 1n, currency: 'EUR' }, receiptNumber: '0022', traceNumber: '000022' },
          ...{ terminalId: '29001006', authorisationCode: '291675', entryMode: 'NFC_ICC' },
          ...{ maskedPan: '************5726', aid: 'A0000000041010', cardName: 'Debit Mastercard' },
          ...{ verification: 'none', time: '03-08 16:49:23', heardAt: expect.any(Number) },
        },
      },
    },
  ],
  'bezahl-1617181236803PT': [
    {
      says: 'without its length byte it is not an end of day',
      play: scriptedDevice(endOfDay, [accepted], []),
      expected: 'terminal.garbled',
    },
    { says: 'nor an approval', play: scriptedDevice(pay(26n), [accepted], []), expected: 'terminal.garbled' },
  ],
  'bezahl-1618046758827PT': [
    {
      says: 'the host’s 05, with a text for the cashier',
      play: scriptedDevice(pay(2_040n), [accepted], ['061E0105']),
      expected: expect.objectContaining({ kind: 'declined', code: '05', why: 'declined' }),
    },
  ],
  'bezahl-1620217578711PT': [
    {
      says: 'ended by the customer’s key',
      play: scriptedDevice(pay(2_040n), [accepted], ['061E016C']),
      expected: expect.objectContaining({ kind: 'declined', code: '6C', why: 'abort by time-out or key' }),
    },
  ],
  'bezahl-1620218414428PT': [
    {
      says: 'a registration’s end: terminal id 29001006',
      play: greetingDevice((apdu) => [accepted, apdu, accepted, done]),
      expected: { model: 'ZVT', serial: '29001006', firmware: '' },
    },
  ],
};

test('every row of the file is used, and nothing else', () => {
  expect(Object.keys(readings).toSorted()).toEqual(messages.map(({ name }) => name).toSorted());
});

const rows = messages.flatMap(({ name, apdu }) =>
  (readings[name] ?? []).map((reading) => [name, reading.says, { apdu, ...reading }] as const),
);

test.each(rows)('%s: %s', async (_name, _says, { apdu, play, expected }) => {
  expect(await play(apdu)).toEqual(expected);
});
