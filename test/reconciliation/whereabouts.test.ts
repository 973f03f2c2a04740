/** Every cent of every intent is in exactly one place, and in the right one. */
import { expect, test } from 'vitest';
import { caseOf, places } from '../../src/reconciliation/places.ts';
import {
  type Buckets,
  buckets,
  computeWhereabouts,
  type IntentMoney,
  isWhole,
  whereabouts,
} from '../../src/reconciliation/whereabouts.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { cases, events, follower, saleAfter, saleIn } from './sale-cases.ts';

const nonZeroBuckets = (all: Buckets): Partial<Buckets> =>
  Object.fromEntries(buckets.flatMap((name) => (all[name] === 0n ? [] : [[name, all[name]]])));

test.each(Object.keys(cases) as (keyof typeof cases)[])(
  '%s is recognised, and its money is where its row says',
  (name) => {
    const sale = saleIn(name);
    expect(caseOf(sale)).toBe(name);
    expect(nonZeroBuckets(whereabouts(sale).buckets)).toEqual({ [places[name].place]: 1_000n });
  },
);

test('a contradicted decision of a person, and an unforeseen case, are unknown', () => {
  const sale = saleIn('approved');
  if (sale.at !== 'ended') throw new Error('it has ended');
  expect(caseOf({ ...sale, differs: 'the gateway says no' })).toBe('contradicted');
  expect(caseOf({ ...sale, ending: 'something new' as 'approved' })).toBe('unforeseen');
  expect(places.unforeseen.place).toBe('unknown');
  expect(places.contradicted.place).toBe('unknown');
});

const refund = (minor: bigint) => follower('refund', minor);
const followerWith = (operation: 'refund' | 'void', minor: bigint) =>
  follower(operation, minor, [events.silent, events.silent]);

const hold = saleAfter(cases.approved, { operation: 'preauthorisation' });
const partial = saleAfter([
  events.read,
  { on: 'hostApproved', answer: { ...events.answer, approved: { minor: 600n, currency: 'EUR' } } },
  events.done,
]);

test.each([
  ['a refund', saleIn('approved'), [refund(300n)], { approved: 700n, refunded: 300n }],
  ['several refunds', saleIn('approved'), [refund(300n), refund(700n)], { refunded: 1_000n }],
  ['an unresolved refund', saleIn('approved'), [followerWith('refund', 300n)], { approved: 700n, unknown: 300n }],
  [
    'a refund and an unresolved one',
    saleIn('approved'),
    [refund(300n), followerWith('refund', 300n)],
    { approved: 400n, refunded: 300n, unknown: 300n },
  ],
  ['a declined refund', saleIn('approved'), [follower('refund', 300n, [events.declined])], { approved: 1_000n }],
  ['a void', saleIn('approved'), [follower('void', 1_000n)], { reversed: 1_000n }],
  ['an unresolved void', saleIn('approved'), [followerWith('void', 1_000n)], { unknown: 1_000n }],
  ['an unresolved refund of a declined sale', saleIn('declined'), [followerWith('refund', 300n)], { declined: 1_000n }],
  ['a tip', saleAfter(cases.approved, { tip: { minor: 100n, currency: 'EUR' } }), [], { approved: 1_000n }],
  ['a partial approval', partial, [], { approved: 600n, declined: 400n }],
  ['a partial approval, refunded', partial, [refund(600n)], { declined: 400n, refunded: 600n }],
  ['a preauthorisation', hold, [], { held: 1_000n }],
  ['an increment', hold, [follower('increment', 200n)], { held: 1_200n }],
  ['a completion', hold, [follower('completion', 700n)], { held: 300n, completed: 700n }],
  ['a completion of more than is held', hold, [follower('completion', 1_100n)], { completed: 1_000n }],
  ['a release', hold, [follower('release', 1_000n)], { released: 1_000n }],
  [
    'a completion, then a release',
    hold,
    [follower('completion', 700n), follower('release', 300n)],
    { completed: 700n, released: 300n },
  ],
])('%s', (_, sale, followers, expected) => {
  const found = whereabouts(sale, followers);
  expect(nonZeroBuckets(found.buckets)).toEqual(expected);
  expect(isWhole(found)).toBe(true);
});

test('a void that removed a stored sale from the queue moved nothing either', () => {
  const toVoid = { operation: 'void', follows: { sale: 'a'.repeat(32), payment: '', receipt: 1 } } as const;
  const withdrawn = saleAfter([{ on: 'withdrawn' }], toVoid);
  expect(withdrawn).toMatchObject({ at: 'ended', ending: 'approved' });
  expect(nonZeroBuckets(whereabouts(withdrawn).buckets)).toEqual({ notSent: 1_000n });
  expect(nonZeroBuckets(whereabouts(saleIn('withdrawn'), [withdrawn]).buckets)).toEqual({ notSent: 1_000n });
});

test('an account with more given back than there was is not whole', () => {
  const found = whereabouts(saleIn('approved'), [refund(700n), refund(400n)]);
  expect(found.missing).toBe(100n);
  expect(isWhole(found)).toBe(false);
});

test('an amount that a terminal took beyond the intent is separate, and still counted', () => {
  const own: IntentMoney = {
    operation: 'sale',
    currency: 'EUR',
    intended: 1_000n,
    place: 'approved',
    approved: 1_200n,
    final: false,
  };
  const found = computeWhereabouts(own, []);
  expect(found).toMatchObject({ intended: 1_000n, beyond: 200n });
  expect(isWhole(found)).toBe(true);
});

test('in any sequence of operations no cent is lost and none is doubled', () => {
  const chance = dice(SEED);
  const randomPlace = () => chance.one(['notSent', 'unknown', 'approved', 'declined', 'reversed'] as const);
  const randomMoney = (operation: IntentMoney['operation'], most: number): IntentMoney => {
    const intended = BigInt(chance.between(1, most));
    const at = randomPlace();
    const part = chance.percent(20) ? intended / 2n : intended;
    const final = operation === 'completion' && chance.percent(30);
    return { operation, currency: 'EUR', intended, place: at, approved: at === 'approved' ? part : 0n, final };
  };
  for (let round = 0; round < 3_000; round += 1) {
    const isHold = chance.percent(40);
    const own = randomMoney(isHold ? 'preauthorisation' : 'sale', 1_000);
    const kinds = isHold ? (['increment', 'completion', 'release'] as const) : (['refund', 'void'] as const);
    const followers = Array.from({ length: chance.between(0, 4) }, () => randomMoney(chance.one(kinds), 100));
    const givenBack = followers.reduce(
      (sum, { operation, approved }) => sum + (operation === 'refund' ? approved : 0n),
      0n,
    );
    const found = computeWhereabouts(own, followers);
    expect(isWhole(found), `seed ${SEED}, round ${round}`).toBe(isHold || givenBack <= own.approved);
  }
});
