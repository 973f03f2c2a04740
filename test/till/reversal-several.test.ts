/** Several payments for one sale, at a gateway without keys: each is reversed, and only then is the sale done. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** Charged without an answer, and charged once more with the same reference. */
const chargedTwice = async (run: TillRun): Promise<string> => {
  rig.fates.push('answerLost', 'answerLost');
  const { sale, done } = run.sell(700n);
  expect((await rig.clock.until(done)).ending).toBe('unknown');
  const secondPayment = { amount: '7.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: sale };
  await rig.clock.until(rig.host.pay(secondPayment, 'an unknown key'));
  expect(rig.booked(sale)).toBe(1_400n);
  return sale;
};

test.each([
  ['the first', ['answered', 'requestLost', 'answered']],
  ['the second', ['answered', 'answered', 'requestLost']],
  ['neither of them', ['answered', 'requestLost', 'requestLost']],
] as const)('if the reversal of %s is not answered the sale is not done, and in the end both are', async (_, fates) => {
  const run = rig.open();
  const sale = await chargedTwice(run);
  rig.fates.push(...fates);
  await run.drain();
  expect([run.says(sale).ending, run.outbox.waiting().length]).toEqual(['unknown unanswered', 1]);
  expect(rig.booked(sale)).toBeGreaterThan(0n);
  rig.fates.length = 0;
  await run.passTime(3);
  expect([run.says(sale).ending, rig.booked(sale)]).toEqual(['declined reversed', 0n]);
  expect(rig.ofSale(sale).map(({ paymentType }) => paymentType)).toEqual(['DB', 'DB', 'RV', 'RV']);
  run.close();
});
