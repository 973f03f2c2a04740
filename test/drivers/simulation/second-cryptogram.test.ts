/** The chip’s final decision after the host’s answer, genuine or not, or without one. */
import { describe, expect, test } from 'vitest';
import { firstCryptogram, secondCryptogram } from '../../../drivers/simulation/kernel.ts';
import { toHex } from '../../../src/base/hex.ts';
import { cryptogramOf } from '../../../src/emv/cryptogram-versions.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { answerOf, begin, chips, hexOf, hostAnswer, issuer, verify } from './card-bench.ts';

describe('second cryptogram', () => {
  const firstRequest = (name: TestCardName) => {
    const transaction = begin(name);
    verify(transaction, testCard(name).pin);
    firstCryptogram(transaction);
    return transaction;
  };
  const contact = chips.filter((name) => testCard(name).secondCryptogram === 'agrees');

  test.each(contact)('%s: TC after a genuine approval, and the issuer can check it', (name) => {
    const transaction = firstRequest(name);
    expect(secondCryptogram(transaction, hostAnswer('00', answerOf(transaction, true)))).toBe('TC');
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    expect(hexOf(transaction, '9F27')).toBe('40');
  });

  test.each([
    // Visa authenticates the issuer with a command, so the terminal notices; Mastercard within the second GENERATE AC.
    ['visa-credit', '8000048040', '7800'],
    ['visa-debit', '8000048040', '7800'],
    ['mastercard-credit', '8000048000', '6800'],
    ['mastercard-m10', '8000008000', '6800'],
  ] as const)('%s: AAC when the issuer is not genuine', (name, tvr, tsi) => {
    const transaction = firstRequest(name);
    const forged = answerOf(transaction, true);
    forged[0] = (forged[0] ?? 0) ^ 1;
    expect(secondCryptogram(transaction, hostAnswer('00', forged))).toBe('AAC');
    expect(hexOf(transaction, '95')).toBe(tvr);
    expect(hexOf(transaction, '9B')).toBe(tsi);
  });

  test.each([
    ['visa-credit', '05', false, 'AAC'],
    // The response code approves, the issuer's own data does not: the chip believes its issuer.
    ['visa-credit', '00', false, 'AAC'],
    ['mastercard-credit', '00', false, 'AAC'],
    ['visa-refusing-chip', '00', true, 'AAC'],
    ['mastercard-credit', '05', true, 'AAC'],
  ] as const)('%s with %s, issuer approves %s: %s', (name, arc, approve, kind) => {
    const transaction = firstRequest(name);
    expect(secondCryptogram(transaction, hostAnswer(arc, answerOf(transaction, approve)))).toBe(kind);
  });

  test.each([
    ['visa-no-cvm', 'TC', 'Y3'],
    ['mastercard-credit', 'TC', 'Y3'],
    ['visa-strict', 'AAC', 'Z3'],
  ] as const)('%s when the host was not reached: %s, %s', (name, kind, arc) => {
    const transaction = firstRequest(name);
    expect(secondCryptogram(transaction, hostAnswer('Y3'))).toBe(kind);
    expect(Buffer.from(transaction.values.get('8A') ?? []).toString()).toBe(arc);
  });

  test('without issuer data an approval stands, and the card notes that the issuer was not authenticated', () => {
    const transaction = firstRequest('visa-no-cvm');
    expect(secondCryptogram(transaction, hostAnswer('00'))).toBe('TC');
    expect(hexOf(transaction, '9F10')).toBe('0601120360 0400'.replace(' ', ''));
  });

  test('there is no third cryptogram', () => {
    const transaction = firstRequest('visa-no-cvm');
    secondCryptogram(transaction, hostAnswer('00'));
    expect(secondCryptogram(transaction, hostAnswer('00'))).toBeUndefined();
  });
});
