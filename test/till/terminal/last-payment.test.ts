/** When a terminal's last payment counts as the one in question: only if all its data matches. */
import { expect, test } from 'vitest';
import type { IntegratedOutcome } from '../../../drivers/integrated-terminal.ts';
import { type AtTerminal, markOf, misfitOf, staleMark, unknownMark } from '../../../src/till/machine/terminal-facts.ts';
import {
  aheadOf,
  type DeviceSale,
  deviceTime,
  hasLaterPayment,
  isUsedOnce,
  jumpsIn,
  numberAfter,
} from '../../../src/till/terminal/device-numbers.ts';
import { eventOfLast, eventOfNewest } from '../../../src/till/terminal/last-payment.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const ASKED = Date.UTC(2026, 0, 2, 12, 0, 0);
/** The device's clock is an hour and a few seconds ahead. */
const AHEAD = 3_605_000;

type Payment = Extract<IntegratedOutcome, { kind: 'approved' }>['payment'];
const approved = (payment: Partial<Payment> = {}): IntegratedOutcome => ({
  kind: 'approved',
  payment: { amount: eur(820n), receiptNumber: '0018', traceNumber: '000018', time: '01-02 13:00:12', ...payment },
  customerLines: [],
  merchantLines: [],
});
const before = markOf(approved({ receiptNumber: '0017', traceNumber: '000017', time: '01-02 12:50:00' }));
const takenMark: AtTerminal = { device: 'D', before, askedAt: ASKED, aheadMs: AHEAD };
const { askedAt: _, ...notTaken } = takenMark;
const { aheadMs: __, ...noClock } = takenMark;

type Case = [name: string, last: IntegratedOutcome | { kind: 'none' }, at: AtTerminal, wanted: object];
const unclear = (reason: string, alike = true) => ({
  on: 'terminalUnclear',
  why: reason,
  ...(alike && { alike: true }),
});
test.each<Case>([
  ['all fits', approved(), takenMark, { on: 'terminalApproved' }],
  [
    'a decline that fits',
    { ...approved(), kind: 'declined', code: '05', why: 'no' } as IntegratedOutcome,
    takenMark,
    { on: 'terminalDeclined', code: '05' },
  ],
  [
    'it had not taken the request',
    approved(),
    notTaken,
    unclear('it had not taken this payment when the line was lost'),
  ],
  [
    'another number than the next',
    approved({ receiptNumber: '0019' }),
    takenMark,
    unclear('its receipt number is 0019, not the one after 0017'),
  ],
  ['the same number', approved({ receiptNumber: '0017' }), takenMark, unclear('its receipt number is still 0017')],
  [
    'no number noted before',
    approved(),
    { ...takenMark, before: { text: 'none' } },
    unclear('nobody knows which number was its last before 0018'),
  ],
  ['another amount', approved({ amount: eur(821n) }), takenMark, unclear('its last payment is of 8.21 EUR', false)],
  [
    'it reported none before',
    approved(),
    { ...takenMark, before: unknownMark },
    unclear('it did not tell its last payment before this one', false),
  ],
  [
    'it lags behind by one payment',
    approved(),
    { ...takenMark, before: staleMark },
    unclear('it tells the payment before its last one', false),
  ],
  [
    'made before the request',
    approved({ time: '01-02 12:59:59' }),
    takenMark,
    unclear('its last payment was made before, at 01-02 12:59:59'),
  ],
  [
    'made in the same second, as far as whole seconds show',
    approved({ time: '01-02 13:00:04' }),
    takenMark,
    { on: 'terminalApproved' },
  ],
  ['a clock that was never compared', approved(), noClock, unclear('nobody knows yet how its clock goes')],
  [
    'no time reported',
    approved({ time: 'noon' }),
    takenMark,
    unclear('it does not say when its last payment was made'),
  ],
  [
    'the earlier one',
    approved({ receiptNumber: '0017', traceNumber: '000017', time: '01-02 12:50:00' }),
    takenMark,
    { on: 'terminalUnchanged' },
  ],
  ['none any more', { kind: 'none' }, takenMark, unclear('it no longer knows the payments before it', false)],
  [
    'a decline without its payment',
    { kind: 'declined', code: '05', why: 'no', customerLines: [], merchantLines: [] },
    takenMark,
    unclear('it does not say which payment was its last', false),
  ],
  [
    'one that refused to begin',
    { kind: 'notBegun', code: 'A0', why: 'busy' },
    takenMark,
    unclear('it does not say which payment was its last', false),
  ],
])('the last payment: %s', (_name, last, at, expected) => {
  const event = eventOfLast(last, at, { amount: eur(820n) });
  expect(event).toMatchObject(expected);
  if (event.on === 'terminalUnclear') expect(event).toEqual(expected);
});

const unchanged = { on: 'terminalUnchanged' };
const goesOn = (newest: string) => unclear(`it tells receipt number 0017 as its last, and its totals go to ${newest}`);
const unconfirmed = unclear('it tells the payment before, and no totals that could confirm it', false);
type Newest = [newest: string | undefined, at: AtTerminal, isDeclined: boolean, wanted: object];
test.each<Newest>([
  ['0017', takenMark, false, unchanged],
  ['none', takenMark, false, unclear('it tells receipt number 0017 as its last, and its totals are empty', false)],
  ['0018', takenMark, false, goesOn('0018')],
  ['0025', takenMark, false, goesOn('0025')],
  // Numbers that started again, or another terminal's: they prove nothing.
  ['0016', takenMark, false, goesOn('0016')],
  ['0001', takenMark, false, goesOn('0001')],
  // A declined payment is the last one reported, and is in no turnover.
  ['0016', takenMark, true, unchanged],
  ['0017', takenMark, true, unchanged],
  ['0015', takenMark, true, goesOn('0015')],
  ['0018', takenMark, true, goesOn('0018')],
  [undefined, takenMark, false, unconfirmed],
  [undefined, notTaken, false, unchanged],
  ['0018', notTaken, false, goesOn('0018')],
])('the last payment is still 0017, and the totals go to %s', (newest, at, isDeclined, expected) => {
  expect(eventOfNewest(newest, at, { isDeclined })).toEqual(expected);
});

test.each([
  ['0017', '0018'],
  ['9999', '0001'],
  ['0009', '0010'],
  ['999999', '000001'],
  ['', undefined],
  ['A1', undefined],
])('the number after %j is %j', (number, next) => expect(numberAfter(number)).toBe(next));

test.each([
  ['01-02 13:00:05', '2026-01-02T13:00:05Z'],
  ['2025-12-31 23:59:58', '2025-12-31T23:59:58Z'],
  // Without a year the nearest year is taken, also across a new year.
  ['12-31 23:59:58', '2025-12-31T23:59:58Z'],
])('the device’s %s near noon of 2 January 2026 is %s', (text, iso) => {
  expect(deviceTime(text, ASKED)).toBe(Date.parse(iso));
});

test('a payment reported as it was made shows how a clock differs', () => {
  expect(aheadOf({ time: '01-02 13:00:05', heardAt: ASKED })).toBe(AHEAD);
  expect(aheadOf({ time: '01-02 13:00:05' })).toBeUndefined();
  expect(aheadOf({ time: 'noon', heardAt: ASKED })).toBeUndefined();
});

const sale = (receipt: number, more: Partial<DeviceSale>): DeviceSale => ({
  ...{ sale: `${receipt}`, receipt, at: receipt },
  ...more,
});
test.each<[name: string, sales: DeviceSale[], jumps: string[]]>([
  ['one after the other', [sale(1, { number: '0001' }), sale(2, { before: '0001', number: '0002' })], []],
  [
    'another register between',
    [sale(1, { number: '0001' }), sale(2, { before: '0003', number: '0004' })],
    ['2: 0001 0003'],
  ],
  ['another register between question and payment', [sale(1, { before: '0001', number: '0003' })], ['1: 0001 0003']],
  ['after the highest number', [sale(1, { number: '9999' }), sale(2, { before: '9999', number: '0001' })], []],
  ['after one with an unknown end', [sale(1, { before: '0001' }), sale(2, { before: '0002', number: '0003' })], []],
  ['after a closed day', [sale(1, { number: '0009' }), sale(2, { number: '0011' })], []],
  [
    'after a void, which has its own number',
    [
      sale(1, { number: '0001' }),
      sale(2, { before: '0001', number: '0002', reverses: true }),
      sale(3, { before: '0002' }),
    ],
    [],
  ],
  [
    'after one that was reversed automatically',
    [sale(1, { number: '0001', reversal: '0002' }), sale(2, { before: '0002' })],
    [],
  ],
])('receipt numbers: %s', (_name, sales, expected) => {
  expect(jumpsIn(sales).map(({ receipt, from, to }) => `${receipt}: ${from} ${to}`)).toEqual(expected);
});

test('a number counts as used by payments and refunds, not by reversals', () => {
  const sales = [sale(1, { number: '0001' }), sale(2, { number: '0001', reverses: true })];
  expect(isUsedOnce('0001', sales)).toBe(true);
  expect(isUsedOnce('0001', [...sales, sale(3, { number: '0001' })])).toBe(false);
});

const three = [
  sale(1, { before: '0006', number: '0007' }),
  sale(2, { before: '0007', number: '0008', reversal: '0009' }),
  sale(3, { before: '0009', number: '0010' }),
  sale(4, { before: '0010' }),
];
test.each<[name: string, number: string | undefined, sales: DeviceSale[], is: boolean]>([
  ['the last one’s', '0010', three, false],
  ['one that was not made here', '0011', three, false],
  ['the one noted before the last', '0009', three, true],
  ['an earlier sale’s', '0007', three, true],
  ['the first one’s, of one', '0007', three.slice(0, 1), false],
  ['the one before the first', '0006', three.slice(0, 1), true],
  ['that of the last one’s own reversal', '0009', three.slice(0, 2), false],
  ['none', undefined, three, false],
  ['any, where nothing was sold', '0007', [], false],
])('a terminal that reports a payment before its last one: %s', (_name, number, sales, is) => {
  expect(hasLaterPayment(number, sales)).toBe(is);
});

const refund = { amount: eur(820n), receiptNumber: '0019' };
const original = { traceNumber: '000018', maskedPan: '476173******0010' };
test.each([
  ['trace and card match', original, { originalTrace: '18', maskedPan: '************0010' }, undefined],
  [
    'another trace',
    original,
    { originalTrace: '000017', maskedPan: '************0010' },
    'trace number 000017, not 000018',
  ],
  ['another card', original, { originalTrace: '000018', maskedPan: '************0011' }, 'card ************0011'],
  ['another card of the same last digits', original, { maskedPan: '476174******0010' }, 'card 476174******0010'],
  ['only the card matches', original, { maskedPan: '************0010' }, undefined],
  ['it reports neither', original, {}, 'it does not say which payment it took back'],
  ['from a journal that knew neither', {}, {}, undefined],
])('what went back: %s', (_name, payment, reported, misfit) => {
  const found = misfitOf(payment, { ...refund, ...reported });
  if (misfit === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(misfit);
});
