/** Which PIN the kernel asks for, and what card and issuer then know about it. */
import { describe, expect, test } from 'vitest';
import { virtualCard } from '../../../drivers/simulation/card.ts';
import { firstCryptogram, tapCryptogram } from '../../../drivers/simulation/kernel.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { begin, hexOf, verify } from './card-bench.ts';

describe('cardholder verification', () => {
  test.each([
    ['visa-credit', '1234', ['onlinePin'], '420300', '8000048000'],
    ['visa-signature', '', [], '5E0300', '8000008000'],
    ['visa-no-cvm', '', [], '1F0002', '8000008000'],
    ['visa-offline-pin', '1234', ['offlinePin'], '410302', '8000008000'],
    ['visa-offline-pin', '9999', ['offlinePin', 'offlinePin', 'offlinePin'], '1F0002', '8000208000'],
  ] as const)('%s typing "%s"', (name, pin, asked, results, tvr) => {
    const transaction = begin(name);
    expect(verify(transaction, pin)).toEqual(asked);
    firstCryptogram(transaction);
    expect(hexOf(transaction, '9F34')).toBe(results);
    expect(hexOf(transaction, '95')).toBe(tvr);
    expect(hexOf(transaction, '9B')).toBe('6800');
  });

  test.each([
    ['visa-credit', 'chip', '5E0300', '8000008000'],
    ['visa-offline-pin', 'chip', '1F0002', '8000008000'],
    ['visa-signature', 'chip', '5E0300', '8000008000'],
    ['mastercard-credit', 'tap', '1E0300', '8000000000'],
  ] as const)('a reader without a PIN pad asks %s by %s for no PIN', (name, via, results, tvr) => {
    const transaction = begin(name, { via, model: 'VP3350' });
    if (via === 'chip') expect(verify(transaction, '1234')).toEqual([]);
    if (via === 'chip') firstCryptogram(transaction);
    else tapCryptogram(transaction);
    expect(hexOf(transaction, '9F34')).toBe(results);
    expect(hexOf(transaction, '95')).toBe(tvr);
  });

  test('PIN tries last beyond a sale; a right PIN restores them', () => {
    const card = virtualCard(testCard('visa-offline-pin'));
    expect(card.verifyPin('0000')).toBe('wrong');
    expect(card.pinTriesLeft()).toBe(2);
    expect(card.verifyPin('1234')).toBe('right');
    expect(card.pinTriesLeft()).toBe(3);
    for (const _ of [1, 2, 3]) card.verifyPin('0000');
    expect(card.verifyPin('1234')).toBe('blocked');
  });

  test('the issuer reads in the card’s own results what happened to its PIN', () => {
    const transaction = begin('visa-offline-pin');
    verify(transaction, '9999');
    firstCryptogram(transaction);
    // 06 key 12 | 03, first ARQC and second not requested, with PIN performed and failed, tries used up.
    expect(hexOf(transaction, '9F10')).toBe('06011203A64000');
  });
});
