/** Each limit alone against what was taken before: inside, at and beyond it; and its effect on the other kind. */
import { describe, expect, test } from 'vitest';
import {
  type KindExposure,
  type KindLimits,
  kindOff,
  noExposure,
  noKindExposure,
  type Sum,
} from '../../src/till/offline/limits.ts';
import { eur, limits, openKind, summaryOf, verdictOn } from '../support/till/offline-questions.ts';

/** Each limit of a kind: the field of its cap, of its exposure, its code, and its text. */
const sums = [
  ['total', (cap) => ({ total: cap }), 'total', 'total', 'already wait to be sent'],
  ['per card', (cap) => ({ perCard: cap }), 'card', 'perCard', 'of this card already wait to be sent'],
  ['per cashier', (cap) => ({ perCashier: cap }), 'cashier', 'perCashier', 'of this cashier already wait to be sent'],
  ['per hour', (cap) => ({ perHour: cap }), 'hour', 'perHour', 'were already taken in the last hour'],
  ['per day', (cap) => ({ perDay: cap }), 'day', 'perDay', 'were already taken today'],
  ['brand', (cap) => ({ brands: { VISA: cap } }), 'brand', 'brand', 'with VISA cards already wait to be sent'],
  ['other brands', (cap) => ({ brands: { other: cap } }), 'brand', 'brand', 'with VISA cards already wait to be sent'],
  [
    'card type',
    (cap) => ({ cardTypes: { unknown: cap } }),
    'cardType',
    'cardType',
    'with cards that may be debit or credit already wait to be sent',
  ],
  [
    'entry mode',
    (cap) => ({ entryModes: { ICC: cap } }),
    'entryMode',
    'entryMode',
    'with inserted cards already wait to be sent',
  ],
] as const satisfies readonly (readonly [
  string,
  (cap: { minor?: bigint; count?: number }) => Partial<KindLimits>,
  keyof KindExposure,
  string,
  string,
])[];

describe.each(sums)('%s', (_, capped, place, code, words) => {
  const at = (cap: { minor?: bigint; count?: number }, used: Sum) =>
    summaryOf(
      verdictOn({
        facts: {
          limits: { ...limits, chip: { ...openKind, ...capped(cap) }, deferred: kindOff },
          exposure: { ...noExposure, chip: { ...noKindExposure, [place]: used } },
        },
      }),
    );
  test.each([
    ['inside the sum', { minor: 1_000n }, { minor: 899n, count: 3 }, 'chip'],
    ['at the sum', { minor: 1_000n }, { minor: 900n, count: 3 }, 'chip'],
    ['beyond the sum', { minor: 1_000n }, { minor: 901n, count: 3 }, `${code}: 9.01 EUR of offline sales ${words}`],
    ['the last place', { count: 3 }, { minor: 1n, count: 2 }, 'chip'],
    ['no place left', { count: 3 }, { minor: 1n, count: 3 }, `${code}: 3 offline sales ${words}`],
    ['one place, taken', { count: 1 }, { minor: 1n, count: 1 }, `${code}: 1 offline sale ${words}`],
  ] as const)('%s', (_, cap, used, says) => expect(at(cap, used)).toBe(says));

  test('does not affect the other kind', () => {
    const facts = {
      limits: { ...limits, chip: { ...openKind, ...capped({ count: 1 }) } },
      exposure: { ...noExposure, chip: { ...noKindExposure, [place]: { minor: 1n, count: 1 } } },
    };
    expect(summaryOf(verdictOn({ facts }))).toBe('deferred');
  });
});

test('both kinds together', () => {
  const used = { ...noKindExposure, total: { minor: 450n, count: 2 } };
  const facts = {
    limits: { ...limits, together: { minor: 1_000n } },
    exposure: { ...noExposure, chip: used, deferred: used },
  };
  expect(summaryOf(verdictOn({ facts }))).toBe('chip deferred');
  expect(summaryOf(verdictOn({ facts, ask: { amount: eur(101n) } }))).toBe(
    'together: 9.00 EUR of offline sales already wait to be sent',
  );
});

test.each([
  ['a brand for one sale', { brands: { VISA: { upToMinor: 99n } } }, 'one offline sale with VISA cards is 0.99 EUR'],
  ['a brand that is refused', { brands: { VISA: { upToMinor: 0n } } }, 'one offline sale with VISA cards is 0.00 EUR'],
  ['a named brand before the others', { brands: { VISA: {}, other: { upToMinor: 0n } } }, undefined],
  ['a name that every object inherits', { brands: {}, cardTypes: {}, entryModes: {} }, undefined],
] as const)('%s', (_, caps, words) => {
  const verdict = verdictOn({ facts: { limits: { ...limits, chip: { ...openKind, ...caps }, deferred: kindOff } } });
  expect(summaryOf(verdict)).toBe(words === undefined ? 'chip' : `brand: the store’s limit for ${words}`);
});
