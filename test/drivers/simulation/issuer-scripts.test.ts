/** Issuer scripts: what a virtual card lets its issuer change, and how it reports that. */
import { describe, expect, test } from 'vitest';
import { firstCryptogram, secondCryptogram } from '../../../drivers/simulation/kernel.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { scriptMacOf } from '../../../src/emv/cryptogram-versions.ts';
import type { TestCardName } from '../../../src/emv/test-cards.ts';
import { tlv } from '../../../src/emv/tlv.ts';
import { answerOf, begin, hexOf, hostAnswer, issuer, verify } from './card-bench.ts';

describe('issuer scripts', () => {
  const runScript = (name: TestCardName, header: string, spoil = 0) => {
    const transaction = begin(name);
    verify(transaction, '0000');
    firstCryptogram(transaction);
    const { keys, cvn, tags } = issuer(transaction);
    const cryptogram = transaction.values.get('9F26') ?? new Uint8Array(0);
    const command = fromHex(`${header}08`);
    const mac = scriptMacOf(cvn, keys, { tags, cryptogram, command });
    mac[7] = (mac[7] ?? 0) ^ spoil;
    const script = [tlv('9F18', '0000000A'), tlv('86', concat(command, mac))];
    return { transaction, issuerData: answerOf(transaction, true), script };
  };

  test.each(['visa-offline-pin', 'mastercard-credit', 'visa-debit', 'mastercard-m10'] as const)(
    '%s: a genuine PIN unblock after the last cryptogram restores the tries',
    (name) => {
      const { transaction, issuerData, script } = runScript(name, '84240000');
      const kind = secondCryptogram(transaction, { ...hostAnswer('00', issuerData), after: [tlv('72', script)] });
      expect(kind).toBe('TC');
      expect(transaction.card.pinTriesLeft()).toBe(3);
      expect(hexOf(transaction, '9F5B')).toBe('200000000A');
      expect(toHex(transaction.tsi.subarray(0, 1))).toMatch(/[7F6E]C/);
    },
  );

  test('a script with a wrong MAC changes nothing and is reported', () => {
    const { transaction, issuerData, script } = runScript('visa-offline-pin', '84240000', 1);
    secondCryptogram(transaction, { ...hostAnswer('00', issuerData), after: [tlv('72', script)] });
    expect(transaction.card.pinTriesLeft()).toBe(0);
    expect(hexOf(transaction, '9F5B')).toBe('110000000A');
    // Byte 5 bit 5: failed after the final cryptogram.
    expect(transaction.tvr[4]).toBe(0x10);
  });

  test('a blocked application gives an AAC and then does not answer', () => {
    const { transaction, issuerData, script } = runScript('visa-no-cvm', '841E0000');
    const kind = secondCryptogram(transaction, { ...hostAnswer('00', issuerData), before: [tlv('71', script)] });
    expect(kind).toBe('AAC');
    expect(transaction.card.select('chip')).toBeUndefined();
    expect(transaction.card.select('tap')).toBeUndefined();
  });

  test('a failing command stops the script before the next one', () => {
    const { transaction, issuerData, script } = runScript('visa-offline-pin', '84240000', 1);
    const good = runScript('visa-offline-pin', '84240000').script;
    const both = [...script, ...good.filter(({ tag }) => tag === '86')];
    secondCryptogram(transaction, { ...hostAnswer('00', issuerData), before: [tlv('71', both)] });
    expect(hexOf(transaction, '9F5B')).toBe('110000000A');
    expect(transaction.tvr[4]).toBe(0x20);
  });
});
