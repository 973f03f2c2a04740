/**
 * *Charge again* with another card: recognised by what is stored of the card number, and counted separately in scheme
 * limits.
 */
import { describe, expect, test } from 'vitest';
import { isOtherCard, otherCardOf, otherCardsOf } from '../../src/offline/unpaid.ts';
import { mayCharge } from '../../src/offline/unpaid-sales.ts';
import type { CardFacts } from '../../src/till/machine/facts.ts';
import type { EndedSale } from '../../src/till/machine/states.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const sale = (
  maskedPan: string | undefined,
  more: Partial<CardFacts> = {},
  how: Partial<EndedSale> = {},
): EndedSale => ({
  ...{ at: 'ended', ending: 'declined', reason: 'declinedOnForwarding' },
  intent: {
    ...{ sale: 's', operation: 'sale', amount: { minor: 1_000n, currency: 'EUR' }, terminalId: '1', sequence: 1 },
    ...{ receipt: 7, key: 'k', at: 0, gateway: 'twin' },
  },
  card: maskedPan === undefined ? undefined : { entryMode: 'ICC', maskedPan, verification: 'none', ...more },
  ...how,
});

describe('two cards stored as', () => {
  const rows: [one: string | undefined, other: string | undefined, otherCard: string | undefined][] = [
    ['476173******0010', '476173******0010', undefined],
    ['476173******0010', '476173******0028', '0010 0028'],
    ['476173******0010', '541333******0010', '0010 0010'],
    // Terminals can mask more or fewer digits.
    ['************0010', '476173******0010', undefined],
    ['0010', '476173******0010', undefined],
    ['***********0010', '476173******0010', undefined],
    ['************0010', '476173******1111', '0010 1111'],
    ['476173******0010', undefined, undefined],
    [undefined, '476173******0010', undefined],
    ['476173******0010', '****', undefined],
  ];
  test.each(rows)('%s and %s: %s', (one, other, expected) => {
    const found = otherCardOf(sale(one), sale(other));
    expect(found && `${found.before} ${found.now}`).toBe(expected);
  });

  test('count as two cards for the scheme when only their sequence numbers differ', () => {
    const [first, second] = [
      sale('476173******0010', { panSequence: '01' }),
      sale('476173******0010', { panSequence: '02' }),
    ];
    expect(otherCardOf(first, second)).toBeUndefined();
    expect([isOtherCard(first, second), isOtherCard(first, first)]).toEqual([true, false]);
  });
});

describe('the scheme’s limits follow the card', () => {
  const clock = virtualClock(Date.UTC(2026, 10, 1));
  const tries = { note() {}, of: () => [] };
  const [own, other] = ['476173******0010', '541333******1111'];
  const declined = (pan: string, response: string): EndedSale =>
    sale(pan, {}, { answer: { code: '800.100.155', description: 'no', response } });
  const unpaid = sale(
    own,
    {},
    { offline: 'deferred', forwarded: { approved: false, answer: { code: '800.100.155', description: 'no' } } },
  );
  unpaid.intent = { ...unpaid.intent, at: clock.now() };
  const kindAfter = (...again: EndedSale[]): string =>
    mayCharge({ tries, clock }, { sale: unpaid, state: 'open', missing: unpaid.intent.amount, tries: again }).kind;

  test('a ban on another card does not apply to this one', () => {
    expect(kindAfter()).toBe('now');
    expect(kindAfter(declined(own, '43'))).toBe('never');
    expect(kindAfter(declined(other, '43'))).toBe('now');
    // An unknown card may be this one.
    expect(kindAfter({ ...declined(own, '43'), card: undefined } as never)).toBe('never');
  });

  test('tries with another card do not count for this one', () => {
    const twenty = (pan: string) =>
      Array.from({ length: 20 }, () => declined(pan, '51')).map((one) => ({
        ...one,
        intent: { ...one.intent, at: clock.now() },
      }));
    expect(kindAfter(...twenty(own))).not.toBe('now');
    expect(kindAfter(...twenty(other))).toBe('now');
  });

  test('tries with another card are listed, oldest first', () => {
    expect(otherCardsOf({ sale: unpaid, tries: [declined(own, '51'), declined(other, '51')] })).toEqual([
      { receipt: 7, before: '0010', now: '1111' },
    ]);
  });
});
