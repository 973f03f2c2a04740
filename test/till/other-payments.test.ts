/**
 * A payment that a gateway lists or approves counts for a sale only if it belongs to it, with an amount that was
 * charged.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

const approval = (reference: string, amount: string) => ({
  ...{ id: 'f'.repeat(32), merchantTransactionId: reference, paymentType: 'DB', amount, currency: 'EUR' },
  result: { code: '000.100.110', description: 'yes' },
});

/** Answers every sale with a payment of this amount, and lists that payment. */
const hostThatSays = (amount: string, of: (reference: string) => string): Partial<Host> => ({
  pay: async (parameters) =>
    createReply('000.100.110', 'approved', approval(of(String(parameters['merchantTransactionId'])), amount)),
  find: async (reference) => createReply('000.000.100', 'approved', { payments: [approval(of(reference), amount)] }),
});

const stored = async (hostParts: Partial<Host>) => {
  const before = rig.open();
  rig.fates.push('notReached');
  const { intent, offline } = await rig.clock.until(before.sell(1_000n).done);
  expect(offline).toBe('chip');
  before.close();
  const run = rig.open({ host: { ...rig.host, ...hostParts } });
  await run.drain();
  await run.drain();
  const sale = run.till.findSale(intent.sale);
  run.close();
  return { isSettled: sale.at === 'ended' && sale.forwarded !== undefined, approved: sale.answer?.approved };
};

test.each(['0.00', '-4.00', '10.01'])(
  'a stored sale of 10.00 is not settled by an approval of %s, listed or not',
  async (amount) => {
    expect(await stored(hostThatSays(amount, (reference) => reference))).toEqual({ isSettled: false });
  },
);

test('a partial approval that is also listed settles a stored sale', async () => {
  const settled = { isSettled: true, approved: { minor: 400n, currency: 'EUR' } };
  expect(await stored(hostThatSays('4.00', (reference) => reference))).toEqual(settled);
});

test('a list of another sale’s payments does not end an unknown sale', async () => {
  rig.remove();
  rig = tillRig();
  const refer = async () => createReply('000.100.110', 'approved', { amount: '7.00', currency: 'EUR' });
  const run = rig.open({
    host: { ...rig.host, ...hostThatSays('7.00', () => 'another sale'), refer, pay: rig.host.pay },
  });
  rig.fates.push('requestLost', 'requestLost');
  const { sale, done } = run.sell(700n);
  expect((await rig.clock.until(done)).ending).toBe('unknown');
  await run.passTime(2);
  expect(run.says(sale).ending).toBe('unknown unanswered');
  expect(run.outbox.parked().map(({ kind }) => kind)).toEqual(['reversal']);
  run.close();
});

test('a reversal listed under a stored sale is not its approval', async () => {
  let paid = 0;
  const settled = await stored({
    async pay() {
      paid += 1;
      return { kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) };
    },
    find: async (reference) => {
      const reversal = { ...approval(reference, '10.00'), paymentType: 'RV' };
      return createReply('000.000.100', 'approved', { payments: [reversal] });
    },
  });
  expect([settled, paid]).toEqual([{ isSettled: false }, 2]);
});
