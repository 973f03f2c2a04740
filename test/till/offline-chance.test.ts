/** The offline rules with random limits and exposures: an approval keeps every limit, and more never helps. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OfflineVerdict } from '../../src/till/machine/offline-facts.ts';
import type { Exposure, KindExposure, KindLimits } from '../../src/till/offline/limits.ts';
import { eur, limits, verdictOn } from '../support/till/offline-questions.ts';

const anySum = fc.record({ minor: fc.bigInt(0n, 3_000n), count: fc.nat(6) });
const anyCap = fc.record({ minor: fc.bigInt(0n, 3_000n), count: fc.nat(6) }, { requiredKeys: [] });
const anyGroup = fc.record(
  { upToMinor: fc.bigInt(0n, 2_000n), minor: fc.bigInt(0n, 3_000n), count: fc.nat(6) },
  { requiredKeys: [] },
);
const anyKind: fc.Arbitrary<KindLimits> = fc.record({
  upToMinor: fc.bigInt(0n, 2_000n),
  total: anyCap,
  perCard: anyCap,
  perCashier: anyCap,
  perHour: anyCap,
  perDay: anyCap,
  brands: fc.dictionary(fc.constantFrom('VISA', 'MAESTRO', 'other'), anyGroup),
  cardTypes: fc.dictionary(fc.constantFrom('debit', 'unknown', 'other'), anyGroup),
  entryModes: fc.dictionary(fc.constantFrom('ICC', 'NFC_ICC'), anyGroup),
});
const places = ['total', 'card', 'cashier', 'brand', 'cardType', 'entryMode', 'hour', 'day'] as const;
const anyUsed = fc.record(Object.fromEntries(places.map((place) => [place, anySum]))) as fc.Arbitrary<KindExposure>;
const anyExposure: fc.Arbitrary<Exposure> = fc.record({ chip: anyUsed, deferred: anyUsed, refunds: anySum });
const anyLimits = fc
  .record({ chip: anyKind, deferred: anyKind, together: anyCap })
  .map((overrides) => ({ ...limits, ...overrides }));
const amounts = fc.bigInt(1n, 2_500n).map(eur);

const take = (used: KindExposure, minor: bigint): KindExposure =>
  Object.fromEntries(
    Object.entries(used).map(([place, sum]) => [place, { minor: sum.minor + minor, count: sum.count + 1 }]),
  ) as KindExposure;

/** Every cap that applies to the card of these tests, computed from the limits themselves. */
const holds = (of: KindLimits, used: KindExposure): boolean => {
  const group = (caps: KindLimits['brands'], name: string) => caps[name] ?? caps['other'] ?? {};
  return (
    [
      [of.total, used.total],
      [of.perCard, used.card],
      [of.perCashier, used.cashier],
      [of.perHour, used.hour],
      [of.perDay, used.day],
      [group(of.brands, 'VISA'), used.brand],
      [group(of.cardTypes, 'unknown'), used.cardType],
      [group(of.entryModes, 'ICC'), used.entryMode],
    ] as const
  ).every(([cap, sum]) => sum.minor <= (cap.minor ?? sum.minor) && sum.count <= (cap.count ?? sum.count));
};

describe('whatever the limits', () => {
  test('after an approval every limit still holds', () =>
    fc.assert(
      fc.property(anyLimits, anyExposure, amounts, (limits, exposure, amount) => {
        const verdict = verdictOn({ ask: { amount }, facts: { limits, exposure } });
        if (verdict.kind !== 'allowed') return;
        for (const kind of ['chip', 'deferred'] as const) {
          if (!verdict[kind]) continue;
          const after = { ...exposure, [kind]: take(exposure[kind], amount.minor) };
          const both = {
            minor: after.chip.total.minor + after.deferred.total.minor,
            count: after.chip.total.count + after.deferred.total.count,
          };
          expect(amount.minor <= limits[kind].upToMinor && holds(limits[kind], after[kind])).toBe(true);
          expect(both.minor <= (limits.together.minor ?? both.minor)).toBe(true);
          expect(both.count <= (limits.together.count ?? both.count)).toBe(true);
        }
      }),
      { numRuns: 500 },
    ));

  test('more exposure, a higher amount or a longer wait never turns a refusal into an approval', () =>
    fc.assert(
      fc.property(
        anyLimits,
        anyExposure,
        amounts,
        fc.constantFrom('chip', 'deferred'),
        fc.bigInt(0n, 500n),
        (limits, exposure, amount, kind, more) => {
          const before = verdictOn({ ask: { amount }, facts: { limits, exposure } });
          const later = verdictOn({
            ask: { amount: eur(amount.minor + more) },
            facts: { limits, exposure: { ...exposure, [kind]: take(exposure[kind as 'chip'], more) } },
          });
          const waysOf = (verdict: OfflineVerdict) => [
            verdict.kind === 'allowed' && verdict.chip,
            verdict.kind === 'allowed' && verdict.deferred,
          ];
          const [first, second] = [waysOf(before), waysOf(later)];
          expect(second.every((isYes, index) => !isYes || first[index])).toBe(true);
        },
      ),
      { numRuns: 500 },
    ));

  test('a refusal always has its code and its text, and what is left is never below zero', () =>
    fc.assert(
      fc.property(anyLimits, anyExposure, amounts, (limits, exposure, amount) => {
        const verdict = verdictOn({ ask: { amount }, facts: { limits, exposure } });
        if (verdict.kind === 'refused')
          expect([verdict.code, verdict.why].every((text) => text !== undefined && text !== '')).toBe(true);
        const left = [...(verdict.left?.chip ?? []), ...(verdict.left?.deferred ?? [])];
        expect(left.every(({ amount, count }) => (amount?.minor ?? 0n) >= 0n && (count ?? 0) >= 0)).toBe(true);
      }),
    ));
});
