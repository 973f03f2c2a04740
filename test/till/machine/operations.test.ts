/** Every operation at the gateway's twin: its good ending, its silence, its refusal in words, and the money booked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../../src/base/fault.ts';
import type { FollowRequest } from '../../../src/till/follow-ups.ts';
import { type EndedSale, replay } from '../../../src/till/machine/sale.ts';
import { holdOf, type PaymentWithFollowers } from '../../../src/till/payments.ts';
import type { Running } from '../../../src/till/running.ts';
import { eur, type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
beforeEach(() => {
  rig = tillRig();
  run = rig.open();
});
afterEach(() => {
  run.close();
  rig.remove();
});

const noop = () => {};
const waitForEnd = (running: Running): Promise<EndedSale> => rig.clock.until(running.done);
const paymentAt = (receipt: number): PaymentWithFollowers => {
  const sale = run.till.find(receipt);
  return {
    sale,
    followers: run.ledger.followersOf(sale.intent.sale).flatMap((id) => replay(run.ledger.events(id)) ?? []),
  };
};
const preauthorise = (minor: bigint) => waitForEnd(run.till.preauthorise({ amount: eur(minor) }, noop));
const sellAmount = (minor: bigint) => waitForEnd(run.sell(minor));
const follow = (request: FollowRequest) => waitForEnd(run.till.follow(request, noop));
const endingOf = ({ ending, reason }: EndedSale): string => `${ending} ${reason}`;
/** The approved payments in the gateway's books: type and amount. */
const bookings = () =>
  rig.host.books.filter(({ code }) => code === '000.100.110').map((b) => `${b.paymentType} ${b.amount}`);
const faultOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return isFault(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return 'nothing was thrown';
};

test('an amount is held, more is held, part of it is completed with a tip, and given back', async () => {
  const first = await preauthorise(5_000n);
  expect(endingOf(first)).toBe('approved held');
  const { receipt } = first.intent;
  const refundTooMuch = () =>
    run.till.follow({ receipt, operation: 'completion', amount: eur(5_000n), tip: eur(1_000n) }, noop);
  expect(faultOf(refundTooMuch)).toBe(
    'till.heldTooLittle: At most 50.00 EUR of the hold on receipt 1 is left, but 60.00 EUR is needed',
  );
  const more = await follow({ receipt, operation: 'increment', amount: eur(1_500n) });
  expect(endingOf(more)).toBe('approved heldMore');
  const completed = await follow({
    ...{ receipt, operation: 'completion', amount: eur(5_000n), tip: eur(1_000n), keepRest: true },
  });
  expect([endingOf(completed), completed.intent.amount, completed.intent.tip]).toEqual([
    'approved completed',
    eur(6_000n),
    eur(1_000n),
  ]);
  const refunded = await follow({ receipt: completed.intent.receipt, operation: 'refund', amount: eur(1_000n) });
  expect(endingOf(refunded)).toBe('approved refunded');
  expect(bookings()).toEqual(['PA 50.00', 'PA 15.00', 'CP 60.00', 'RF 10.00']);
  expect(faultOf(() => run.till.follow({ receipt, operation: 'completion', amount: eur(501n) }, noop))).toContain(
    'At most 5.00 EUR of the hold on receipt 1 is left',
  );
});

test('a smaller completion releases the rest, once', async () => {
  const { receipt } = (await preauthorise(5_000n)).intent;
  const first = await follow({ receipt, operation: 'completion', amount: eur(2_000n) });
  expect([endingOf(first), first.intent.final]).toEqual(['approved completed', true]);
  expect(bookings()).toEqual(['PA 50.00', 'CP 20.00']);
  expect(rig.host.books.at(-1)).toMatchObject({ sequence: 'FINAL' });
  expect(holdOf(paymentAt(receipt), 7)).toMatchObject({ state: 'completed', completed: eur(2_000n), left: eur(0n) });
  for (const operation of ['release', 'completion', 'increment'] as const) {
    expect(faultOf(() => run.till.follow({ receipt, operation, amount: eur(100n) }, noop))).toContain(
      operation === 'increment' ? 'its last completion followed it already' : 'all of it was completed',
    );
  }
});

test('the rest of a hold that is kept open is released, and a full completion requests nothing more', async () => {
  const { receipt } = (await preauthorise(5_000n)).intent;
  await follow({ receipt, operation: 'completion', amount: eur(2_000n), keepRest: true });
  expect(holdOf(paymentAt(receipt), 7)).toMatchObject({ state: 'open', left: eur(3_000n) });
  expect(endingOf(await follow({ receipt, operation: 'release' }))).toBe('approved released');
  expect(bookings()).toEqual(['PA 50.00', 'CP 20.00', 'RV 30.00']);
  expect(holdOf(paymentAt(receipt), 7)).toMatchObject({ state: 'completed', left: eur(0n) });
  const other = (await preauthorise(1_000n)).intent.receipt;
  expect((await follow({ receipt: other, operation: 'completion' })).intent.final).toBeUndefined();
});

test('a hold is released completely, once, and nothing follows it', async () => {
  const { intent } = await preauthorise(5_000n);
  const { receipt } = intent;
  await follow({ receipt, operation: 'increment', amount: eur(500n) });
  expect(endingOf(await follow({ receipt, operation: 'release' }))).toBe('approved released');
  expect(bookings()).toEqual(['PA 50.00', 'PA 5.00', 'RV 55.00']);
  for (const operation of ['release', 'completion', 'increment'] as const) {
    expect(faultOf(() => run.till.follow({ receipt, operation, amount: eur(100n) }, noop))).toContain(
      'a release followed it already',
    );
  }
});

test('a sale is voided completely; then there is nothing to refund, and no second void', async () => {
  const { intent } = await sellAmount(1_000n);
  const { receipt } = intent;
  expect(faultOf(() => run.till.follow({ receipt, operation: 'void', amount: eur(400n) }, noop))).toBe(
    'till.cannotFollow: Receipt 1 cannot be followed by a void: it is of the whole 10.00 EUR',
  );
  expect(endingOf(await follow({ receipt, operation: 'void' }))).toBe('approved voided');
  expect(bookings()).toEqual(['DB 10.00', 'RV 10.00']);
  expect(faultOf(() => run.till.refund({ receipt }, noop))).toContain('a void followed it already');
  expect(faultOf(() => run.till.follow({ receipt, operation: 'void' }, noop))).toContain('a void followed it');
});

test('after a refund a sale cannot be voided; the rest can be refunded', async () => {
  const { receipt } = (await sellAmount(1_000n)).intent;
  await follow({ receipt, operation: 'refund', amount: eur(300n), cashier: 'Ada' });
  expect(faultOf(() => run.till.follow({ receipt, operation: 'void' }, noop))).toContain('a refund followed it');
  const rest = await follow({ receipt, operation: 'refund' });
  expect([endingOf(rest), rest.intent.amount]).toEqual(['approved refunded', eur(700n)]);
  expect(run.till.findSale(rest.intent.sale).intent.cashier).toBeUndefined();
  expect(run.till.find(2).intent.cashier).toBe('Ada');
});

test('money goes to a card without an earlier payment, and that can be voided', async () => {
  const credit = await waitForEnd(run.till.credit({ amount: eur(700n) }, noop));
  expect(endingOf(credit)).toBe('approved credited');
  expect(endingOf(await follow({ receipt: credit.intent.receipt, operation: 'void' }))).toBe('approved voided');
  expect(bookings()).toEqual(['CD 7.00', 'RV 7.00']);
});

const wrong: readonly [
  begins: 'sale' | 'preauthorisation' | 'credit' | 'refund',
  FollowRequest['operation'],
  string,
][] = [
  ['sale', 'completion', 'a tip afterwards needs a preauthorisation'],
  ['sale', 'increment', 'only of a preauthorisation is an amount held'],
  ['sale', 'release', 'only of a preauthorisation is an amount held'],
  ['preauthorisation', 'refund', 'only a sale or a completion can be given back'],
  ['preauthorisation', 'void', 'only a whole sale or credit can be voided'],
  ['credit', 'refund', 'only a sale or a completion can be given back'],
  ['refund', 'refund', 'it is a refund itself'],
  ['refund', 'void', 'only a whole sale or credit can be voided'],
];
test.each(wrong)('a %s cannot be followed by a %s: %s', async (begins, operation, reason) => {
  const amount = eur(1_000n);
  const begun = {
    sale: () => sellAmount(1_000n),
    preauthorisation: () => preauthorise(1_000n),
    credit: () => waitForEnd(run.till.credit({ amount }, noop)),
    refund: async () => follow({ receipt: (await sellAmount(1_000n)).intent.receipt, operation: 'refund' }),
  };
  const { receipt } = (await begun[begins]()).intent;
  const before = run.ledger.sales(9).length;
  expect(faultOf(() => run.till.follow({ receipt, operation, amount }, noop))).toContain(reason);
  expect(run.ledger.sales(9)).toHaveLength(before);
});

test.each([
  ['increment', 'approved heldMore', 'PA 2.00'],
  ['completion', 'approved completed', 'CP 2.00'],
  ['release', 'approved released', 'RV 10.00'],
] as const)('a %s whose answers were lost is repeated unchanged, and happens once', async (operation, ending, line) => {
  const { receipt } = (await preauthorise(1_000n)).intent;
  rig.fates.push('answerLost', 'answerLost');
  const amount = operation === 'release' ? {} : { amount: eur(200n) };
  const first = await follow({ receipt, operation, ...amount });
  expect([endingOf(first), run.outbox.waiting().map(({ kind }) => kind)]).toEqual(['unknown unanswered', ['repeat']]);
  await run.passTime(2);
  expect(run.says(first.intent.sale).ending).toBe(ending);
  expect(bookings()).toEqual(['PA 10.00', line]);
});

test.each(['preauthorisation', 'credit'] as const)(
  'a %s whose answers were lost is reversed, because its customer will not wait',
  async (operation) => {
    rig.fates.push('answerLost', 'answerLost');
    const till = run.till;
    const how = { amount: eur(1_000n) };
    const lost = await waitForEnd(operation === 'credit' ? till.credit(how, noop) : till.preauthorise(how, noop));
    expect([endingOf(lost), run.outbox.waiting().map(({ kind }) => kind)]).toEqual([
      'unknown unanswered',
      ['reversal'],
    ]);
    await run.passTime(2);
    expect(run.says(lost.intent.sale).ending).toBe('declined reversed');
    expect(bookings()).toEqual([`${operation === 'credit' ? 'CD' : 'PA'} 10.00`, 'RV 10.00']);
  },
);

test('an increment with an unknown outcome does not count as held, and the release covers it', async () => {
  const { receipt } = (await preauthorise(1_000n)).intent;
  rig.fates.push('answerLost', 'answerLost');
  await follow({ receipt, operation: 'increment', amount: eur(500n) });
  const complete = (minor: bigint) => () =>
    run.till.follow({ receipt, operation: 'completion', amount: eur(minor) }, noop);
  expect(faultOf(complete(1_001n))).toContain('At most 10.00 EUR');
  const release = await follow({ receipt, operation: 'release' });
  expect(endingOf(release)).toBe('approved released');
  expect(bookings()).toEqual(['PA 10.00', 'PA 5.00', 'RV 15.00']);
});

test('the tip is part of the requested amount, and recorded separately', async () => {
  const { intent } = await waitForEnd(run.till.sell({ amount: eur(1_000n), tip: eur(150n), cashier: 'Ada' }, noop));
  expect([intent.amount, intent.tip, intent.cashier]).toEqual([eur(1_150n), eur(150n), 'Ada']);
  expect(bookings()).toEqual(['DB 11.50']);
  const sellNegativeTip = () => run.till.sell({ amount: eur(1_000n), tip: eur(-1n) }, noop);
  expect(faultOf(sellNegativeTip)).toContain('amount.unpositive');
  const sellForeignTip = () => run.till.sell({ amount: eur(1_000n), tip: { minor: 1n, currency: 'USD' } }, noop);
  expect(faultOf(sellForeignTip)).toContain('currency.differs');
});

test.each(['requestLost', 'answerLost'] as const)(
  'raising a hold that the gateway lost ends by itself: %s',
  async (fate) => {
    const hold = await preauthorise(1_000n);
    (rig.host.books as unknown[]).length = 0;
    rig.fates.push(fate, fate);
    const more = await follow({ receipt: hold.intent.receipt, operation: 'increment', amount: eur(500n) });
    expect(endingOf(more)).toBe('unknown unanswered');
    // While the first request may still be in transit, a refusal of the second proves nothing.
    await run.drain();
    expect(run.says(more.intent.sale).ending).toBe('unknown unanswered');
    await run.passTime(4);
    expect(run.says(more.intent.sale).ending).toBe('declined declinedByHost');
    expect(run.ledger.openSales()).toEqual([]);
    expect(run.outbox.waiting()).toEqual([]);
  },
);

test.each([
  ['reversed', 'approved released'],
  ['lost', 'approved released'],
  ['completed', 'declined refusedByHost'],
])('a hold that the gateway has %s without the till: its release is %s', async (how, ending) => {
  const { answer, intent } = await preauthorise(1_000n);
  const payment = answer?.payment ?? '';
  if (how === 'lost') (rig.host.books as unknown[]).length = 0;
  if (how === 'reversed') await rig.clock.until(rig.host.refer(payment, { paymentType: 'RV' }, 'behind'));
  if (how === 'completed')
    await rig.clock.until(rig.host.refer(payment, { paymentType: 'CP', amount: '10.00', currency: 'EUR' }, 'behind'));
  expect(endingOf(await follow({ receipt: intent.receipt, operation: 'release' }))).toBe(ending);
  expect(run.ledger.openSales()).toEqual([]);
});
