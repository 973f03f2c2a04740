/** Which sales may go on without the gateway, apart from what was taken before: the card, the operation, the moment. */
import { describe, expect, test } from 'vitest';
import type { CardFacts } from '../../../src/till/machine/facts.ts';
import type { OfflineVerdict } from '../../../src/till/machine/offline-facts.ts';
import {
  defaultOfflineLimits,
  kindOff,
  noExposure,
  noKindExposure,
  type OfflineFacts,
  type OfflineLimits,
  type OfflineTry,
} from '../../../src/till/offline/limits.ts';
import { currentObjection, offlineVerdict } from '../../../src/till/offline/verdict.ts';
import {
  chip,
  eur,
  limits,
  moment,
  openKind,
  type QuestionParts,
  summaryOf,
  verdictOn,
} from '../../support/till/offline-questions.ts';

const withCard = (card: Partial<CardFacts>): QuestionParts => ({ ask: { card: { ...chip, ...card } } });
const withTvr = (tvr: string): QuestionParts => withCard({ tvr });

describe('the card', () => {
  const both = 'chip deferred';
  const rows: readonly (readonly [string, QuestionParts, string])[] = [
    ['a chip', {}, both],
    ['a tap', withCard({ entryMode: 'NFC_ICC' }), both],
    ['a stripe', withCard({ entryMode: 'MAGSTRIPE' }), 'entryMode: only chip cards can be taken offline'],
    ['a fallback', withCard({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }), 'entryMode: only chip cards can be taken offline'],
    ['stripe data by tap', withCard({ entryMode: 'NFC_MAGSTRIPE' }), 'entryMode: only chip cards can be taken offline'],
    ['a typed number', withCard({ entryMode: 'MANUAL' }), 'entryMode: only chip cards can be taken offline'],
    [
      'an online PIN',
      withCard({ verification: 'onlinePin' }),
      'onlinePin: this card’s PIN can only be checked by the bank',
    ],
    ['a signature', withCard({ verification: 'signature' }), both],
    ['account data that may hold a PIN', withCard({ mayHoldPin: true }), 'chip'],
    [
      'no results',
      { ask: { card: { entryMode: 'ICC', maskedPan: chip.maskedPan, verification: 'none' } } },
      'noResults: the terminal did not tell what it found when it checked the card',
    ],
    [
      'results cut short',
      withTvr('00000000'),
      'noResults: the terminal did not tell what it found when it checked the card',
    ],
    [
      'data not authenticated',
      withTvr('8000000000'),
      'dataAuthentication: the terminal did not prove that the card is genuine',
    ],
    [
      'data not authenticated, and the store accepts it',
      { ...withTvr('8000000000'), facts: { limits: { ...limits, withoutDataAuthentication: true } } },
      both,
    ],
    ...['4000000000', '0800000000', '0400000000'].flatMap((tvr) =>
      [false, true].map(
        (withoutDataAuthentication) =>
          [
            `data authentication failed ${tvr}, not performed taken: ${withoutDataAuthentication}`,
            { ...withTvr(tvr), facts: { limits: { ...limits, withoutDataAuthentication } } },
            'dataAuthentication: the terminal could not prove that the card is genuine',
          ] as const,
      ),
    ),
    ['data missing', withTvr('2000000000'), 'dataAuthentication: data are missing on the card'],
    [
      'on the exception file',
      withTvr('1000000000'),
      'onExceptionFile: the terminal has this card on its list of blocked cards',
    ],
    ['SDA selected', withTvr('0200000000'), both],
    ['another application version', withTvr('0080000000'), both],
    ['expired', withTvr('0040000000'), 'expired: the card has expired'],
    ['not yet effective', withTvr('0020000000'), 'notYetEffective: the card is not valid yet'],
    ['service not allowed', withTvr('0010000000'), 'serviceNotAllowed: the card is not made for this kind of sale'],
    ['a new card', withTvr('0008000000'), both],
    ['holder not verified', withTvr('0000800000'), 'verification: the customer could not be verified'],
    ['an unrecognised method', withTvr('0000400000'), both],
    ['PIN tries used up', withTvr('0000200000'), 'verification: the PIN was wrong too often'],
    ['PIN left out', withTvr('0000080000'), 'verification: the PIN was not entered'],
    ['online PIN captured', withTvr('0000040000'), 'onlinePin: this card’s PIN can only be checked by the bank'],
    ['above the floor limit', withTvr('0000008000'), both],
  ];
  test.each(rows)('%s', (_, input, text) => expect(summaryOf(verdictOn(input))).toBe(text));
});

describe('the operation', () => {
  const stored = (operation: OfflineTry['operation'], more: Partial<OfflineLimits> = {}): OfflineVerdict =>
    offlineVerdict({ operation, amount: eur(100n) }, { limits: { ...limits, ...more }, exposure: noExposure, moment });
  const refunds = { upToMinor: 1_000n };

  test.each([
    ['sale', {}, 'operation: a sale needs the gateway'],
    ['completion', {}, 'stored'],
    ['void', {}, 'stored'],
    ['release', {}, 'stored'],
    ['increment', {}, 'operation: an increment needs the gateway'],
    ['increment', { operations: ['increment'] }, 'stored'],
    ['void', { operations: [] }, 'operation: a void needs the gateway'],
    ['refund', {}, 'operation: a refund needs the gateway'],
    ['refund', { refunds }, 'stored'],
    ['refund', { refunds: { upToMinor: 99n } }, 'refunds: the store’s limit for one refund that waits is 0.99 EUR'],
    ['refund', { refunds: { ...refunds, count: 0 } }, 'refunds: 0 refunds already wait to be sent'],
    ['credit', { operations: ['credit'] }, 'operation: a credit needs the gateway'],
    ['void', { chip: kindOff, deferred: kindOff }, 'off: offline sales are switched off in this shop'],
  ] as const)('%s after a payment, %o', (operation, more, says) =>
    expect(summaryOf(stored(operation, more))).toBe(says),
  );

  test.each([
    ['preauthorisation', 'chip deferred'],
    ['credit', 'operation: a credit needs the gateway'],
    ['void', 'operation: a void needs the gateway'],
  ] as const)('%s with a card', (operation, says) => expect(summaryOf(verdictOn({ ask: { operation } }))).toBe(says));

  test('by default everything is off', () =>
    expect(summaryOf(verdictOn({ facts: { limits: defaultOfflineLimits } }))).toBe(
      'off: offline sales are switched off in this shop',
    ));

  test('limits apply to their currency only', () =>
    expect(summaryOf(verdictOn({ ask: { amount: { minor: 1n, currency: 'HUF' } } }))).toBe(
      'currency: the store’s limits are in EUR',
    ));
});

describe('one sale', () => {
  const of = (minor: bigint, chipUpTo: bigint, deferredUpTo: bigint) =>
    summaryOf(
      verdictOn({
        ask: { amount: eur(minor) },
        facts: {
          limits: {
            ...limits,
            chip: { ...openKind, upToMinor: chipUpTo },
            deferred: { ...openKind, upToMinor: deferredUpTo },
          },
        },
      }),
    );
  test.each([
    ['inside both', 4_999n, 5_000n, 8_000n, 'chip deferred'],
    ['at the chip’s', 5_000n, 5_000n, 8_000n, 'chip deferred'],
    ['above the chip’s', 5_001n, 5_000n, 8_000n, 'deferred'],
    ['at the deferred one’s', 8_000n, 5_000n, 8_000n, 'deferred'],
    ['above both', 8_001n, 5_000n, 8_000n, 'perSale: the store’s limit for one offline sale is 80.00 EUR'],
    [
      'above both, the chip’s higher',
      8_001n,
      8_000n,
      5_000n,
      'perSale: the store’s limit for one offline sale is 80.00 EUR',
    ],
    ['deferred off', 5_001n, 5_000n, 0n, 'perSale: the store’s limit for one offline sale is 50.00 EUR'],
    ['chip off', 1n, 0n, 8_000n, 'deferred'],
  ] as const)('%s', (_, minor, chipUpTo, deferredUpTo, says) => expect(of(minor, chipUpTo, deferredUpTo)).toBe(says));
});

describe('the moment', () => {
  const hour = 3_600_000;
  const windowed = { ...limits, windowMs: 24 * hour };
  const unknownClock = 'clock: nobody knows';
  test.each([
    ['no window, unknown', limits, { unknown: 'nobody knows' }, 'chip deferred'],
    ['no window, a year', limits, { ms: 9_000 * hour }, 'chip deferred'],
    ['inside', windowed, { ms: 24 * hour - 1 }, 'chip deferred'],
    [
      'at its end',
      windowed,
      { ms: 24 * hour },
      'window: the gateway has not been heard for 1 d 0 h; the store allows 1 d 0 h',
    ],
    [
      'by the clock',
      windowed,
      { ms: 8_760 * hour, byClock: true },
      'window: by the till’s clock, which ran on while it was off, the gateway has not been heard for 365 d 0 h; the store allows 1 d 0 h',
    ],
    ['unknown', windowed, { unknown: 'nobody knows' }, unknownClock],
    [
      'an hourly limit, with the time unknown',
      { ...limits, chip: { ...openKind, perHour: { count: 9 } } },
      { unknown: 'nobody knows' },
      unknownClock,
    ],
  ] as const)('%s', (_, limits, sinceAnswer, says) =>
    expect(summaryOf(verdictOn({ facts: { limits, moment: { ...moment, sinceAnswer } } }))).toBe(says),
  );

  test('a disk at its reserve takes one more sale, below it none', () => {
    const at = (freeBytes: number) => summaryOf(verdictOn({ facts: { moment: { ...moment, freeBytes } } }));
    expect(at(limits.keepFreeBytes)).toBe('chip deferred');
    expect(at(limits.keepFreeBytes - 1)).toMatch(/^disk: the till’s disk is nearly full/);
  });
});

test('each verdict, allowed or refused, says what is left', () => {
  const facts = {
    limits: {
      ...limits,
      chip: { ...openKind, total: { minor: 1_000n, count: 3 } },
      deferred: kindOff,
      windowMs: 1_000,
    },
    exposure: { ...noExposure, chip: { ...noKindExposure, total: { minor: 400n, count: 1 } } },
    moment: { ...moment, sinceAnswer: { ms: 250 } },
  };
  const left = {
    windowMs: 750,
    chip: [
      { limit: 'perSale', amount: eur(5_000n) },
      { limit: 'total', amount: eur(600n), count: 2 },
    ],
  };
  expect(verdictOn({ facts })).toMatchObject({ kind: 'allowed', left });
  expect(verdictOn({ facts, ask: { amount: eur(601n) } })).toMatchObject({ kind: 'refused', code: 'total', left });
});

test('before there is a card, says what rules out any sale', () => {
  const now = (facts: Partial<OfflineFacts>) =>
    currentObjection({ limits, exposure: noExposure, moment, ...facts })?.code;
  expect(now({})).toBeUndefined();
  expect(now({ limits: defaultOfflineLimits })).toBe('off');
  expect(now({ moment: { ...moment, freeBytes: 0 } })).toBe('disk');
  expect(now({ limits: { ...limits, together: { count: 0 } } })).toBe('together');
  expect(now({ limits: { ...limits, chip: { ...openKind, total: { count: 0 } } } })).toBeUndefined();
  expect(now({ limits: { ...limits, chip: { ...openKind, total: { count: 0 } }, deferred: kindOff } })).toBe('total');
});
