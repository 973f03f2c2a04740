/** How much of a sale is unpaid, and its state after new sales and a person's decision: tables, without a till. */
import { describe, expect, test } from 'vitest';
import { unpaidOf } from '../../src/offline/unpaid.ts';
import { missingOf } from '../../src/till/machine/ended-rules.ts';
import type { HostAnswer, Intent, Operation } from '../../src/till/machine/facts.ts';
import type { EndedSale } from '../../src/till/machine/states.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const intent = (operation: Operation, minor: bigint, more: Partial<Intent> = {}): Intent => ({
  ...{ sale: `${operation} ${minor}`, operation, amount: eur(minor), terminalId: '1', sequence: 1, receipt: 1 },
  ...{ key: 'k', at: 0, gateway: 'twin' },
  ...more,
});
const sale = (how: Partial<EndedSale>, more: Partial<Intent> = {}): EndedSale => ({
  ...{ at: 'ended', intent: intent('sale', 1_000n, more), ending: 'approved', reason: 'approved' },
  ...how,
});

const answer: HostAnswer = { code: '800.100.155', description: 'no money' };
const declinedAnswer = { approved: false, answer };
const approvedAnswer = { approved: true, answer };
const part = { approved: true, answer: { ...answer, approved: eur(300n) } };
const takenOffline = { offline: 'deferred', reason: 'takenOffline' } as const;
const declined = {
  ...takenOffline,
  ending: 'declined',
  reason: 'declinedOnForwarding',
  forwarded: declinedAnswer,
} as const;
const goodsGiven = { ending: 'notSent', goodsLeft: true } as const;
const settlement = { charged: false, who: 'Max', role: 'manager', reason: 'r', evidence: 'e' };

describe('what is missing of', () => {
  const rows: [what: string, sale: EndedSale, minor: bigint | undefined][] = [
    ['an approved sale', sale({}), undefined],
    ['a declined one', sale({ ending: 'declined', reason: 'declinedByHost' }), undefined],
    ['a sale that waits to be sent', sale(takenOffline), undefined],
    ['a sale that was sent and approved', sale({ ...takenOffline, forwarded: approvedAnswer }), undefined],
    ['a sale that was sent and approved in part', sale({ ...takenOffline, forwarded: part }), 700n],
    ['a sale that was sent and declined', sale(declined), 1_000n],
    ['the same, approved by the chip', sale({ ...declined, offline: 'chip' }), 1_000n],
    ['a sale that was not sent in time', sale({ ...goodsGiven, reason: 'cardDataExpired' }), 1_000n],
    ['a sale that a person gave up', sale({ ...goodsGiven, reason: 'personSaidNot', forced: settlement }), 1_000n],
    [
      'a sale given up, where the gateway says otherwise',
      sale({ ...goodsGiven, reason: 'personSaidNot', differs: 'x' }),
      undefined,
    ],
    [
      'a sale given up, whose approved amount is being returned',
      sale({ ...goodsGiven, reason: 'approvedLate', reversal: 'due' }),
      undefined,
    ],
    [
      'a sale given up, whose amount was returned',
      sale({ ...goodsGiven, reason: 'approvedLate', reversal: 'done' }),
      1_000n,
    ],
    ['a sale that a newer version has written about', sale({ ...declined, unread: 'x' }), undefined],
    ['a refund that was stored and refused', sale({ ...declined, offline: 'stored' }), undefined],
    ['a sale that charges another one again', sale(declined, { chargesAgain: { sale: 'x', receipt: 7 } }), undefined],
  ];
  test.each(rows)('%s', (_, one, minor) => expect(missingOf(one)?.minor).toBe(minor));
});

const tryOf = (minor: bigint, how: Partial<EndedSale>, followers: EndedSale[] = []) => ({
  sale: { ...sale(how), intent: intent('sale', minor, { chargesAgain: { sale: 's', receipt: 1 } }) } as EndedSale,
  followers,
});
const follower = (operation: 'void' | 'refund', minor: bigint, how: Partial<EndedSale>): EndedSale => ({
  ...sale(how),
  intent: intent(operation, minor, { follows: { sale: 's', payment: 'p', receipt: 2 } }),
});
const end = { how: 'writtenOff', who: 'Max', role: 'manager', reason: 'gone' } as const;
const failed = { ending: 'declined', reason: 'declinedByHost' } as const;
const unknown = { ending: 'unknown', reason: 'unanswered' } as const;

describe('an unpaid sale of 10.00, after', () => {
  const rows: [after: string, tries: ReturnType<typeof tryOf>[], state: string, missing: bigint][] = [
    ['nothing', [], 'open', 1_000n],
    ['a new sale that is declined', [tryOf(1_000n, failed)], 'open', 1_000n],
    ['a new sale without an answer', [tryOf(1_000n, unknown)], 'charging', 1_000n],
    ['a new sale that is being reversed', [tryOf(1_000n, { ...failed, reversal: 'due' })], 'charging', 1_000n],
    ['a new sale that was reversed', [tryOf(1_000n, { ...failed, reversal: 'done' })], 'open', 1_000n],
    ['a new sale that is stored in its turn', [tryOf(1_000n, takenOffline)], 'charging', 1_000n],
    ['a new sale that is stored and then declined', [tryOf(1_000n, declined)], 'open', 1_000n],
    [
      'a new sale that is stored and then approved',
      [tryOf(1_000n, { ...takenOffline, forwarded: approvedAnswer })],
      'chargedAgain',
      0n,
    ],
    ['a new sale that is approved', [tryOf(1_000n, {})], 'chargedAgain', 0n],
    ['a new sale of a part', [tryOf(400n, {})], 'open', 600n],
    ['two of parts', [tryOf(400n, {}), tryOf(600n, {})], 'chargedAgain', 0n],
    ['a new sale that was approved in part', [tryOf(1_000n, { answer: part.answer })], 'open', 700n],
    ['a new sale that was voided', [tryOf(1_000n, {}, [follower('void', 1_000n, {})])], 'open', 1_000n],
    [
      'a new sale whose void has no answer',
      [tryOf(1_000n, {}, [follower('void', 1_000n, unknown)])],
      'charging',
      1_000n,
    ],
    ['a new sale that was refunded', [tryOf(1_000n, {}, [follower('refund', 1_000n, {})])], 'chargedAgain', 0n],
    ['a declined one and an approved one', [tryOf(1_000n, failed), tryOf(1_000n, {})], 'chargedAgain', 0n],
  ];
  test.each(rows)('%s', (_, tries, state, missing) => {
    const now = unpaidOf(sale(declined), tries);
    expect([now?.state, now?.missing.minor]).toEqual([state, missing]);
    // A person's decision is final for the amount missing at that time.
    const ended = unpaidOf(sale({ ...declined, unpaidEnd: end }), tries);
    expect([ended?.state, ended?.missing.minor]).toEqual(['writtenOff', missing]);
  });
});
