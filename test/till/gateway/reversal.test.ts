/**
 * What may have been charged is reversed completely. Only proof ends a reversal, not an answer that merely sounds like
 * proof.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause } from '../../../src/base/clock.ts';
import { meaningOf } from '../../../src/gateway/spec/results.ts';
import type { Host } from '../../../src/till/ports.ts';
import { createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** Charged at the gateway without an answer: neither to the sale nor to the inquiry after it. */
const sellUnanswered = async (run: TillRun, minor = 700n): Promise<string> => {
  rig.fates.push('answerLost', 'answerLost');
  const sale = run.sell(minor);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  expect(rig.booked(sale.sale)).toBe(minor);
  return sale.sale;
};

/** Cancelled while the gateway was approving it: the payment's id is in the journal. */
const cancelled = async (run: TillRun): Promise<string> => {
  const sale = run.sell(700n);
  rig.clock.after(60, () => sale.cancel());
  expect((await rig.clock.until(sale.done)).reversal).toBe('due');
  return sale.sale;
};

const reversalOf = (run: TillRun, sale: string) => {
  const now = run.till.findSale(sale);
  return now.at === 'ended' ? now.reversal : undefined;
};

const finding = (payments: (reference: string, real: unknown[]) => unknown[]): Partial<Host> => ({
  meaningOf,
  async find(reference) {
    const reply = await rig.host.find(reference);
    if (reply.kind !== 'answered') return reply;
    const real = reply.body['payments'];
    return createReply('000.000.100', 'approved', { payments: payments(reference, Array.isArray(real) ? real : []) });
  },
});

const declinedDebit = (reference: string, code: string) => ({
  id: 'd'.repeat(32),
  paymentType: 'DB',
  merchantTransactionId: reference,
  result: { code, description: 'no' },
});

test('an unanswered sale is reversed once, and the till reports it', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  await run.passTime(3);
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  expect(rig.ofSale(sale).map(({ paymentType, code }) => `${paymentType} ${code}`)).toEqual([
    'DB 000.100.110',
    'RV 000.100.110',
  ]);
  run.close();
});

test('of two payments listed for one sale the approved one is reversed, even if it is not the first', async () => {
  const run = rig.open({
    host: {
      ...rig.host,
      ...finding((reference, real) => [declinedDebit(reference, '800.100.155'), ...real]),
    },
  });
  const sale = await sellUnanswered(run);
  await run.passTime(3);
  expect(rig.booked(sale)).toBe(0n);
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  run.close();
});

test('a payment that the gateway lists as refused was not charged, but it did reach the gateway', async () => {
  const run = rig.open({
    host: { ...rig.host, ...finding((reference) => [declinedDebit(reference, '100.100.101')]) },
  });
  rig.fates.push('requestLost', 'requestLost', 'requestLost');
  const sale = run.sell(700n);
  await rig.clock.until(sale.done);
  await run.passTime(3);
  expect(run.says(sale.sale).ending).not.toBe('notSent neverArrived');
  expect(run.says(sale.sale)).toMatchObject({ ending: expect.stringMatching(/^declined/), charged: 0n });
  run.close();
});

test.each([
  // A duplicate in the issuer's books: the till cannot know whether its own first try was the original.
  ['an inconclusive code, and nothing to reverse: it was never charged', '800.110.100', 'declined declinedByHost'],
  // An approval in the list that cannot be reversed is for a person: nothing is proved.
  ['an approval, and nothing to reverse', '000.100.110', 'unknown unanswered'],
])('a payment listed with %s', async (_, code, ending) => {
  const nothingToReverse = createReply('700.400.530', meaningOf('700.400.530'), {});
  const run = rig.open({
    host: {
      ...rig.host,
      ...finding((reference) => [declinedDebit(reference, code)]),
      refer: async () => nothingToReverse,
    },
  });
  rig.fates.push('requestLost', 'requestLost', 'requestLost');
  const sale = run.sell(700n);
  await rig.clock.until(sale.done);
  await run.passTime(3);
  expect(run.says(sale.sale)).toMatchObject({ ending, charged: 0n });
  run.close();
});

test('"cannot reverse" because the back office refunded one cent does not count as fully reversed', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  const payment = rig.ofSale(sale).find(({ paymentType }) => paymentType === 'DB')?.id ?? '';
  const cent = { paymentType: 'RF', amount: '0.01', currency: 'EUR', merchantTransactionId: sale };
  await rig.clock.until(rig.host.refer(payment, cent, 'back office'));
  await run.passTime(3);
  expect(rig.booked(sale)).toBe(699n);
  expect(run.says(sale).ending).toBe('unknown unanswered');
  expect(run.outbox.parked().map(({ kind }) => kind)).toEqual(['reversal']);
  run.close();
});

test('a reversal whose answer was lost is proved by the gateway’s list, not by "cannot reverse" alone', async () => {
  // Without keys the second try is a second reversal, which the gateway refuses.
  let n = 0;
  const run = rig.open({
    host: { ...rig.host, refer: (payment, parameters) => rig.host.refer(payment, parameters, `no key ${n++}`) },
  });
  const sale = await cancelled(run);
  rig.fates.push('answerLost');
  await run.passTime(2);
  expect([reversalOf(run, sale), rig.booked(sale), run.outbox.parked()]).toEqual(['done', 0n, []]);
  run.close();
});

test('a reversal approved for less than the sale leaves the rest to a person', async () => {
  const part = createReply('000.100.110', 'approved', { id: 'f'.repeat(32), amount: '0.01', currency: 'EUR' });
  const run = rig.open({ host: { ...rig.host, refer: async () => part } });
  const sale = await cancelled(run);
  await run.drain();
  expect(reversalOf(run, sale)).toBe('due');
  expect(run.outbox.parked().map(({ note }) => note)).toEqual(['only 0.01 was taken back']);
  run.close();
});

test('an approval in the journal does not count as reversed because a gateway does not know it', async () => {
  const run = rig.open();
  const sale = await cancelled(run);
  run.close();
  const other = rig.open({ host: rig.newHost() });
  await other.passTime(3);
  expect([reversalOf(other, sale), rig.booked(sale)]).toEqual(['due', 700n]);
  other.close();
});

test('a till that was given another gateway waits for the one that has the sale', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  run.close();

  const elsewhere = rig.open({ host: rig.newHost(), parts: { gateway: 'another' } });
  await elsewhere.passTime(20);
  expect(elsewhere.says(sale).ending).toBe('unknown unanswered');
  expect(elsewhere.outbox.waiting().map(({ note }) => note)).toEqual(['this sale belongs to another gateway: twin']);
  elsewhere.close();

  const reopened = rig.open();
  await reopened.passTime(1);
  expect([reopened.says(sale).ending, rig.booked(sale)]).toEqual(['declined reversed', 0n]);
  reopened.close();
});

test('"not found" counts only when the request can no longer arrive, whatever the wall clock', async () => {
  const run = rig.open();
  // Lost, not found, and sent again: the second request is still in transit when the till gives up.
  rig.fates.push('requestLost', 'answered', 'takenLate');
  const sale = run.sell(700n);
  await rig.clock.until(sale.done);
  rig.wall.jumpMs = 3_600_000;
  await run.drain();
  expect(rig.ofSale(sale.sale)).toEqual([]);
  expect(run.says(sale.sale).ending).toBe('unknown unanswered');
  await run.passTime(3);
  expect(rig.ofSale(sale.sale).map(({ paymentType }) => paymentType)).toEqual(['DB', 'RV']);
  expect(run.says(sale.sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  run.close();
});

test('setting the wall clock back by a year delays no reversal', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  rig.wall.jumpMs = -365 * 86_400_000;
  await rig.clock.advance(LIFE_MS);
  await rig.clock.until(run.forwarder.drain());
  expect([run.says(sale).ending, rig.booked(sale)]).toEqual(['declined reversed', 0n]);
  run.close();
});

test('at a gateway without idempotency keys a sale is charged once, and reversed', async () => {
  let n = 0;
  const run = rig.open({
    host: { ...rig.host, pay: (parameters, key) => rig.host.pay(parameters, `${key}-${n++}`) },
  });
  const sale = await sellUnanswered(run);
  await run.passTime(5);
  expect(rig.ofSale(sale).filter(({ paymentType }) => paymentType === 'DB')).toHaveLength(1);
  expect(rig.booked(sale)).toBe(0n);
  run.close();
});

test('an unknown sale is inquired about before the next sale is sent', async () => {
  const requests: string[] = [];
  const host: Host = {
    ...rig.host,
    pay: (parameters, key) => {
      requests.push('pay');
      return rig.host.pay(parameters, key);
    },
    refer: (payment, parameters, key) => {
      requests.push(parameters['paymentType'] ?? '');
      return rig.host.refer(payment, parameters, key);
    },
    find: (reference) => {
      requests.push('find');
      return rig.host.find(reference);
    },
  };
  const run = rig.open({ host });
  await sellUnanswered(run);
  requests.length = 0;
  await rig.clock.until(run.sell(800n).done);
  expect(requests).toEqual(['find', 'RV', 'pay']);
  run.close();
});

test('a "not found" to an early inquiry proves nothing, however late the answer arrives', async () => {
  let slow = false;
  const run = rig.open({
    host: {
      ...rig.host,
      async find(reference) {
        if (!slow) return rig.host.find(reference);
        // Answered at once, but received only when no request can be in transit any more.
        slow = false;
        const reply = createReply('700.400.580', 'refused');
        await pause(rig.clock, LIFE_MS);
        return reply;
      },
    },
  });
  rig.fates.push('takenLate', 'requestLost');
  const sale = run.sell(700n);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  slow = true;
  await rig.clock.until(run.forwarder.drain('all'));
  expect(run.says(sale.sale).ending).toBe('unknown unanswered');
  await run.passTime(3);
  expect(run.says(sale.sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  run.close();
});
