import { expect, test } from 'vitest';
import { fromHex } from '../../src/base/hex.ts';
import { cvmResultsWords, cvmRuleWords, parseCvmList, parseCvmResults, verificationOf } from '../../src/emv/cvm.ts';
import type { EntryMode } from '../../src/emv/entry-mode.ts';

test.each<[string, EntryMode | undefined, string]>([
  ['420300', undefined, 'onlinePin'],
  ['020000', 'ICC', 'onlinePin'],
  ['020002', undefined, 'onlinePin'],
  ['410302', undefined, 'offlinePin'],
  ['440302', 'ICC', 'offlinePin'],
  ['440300', 'ICC', 'none'],
  ['410301', undefined, 'none'],
  ['430302', 'ICC', 'signature'],
  ['1E0300', undefined, 'signature'],
  ['5E0300', undefined, 'signature'],
  ['1E0301', undefined, 'none'],
  ['1F0302', undefined, 'none'],
  ['1F0002', 'NFC_ICC', 'none'],
  ['3F0000', undefined, 'none'],
  ['000001', undefined, 'none'],
  ['000000', undefined, 'none'],
  ['010002', 'NFC_ICC', 'device'],
  ['010002', 'NFC_MAGSTRIPE', 'device'],
  ['010002', undefined, 'device'],
  ['010002', 'ICC', 'offlinePin'],
  ['010001', undefined, 'none'],
  ['480302', 'ICC', 'device'],
  ['480300', 'ICC', 'none'],
  ['490300', 'ICC', 'device'],
  ['200000', undefined, 'none'],
])('results %s read by %s mean %s', (hex, mode, verification) => {
  expect(verificationOf(fromHex(hex), mode)).toBe(verification);
});

test('empty results mean no verification, and malformed results are refused', () => {
  expect(verificationOf(undefined)).toBe('none');
  for (const hex of ['', '4203', '42030000']) {
    expect(() => verificationOf(fromHex(hex))).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
  }
});

test('a list in words', () => {
  const { x, y, rules } = parseCvmList(fromHex('000000C800000000440342031E031F00'));
  expect([x, y]).toEqual([200n, 0n]);
  expect(rules.map(cvmRuleWords)).toEqual([
    'Enciphered PIN verified by ICC, if the terminal supports it, else the next rule',
    'Enciphered PIN verified online, if the terminal supports it, else the next rule',
    'Signature, if the terminal supports it',
    'No CVM required, always',
  ]);
});

test('amounts of a list are unsigned', () => {
  expect(parseCvmList(fromHex('FFFFFFFF800000001F00'))).toMatchObject({ x: 4_294_967_295n, y: 2_147_483_648n });
});

test.each([
  ['1E0300', 'Signature: unknown'],
  ['410302', 'Plaintext PIN verified by ICC: successful'],
  ['200101', 'Method 20: failed'],
  ['3F0007', 'No CVM performed: result 07'],
])('results %s in words', (hex, text) => {
  expect(cvmResultsWords(parseCvmResults(fromHex(hex)))).toBe(text);
});

test('an undefined method or condition is named by its code', () => {
  expect(cvmRuleWords({ code: 'A0', condition: '80' })).toBe('Method A0, condition 80');
});

test.each(['', '0000000000000000', '00000000000000001F', '00'.repeat(254)])('the list %s is refused', (hex) => {
  expect(() => parseCvmList(fromHex(hex))).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
});
