/** Values that some parser once got wrong, and valid ones between them. */
import type { Dice } from '../support/chance/dice.ts';

const WORDS = [
  '',
  ' ',
  '\t',
  '0',
  '-0',
  '-1',
  '+1',
  '00',
  '1e3',
  '1E400',
  '0x10',
  '0b1',
  '1_000',
  '1,00',
  '.5',
  '5.',
  '10.000',
  '9999999999.99',
  '9999999999999999999999',
  '9007199254740993',
  '-9223372036854775808',
  '8000.68',
  '8000.92',
  '8000.98',
  '8000.51',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  'false',
  '1',
  'on',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  '\\',
  '\\0',
  '\\u0000',
  "'",
  '"',
  '`',
  "' or '1'='1",
  '"; drop table payment; --',
  '#{7*7}',
  '{{7*7}}',
  '%s%n%x',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'a\r\nSet-Cookie: b=c',
  'a\nb',
  '\u202egnp.exe',
  '\u200b',
  '\ufeff',
  '\uffff',
  '\u0130',
  'ß',
  'e\u0301\u0301\u0301\u0301',
  '😀',
  '👨‍👩‍👧‍👦',
  '４２００',
  '٤٢',
  'EUR',
  'eur',
  'XXX',
  'CLF',
  'JPY',
  'KWD',
  'DB',
  'RF',
  'FINAL',
  '2026-02-30',
  '2026-11-21 24:00:00',
  '0000-00-00',
  '05',
  '13',
  '2034',
  '1999',
  'https://shop.example.com/back',
  'https://a;sandbox/',
  'http://[::1]:99999/',
  'data:text/html,x',
  '203.0.113.7',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:7::',
  '10.0.0.0/8',
] as const;

const REPEATED = ['1', 'a', '[', ']', '[0]', '.', '&', '=', '+', '%25', '😀', '1 ', '-', '\u0301', ','] as const;

/** Usually short; one in a few hundred is up to a megabyte long. */
export const oddValue = (dice: Dice): string => {
  if (dice.percent(70)) return dice.one(WORDS);
  if (dice.percent(50)) return String(dice.between(0, 0xffff_ffff) - 0x7fff_ffff);
  const piece = dice.one(REPEATED);
  if (dice.percent(80)) return piece.repeat(dice.between(1, 300));
  return piece.repeat(dice.between(1, dice.percent(3) ? 1_000_000 / piece.length : 20_000));
};

/** Bytes that are not UTF-8: broken sequences, CESU-8 surrogates, overlong forms, and noise. */
export const badBytes = (dice: Dice): Uint8Array =>
  dice.percent(50) ? dice.random(dice.between(1, 400)) : Uint8Array.from(dice.one<readonly number[]>(BROKEN));

const BROKEN = [
  [0xff, 0xfe],
  [0xc0, 0x80],
  [0xc3, 0x28],
  [0xe2, 0x82],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x00],
  [0x61, 0x3d, 0x00],
  [0xef, 0xbb, 0xbf],
] as const;

/** Percent escapes that are truncated, not hex, or not UTF-8. */
export const badEscape = (dice: Dice): string =>
  dice.one([
    '%',
    '%4',
    '%zz',
    '%00',
    '%FF',
    '%C3%28',
    '%ED%A0%BD',
    '%u0041',
    '%%',
    '%C0%80',
    '%F8%88%80%80%80',
  ] as const);
