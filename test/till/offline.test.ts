/** Which sales may go on without the gateway, and the words for those that may not. */
import { expect, test } from 'vitest';
import type { CardFacts } from '../../src/till/facts.ts';
import { defaultOfflineLimits, type Exposure, type OfflineLimits, offlineVerdict } from '../../src/till/offline.ts';

const chip: CardFacts = { entryMode: 'ICC', maskedPan: '476173******0010', verification: 'none' };
const none: Exposure = { minor: 0n, count: 0 };
const limits: OfflineLimits = { ...defaultOfflineLimits, deferredUpToMinor: 8_000n };

const allowed = (chip: boolean, deferred: boolean) => ({ kind: 'allowed', chip, deferred });
const refused = (why: string) => ({ kind: 'refused', why });

type Row = [says: string, card: CardFacts, minor: bigint, limits: OfflineLimits, stored: Exposure, verdict: unknown];

const rows: Row[] = [
  ['a chip up to its limit', chip, 5_000n, limits, none, allowed(true, true)],
  ['a chip above its limit, under the deferred one', chip, 5_001n, limits, none, allowed(false, true)],
  ['a tap', { ...chip, entryMode: 'NFC_ICC' }, 100n, limits, none, allowed(true, true)],
  ['deferred is off by default', chip, 5_000n, defaultOfflineLimits, none, allowed(true, false)],
  [
    'encrypted data that may hold a PIN are not stored: only the chip’s own approval is',
    { ...chip, mayHoldPin: true },
    5_000n,
    limits,
    none,
    allowed(true, false),
  ],
  ['above both', chip, 8_001n, limits, none, refused('the store’s limit for one offline sale is 80.00 EUR')],
  [
    'all off',
    chip,
    1n,
    { ...limits, chipUpToMinor: 0n, deferredUpToMinor: 0n },
    none,
    refused('the store’s limit for one offline sale is 0.00 EUR'),
  ],
  ['a stripe', { ...chip, entryMode: 'MAGSTRIPE' }, 1n, limits, none, refused('only chip cards can be taken offline')],
  [
    'a fallback',
    { ...chip, entryMode: 'MAGSTRIPE_AS_FALLBACK' },
    1n,
    limits,
    none,
    refused('only chip cards can be taken offline'),
  ],
  [
    'stripe data by tap',
    { ...chip, entryMode: 'NFC_MAGSTRIPE' },
    1n,
    limits,
    none,
    refused('only chip cards can be taken offline'),
  ],
  [
    'a typed number',
    { ...chip, entryMode: 'MANUAL' },
    1n,
    limits,
    none,
    refused('only chip cards can be taken offline'),
  ],
  [
    'an online PIN',
    { ...chip, verification: 'onlinePin' },
    1n,
    limits,
    none,
    refused('this card’s PIN can only be checked by the bank'),
  ],
  [
    'another currency than the limits’',
    chip,
    1n,
    { ...limits, currency: 'HUF' },
    none,
    refused('the store’s limits are in HUF'),
  ],
  ['the last place', chip, 1n, limits, { minor: 0n, count: 49 }, allowed(true, true)],
  ['no place left', chip, 1n, limits, { minor: 0n, count: 50 }, refused('50 offline sales already wait to be sent')],
  ['the last cent', chip, 100n, limits, { minor: 49_900n, count: 3 }, allowed(true, true)],
  [
    'a cent too much in all',
    chip,
    101n,
    limits,
    { minor: 49_900n, count: 3 },
    refused('499.00 EUR of offline sales already wait to be sent'),
  ],
];

test.each(rows)('%s', (_, card, minor, limits, stored, verdict) => {
  expect(offlineVerdict({ card, amount: { minor, currency: 'EUR' } }, limits, stored)).toEqual(verdict);
});
