/** A virtual card before any host is asked: its cryptograms, its counter, its stripe data, chip and tap. */
import { describe, expect, test } from 'vitest';
import { virtualCard } from '../../../drivers/simulation/card.ts';
import { recordsOf } from '../../../drivers/simulation/card-profile.ts';
import { firstCryptogram, tapCryptogram } from '../../../drivers/simulation/kernel.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { cryptogramOf } from '../../../src/emv/cryptogram-versions.ts';
import { cvv } from '../../../src/emv/cvv.ts';
import { testCard, testKeys } from '../../../src/emv/test-cards.ts';
import { find } from '../../../src/emv/tlv.ts';
import { parseTag57 } from '../../../src/emv/tracks.ts';
import { begin, chips, hexOf, issuer, verify } from './card-bench.ts';

describe('first cryptogram', () => {
  test.each(chips)('%s: the issuer finds the ARQC genuine', (name) => {
    const transaction = begin(name);
    verify(transaction, testCard(name).pin);
    expect(firstCryptogram(transaction)).toBe('ARQC');
    const { keys, cvn, tags } = issuer(transaction);
    expect(cvn).toBe(testCard(name).cvn);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    // One changed bit of the amount gives another cryptogram.
    const otherTags = (tag: string) => (tag === '9F02' ? fromHex('000000009901') : tags(tag));
    expect(toHex(cryptogramOf(cvn, keys, otherTags))).not.toBe(hexOf(transaction, '9F26'));
  });

  test.each([
    [2_500n, 'TC'],
    [2_501n, 'ARQC'],
    [4_999n, 'ARQC'],
    [5_000n, 'ARQC'],
  ] as const)('a chip that approves small amounts: %s minor units give %s', (amountMinor, kind) => {
    const transaction = begin('visa-no-cvm', { amountMinor });
    verify(transaction, '1234');
    expect(firstCryptogram(transaction)).toBe(kind);
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    expect(hexOf(transaction, '9F27')).toBe(kind === 'TC' ? '40' : '80');
    // Byte 4 bit 8 of the verification results: floor limit.
    expect(hexOf(transaction, '95')).toBe(amountMinor >= 5_000n ? '8000008000' : '8000000000');
  });

  test('the transaction counter continues from sale to sale', () => {
    const card = virtualCard(testCard('visa-credit'), { lastAtc: 0x00fe });
    const counters = [0, 1, 2].map(() => {
      const transaction = begin('visa-credit', { card });
      firstCryptogram(transaction);
      return hexOf(transaction, '9F36');
    });
    expect(counters).toEqual(['00FF', '0100', '0101']);
  });

  test.each([
    ['visa-expired', '260102', '8040008000'],
    ['visa-no-cvm', '260102', '8000008000'],
    // The last day of the month printed on the card still counts.
    ['visa-expired', '231231', '8000008000'],
    ['visa-expired', '240101', '8040008000'],
  ] as const)('%s on %s has verification results %s', (name, date, tvr) => {
    const transaction = begin(name, { date });
    verify(transaction, '1234');
    firstCryptogram(transaction);
    expect(hexOf(transaction, '95')).toBe(tvr);
  });

  test('a broken chip and a card without one do not answer', () => {
    expect(virtualCard(testCard('visa-broken-chip')).select('chip')).toBeUndefined();
    expect(virtualCard(testCard('visa-broken-chip')).select('tap')).toBeDefined();
    expect(virtualCard(testCard('visa-stripe')).select('chip')).toBeUndefined();
    expect(virtualCard(testCard('visa-stripe')).select('tap')).toBeUndefined();
  });
});

describe('a tap', () => {
  test.each([
    ['visa-credit', 5_000n, '1F0002', '0000000000'],
    ['visa-credit', 5_001n, '420300', '0000000000'],
    ['visa-signature', 5_001n, '1E0300', '0000000000'],
    ['visa-no-cvm', 5_001n, '1F0002', '0000000000'],
    ['mastercard-credit', 5_001n, '420300', '8000040000'],
    ['mastercard-tap', 5_001n, '1F0002', '8000000000'],
  ] as const)('%s with %s minor units', (name, amountMinor, results, tvr) => {
    const transaction = begin(name, { via: 'tap', amountMinor });
    expect(tapCryptogram(transaction)).toBe('ARQC');
    expect(hexOf(transaction, '9F34')).toBe(results);
    expect(hexOf(transaction, '95')).toBe(tvr);
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
  });
});

test.each(chips)('%s: the chip’s track has an iCVV, not the stripe’s CVV', (name) => {
  const card = testCard(name);
  const { pan, expiry } = card;
  const track = parseTag57(find(recordsOf(card), '57')?.value ?? new Uint8Array(0));
  expect(track).toMatchObject({ pan, expiry, serviceCode: card.serviceCode });
  expect(track.discretionary.slice(5)).toBe(cvv({ cvk: testKeys.cvk, pan, expiry, serviceCode: '999' }));
});
