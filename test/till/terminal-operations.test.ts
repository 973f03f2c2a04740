/**
 * At a terminal that authorises by itself: a void is its reversal, an amount can come late, other operations are
 * refused.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import {
  type Device,
  type DeviceTurn,
  integratedDevice,
  type Question,
} from '../support/till/scripted-integrated-terminal.ts';
import { eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const DAY_MS = 86_400_000;
const noop = () => {};

let rig: Rig;
let device: Device;
let run: TillRun;
let turns: Partial<Record<Question, DeviceTurn[]>>;
beforeEach(() => {
  rig = tillRig();
  turns = {};
  device = integratedDevice({
    clock: rig.clock,
    nextTurn: (question) => turns[question]?.shift() ?? 'works',
    outcomeFields: {},
    lines: { customer: [], merchant: [] },
  });
  run = rig.open({ parts: { integrated: device.keep() } });
});
afterEach(() => {
  run.close();
  rig.remove();
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return isFault(error) ? `${error.code}: ${error.message}` : String(error);
  }
};
const sellAmount = (minor: bigint) => rig.clock.until(run.sell(minor).done);
const endingText = ({ ending, reason }: { ending: string; reason: string }) => `${ending} ${reason}`;

test('a void reverses the whole payment by its number, and nothing is left to refund', async () => {
  await sellAmount(700n);
  const voided = await rig.clock.until(run.till.follow({ receipt: 1, operation: 'void' }, noop).done);
  expect([endingText(voided), device.charged(700n)]).toEqual(['approved reversedAtTerminal', 0n]);
  expect(device.asked.filter((question) => question === 'reverse')).toHaveLength(1);
  expect(codeOf(() => run.till.refund({ receipt: 1 }, noop))).toContain('a void followed it already');
});

test('a void whose answer was lost is repeated, and counted once', async () => {
  await sellAmount(700n);
  turns = { reverse: ['lostAfter'] };
  const voided = await rig.clock.until(run.till.follow({ receipt: 1, operation: 'void' }, noop).done);
  expect([endingText(voided), device.charged(700n)]).toEqual(['approved reversedAtTerminal', 0n]);
});

test('on another day, or after one refusal, only a refund with the card returns the money', async () => {
  await sellAmount(700n);
  await rig.clock.advance(DAY_MS);
  expect(codeOf(() => run.till.follow({ receipt: 1, operation: 'void' }, noop))).toContain(
    'a refund needs the customer’s card',
  );
  const refunded = await rig.clock.until(run.till.refund({ receipt: 1 }, noop).done);
  expect([endingText(refunded), device.charged(700n)]).toEqual(['approved refunded', 0n]);
});

test('unsupported operations are refused by name, before anything is written', async () => {
  const amount = eur(500n);
  expect(codeOf(() => run.till.preauthorise({ amount }, noop))).toBe(
    'terminal.cannot: This till’s terminal contacts its bank itself and does not support a preauthorisation',
  );
  expect(codeOf(() => run.till.credit({ amount }, noop))).toContain('does not support a credit');
  expect(codeOf(() => run.till.sell({ amount, storeCard: true }, noop))).toContain('does not support storing a card');
  expect(run.journal.length).toBe(0);
});

test('the amount can come late: the terminal is asked for its last payment only then', async () => {
  const running = run.till.openSale({ currency: 'EUR' }, noop);
  await rig.clock.advance(30_000);
  expect(device.asked).toEqual([]);
  running.setAmount(eur(900n));
  expect([endingText(await rig.clock.until(running.done)), device.charged(900n)]).toEqual(['approved approved', 900n]);
});

test.each([
  ['Pacific/Auckland', 'a refund needs the customer’s card'],
  ['UTC', 'nothing was thrown'],
])('today is the shop’s: paid at 10:50, voided at 11:10 UTC in %s', async (timeZone, text) => {
  run.close();
  run = rig.open({ parts: { integrated: device.keep(), timeZone } });
  const day = rig.clock.now() - (rig.clock.now() % DAY_MS);
  await rig.clock.advance(day + DAY_MS + 10 * 3_600_000 + 50 * 60_000 - rig.clock.now());
  const { intent } = await sellAmount(700n);
  await rig.clock.advance(20 * 60_000);
  const voided = () => void run.till.follow({ receipt: intent.receipt, operation: 'void' }, noop);
  expect(codeOf(voided)).toContain(text);
});
