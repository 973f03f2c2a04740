/** Unexpected answers: the sums still hold, and no answer is refused because they would not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imbalancesOf } from '../../src/ledger/conservation-index.ts';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => {
  run.close();
  rig.remove();
});

const noop = () => {};
const allowed = { kind: 'allowed', chip: true, deferred: true, stored: true } as const;

/** A gateway that approves this much of what is forwarded, and lists it. */
const hostApproving = (part: string): Host => ({
  ...rig.host,
  async pay(parameters, key) {
    const reply = await rig.host.pay({ ...parameters, amount: part }, key);
    return reply;
  },
});

test.each(['refund', 'void'] as const)(
  'a %s of everything, stored behind a sale that the bank approves in part',
  async (operation) => {
    run = rig.open({ host: hostApproving('6.00'), parts: { offline: () => allowed } });
    rig.fates.push('notReached');
    const { intent } = await rig.clock.until(run.sell(1_000n).done);
    rig.fates.push('answerLost');
    await run.drain();
    const stored = await rig.clock.until(run.till.follow({ receipt: intent.receipt, operation }, noop).done);
    expect(stored.offline).toBe('stored');
    await run.passTime(4);
    expect(run.reported.map(String)).toEqual([]);
    const [sale, after] = [intent.sale, stored.intent.sale].map((id) => run.till.findSale(id));
    expect(sale?.answer?.approved).toEqual(eur(600n));
    expect(run.ledger.openSales()).toEqual([]);
    const ending = after?.at === 'ended' ? `${after.ending} ${after.reason}` : '';
    expect([ending, run.outbox.waiting(), run.outbox.parked()]).toEqual([
      operation === 'void' ? 'approved voided' : 'declined storedRefused',
      [],
      [],
    ]);
  },
);

test('a late refund after another one of the same money: both are recorded, and a person is told', async () => {
  run = rig.open();
  const { intent } = await rig.clock.until(run.sell(1_000n).done);
  rig.fates.push('notReached');
  const first = await rig.clock.until(run.till.refund({ receipt: intent.receipt }, noop).done);
  expect(first.ending).toBe('notSent');
  expect((await rig.clock.until(run.till.refund({ receipt: intent.receipt }, noop).done)).ending).toBe('approved');
  // A gateway that refunds more than was paid.
  run.close();
  const body = {
    id: 'f'.repeat(32),
    paymentType: 'RF',
    amount: '10.00',
    currency: 'EUR',
    merchantTransactionId: first.intent.sale,
  };
  const payments = [{ ...body, result: { code: '000.100.110', description: '' } }];
  run = rig.open({ host: { ...rig.host, find: async () => createReply('000.100.110', 'approved', { payments }) } });
  await rig.clock.advance(600_001);
  expect(await rig.clock.until(run.resolver.inquireLate())).toHaveLength(1);
  const late = run.till.findSale(first.intent.sale);
  expect(late.at === 'ended' && [late.ending, late.differs]).toEqual([
    'approved',
    'The gateway has carried it out after it was said not to have been sent',
  ]);
  // The person's statement is the truth, although the sums cannot hold it: it is recorded, and shown.
  const by = { who: 'Ana', role: 'manager', reason: 'the bank was called', evidence: 'statement of 2 January' };
  const forced = run.till.forceEnding(first.intent.receipt, true, by);
  expect([forced.ending, forced.differs]).toEqual(['approved', undefined]);
  expect(imbalancesOf(run.journal.sql)).toEqual([{ sale: intent.sale, currency: 'EUR', minor: 1_000n }]);
  expect(run.ledger.openSales()).toEqual([]);
});
