/** A bill of several payments and an open hold, according to their payments. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HostAnswer, Intent, Operation } from '../../src/till/machine/facts.ts';
import type { EndedSale, Sale } from '../../src/till/machine/sale.ts';
import { billOf, billPartOf, chargedOn, holdOf, type PaymentWithFollowers } from '../../src/till/payments.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const answer: HostAnswer = { code: '000.100.110', description: 'done', payment: 'p' };

const intent = (operation: Operation, minor: bigint, more: Partial<Intent> = {}): Intent => ({
  ...{ sale: 's1', operation, amount: eur(minor), terminalId: '1', sequence: 1, receipt: 1, key: 'k', at: 0 },
  gateway: 'g',
  ...more,
});

type How = EndedSale['ending'] | 'open' | `part ${number}`;

const sale = (operation: Operation, minor: bigint, how: How = 'approved', more: Partial<Intent> = {}): Sale => {
  const startedIntent = intent(operation, minor, more);
  if (how === 'open')
    return { at: 'authorising', intent: startedIntent, tries: 1, cancelled: false, chipIsDone: false };
  const [, part] = /^part (\d+)$/.exec(how) ?? [];
  if (part === undefined)
    return { at: 'ended', intent: startedIntent, ending: how as EndedSale['ending'], reason: 'approved' };
  const reported = { ...answer, approved: eur(BigInt(part)) };
  return { at: 'ended', intent: startedIntent, ending: 'approved', reason: 'approved', answer: reported };
};

const withoutFollowers = (one: Sale): PaymentWithFollowers => ({ sale: one, followers: [] });
const bill = (total: bigint, ...payments: PaymentWithFollowers[]) => billOf({ id: 's1', total: eur(total) }, payments);

describe('a bill', () => {
  type Row = readonly [says: string, payments: PaymentWithFollowers[], paid: bigint, unknown: bigint, left: bigint];
  const billPart = (tip: bigint) => ({ bill: { id: 's1', total: eur(100n) }, tip: eur(tip) });
  const paymentOf = (minor: bigint, ...followers: Sale[]): PaymentWithFollowers => ({
    sale: sale('sale', minor),
    followers,
  });
  const rows: readonly Row[] = [
    ['nothing yet', [], 0n, 0n, 100n],
    ['one leg', [paymentOf(60n)], 60n, 0n, 40n],
    ['two legs', [paymentOf(60n), paymentOf(40n)], 100n, 0n, 0n],
    ['a part of the requested amount', [withoutFollowers(sale('sale', 100n, 'part 30'))], 30n, 0n, 70n],
    ['a leg that was declined', [paymentOf(60n), withoutFollowers(sale('sale', 40n, 'declined'))], 60n, 0n, 40n],
    ['a leg that was not sent', [withoutFollowers(sale('sale', 40n, 'notSent'))], 0n, 0n, 100n],
    ['a leg that is unknown', [paymentOf(60n), withoutFollowers(sale('sale', 40n, 'unknown'))], 60n, 40n, 0n],
    ['a leg in progress', [withoutFollowers(sale('sale', 40n, 'open'))], 0n, 40n, 60n],
    ['a leg that was voided', [paymentOf(60n, sale('void', 60n)), paymentOf(40n)], 40n, 0n, 60n],
    ['a void that was declined', [paymentOf(60n, sale('void', 60n, 'declined'))], 60n, 0n, 40n],
    ['a void with an unknown outcome', [paymentOf(60n, sale('void', 60n, 'unknown'))], 0n, 60n, 40n],
    ['money back for goods', [paymentOf(100n, sale('refund', 30n))], 100n, 0n, 0n],
    ['a tip in addition', [withoutFollowers(sale('sale', 70n, 'approved', billPart(10n)))], 60n, 0n, 40n],
    ['a part of goods and tip', [withoutFollowers(sale('sale', 70n, 'part 65', billPart(10n)))], 60n, 0n, 40n],
    ['only a part of the goods', [withoutFollowers(sale('sale', 70n, 'part 50', billPart(10n)))], 50n, 0n, 50n],
    ['unknown, with a tip', [withoutFollowers(sale('sale', 70n, 'unknown', billPart(10n)))], 0n, 60n, 40n],
    ['more than the bill', [paymentOf(120n)], 120n, 0n, 0n],
  ];
  test.each(rows)('%s', (_, payments, ...sums) => {
    const { paid: is, unknown, left } = bill(100n, ...payments);
    expect([is.minor, unknown.minor, left.minor]).toEqual(sums);
  });

  test('a single sale makes no bill; a partially approved one does', () => {
    expect(billPartOf(sale('sale', 100n))).toBeUndefined();
    expect(billPartOf(sale('sale', 100n, 'part 30'))).toEqual({ id: 's1', total: eur(100n) });
    const part = { id: 's0', total: eur(300n) };
    expect(billPartOf(sale('sale', 100n, 'part 30', { bill: part }))).toEqual(part);
  });

  test('paid, unknown and left add up to the bill, unless it is overpaid', () => {
    const hows: How[] = ['approved', 'declined', 'notSent', 'unknown', 'open', 'part 3'];
    const legs = fc.array(fc.tuple(fc.bigInt(4n, 40n), fc.constantFrom(...hows), fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(legs, (drawnLegs) => {
        const payments = drawnLegs.map(([minor, how, voided]) => ({
          sale: sale('sale', minor, how),
          followers: voided ? [sale('void', minor)] : [],
        }));
        const { total, paid: is, unknown, left } = bill(240n, ...payments);
        expect(is.minor + unknown.minor + left.minor).toBe(total.minor);
      }),
    );
  });
});

test('the amount that a terminal reports counts, not the requested one', () => {
  const payment = { amount: eur(90n), receiptNumber: '0001' };
  const takenSale: Sale = { ...sale('sale', 100n), terminal: { device: 'ZVT 1', before: { text: 'none' }, payment } };
  expect(chargedOn(takenSale)).toEqual(eur(90n));
  expect(bill(100n, withoutFollowers(takenSale))).toMatchObject({ paid: eur(90n), left: eur(10n) });
});

describe('a hold', () => {
  const start = (how: How = 'approved') => sale('preauthorisation', 100n, how, { at: 1_000 });
  type Row = readonly [says: string, followers: Sale[], held: bigint, completed: bigint, left: bigint, state: string];
  const rows: readonly Row[] = [
    ['alone', [], 100n, 0n, 100n, 'open'],
    ['raised', [sale('increment', 20n)], 120n, 0n, 120n, 'open'],
    ['not raised', [sale('increment', 20n, 'declined')], 100n, 0n, 100n, 'open'],
    ['perhaps raised', [sale('increment', 20n, 'unknown')], 100n, 0n, 100n, 'unknown'],
    ['completed', [sale('completion', 100n)], 100n, 100n, 0n, 'completed'],
    ['completed in part', [sale('completion', 60n)], 100n, 60n, 40n, 'open'],
    ['perhaps completed', [sale('completion', 60n, 'unknown')], 100n, 0n, 40n, 'unknown'],
    ['released', [sale('release', 100n)], 100n, 0n, 0n, 'released'],
    ['not released', [sale('release', 100n, 'declined')], 100n, 0n, 100n, 'open'],
    // An amount that may be gone cannot be charged.
    ['perhaps released', [sale('release', 100n, 'unknown')], 100n, 0n, 0n, 'unknown'],
    [
      'partially completed, perhaps released',
      [sale('completion', 60n), sale('release', 40n, 'unknown')],
      100n,
      60n,
      0n,
      'unknown',
    ],
  ];
  test.each(rows)('%s', (_, followers, held, completed, left, state) => {
    const hold = holdOf({ sale: start(), followers }, 7);
    expect([hold.held.minor, hold.completed.minor, hold.left.minor]).toEqual([held, completed, left]);
    expect(hold.state).toBe(state);
    expect(hold.expiresAt).toBe(1_000 + 7 * 86_400_000);
  });

  test('of less than requested is the approved amount', () => {
    expect(holdOf(withoutFollowers(start('part 30')), 7)).toMatchObject({
      held: eur(30n),
      left: eur(30n),
      state: 'open',
    });
  });

  test('that was declined does not exist, one without an ending is unknown', () => {
    expect(holdOf(withoutFollowers(start('declined')), 7)).toMatchObject({ held: eur(0n), state: 'none' });
    expect(holdOf(withoutFollowers(start('unknown')), 7)).toMatchObject({ held: eur(0n), state: 'unknown' });
  });
});
