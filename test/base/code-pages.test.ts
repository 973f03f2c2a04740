import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePages, decode, encodeText, isTwoByte, numberOfPage, pageOfNumber } from '../../src/base/code-pages.ts';

const singles = codePages.filter((page) => !isTwoByte(page));

test.each(singles)('%s has at most 128 letters beyond ASCII, and reads what it writes', (page) => {
  const bytes = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
  const letters = [...decode(bytes, page)];
  expect(letters).toHaveLength(128);
  for (const [at, letter] of letters.entries()) {
    if (letter === '\ufffd') continue;
    expect(encodeText(letter, page)).toEqual(Uint8Array.of(0x80 + at));
  }
  expect(new Set(letters.filter((letter) => letter !== '\ufffd')).size).toBe(
    letters.filter((letter) => letter !== '\ufffd').length,
  );
});

test.each(singles)('%s has its own number', (page) => {
  if (isTwoByte(page)) throw new Error('not a single one');
  expect(pageOfNumber(numberOfPage(page))).toBe(page);
});

describe('known letters', () => {
  const rows = [
    ['é', 'cp437', [0x82]],
    ['ß', 'cp437', [0xe1]],
    ['€', 'cp858', [0xd5]],
    ['€', 'cp1252', [0x80]],
    ['Ž', 'cp852', [0xa6]],
    ['Я', 'cp866', [0x9f]],
    ['Ω', 'cp1253', [0xd9]],
    ['İ', 'cp1254', [0xdd]],
    ['Ț', 'cp852', [0xdd]],
    ['’', 'cp437', [0x27]],
    ['中', 'gb18030', [0xd6, 0xd0]],
    ['日', 'shiftjis', [0x93, 0xfa]],
    ['한', 'ksc5601', [0xc7, 0xd1]],
    ['中', 'big5', [0xa4, 0xa4]],
  ] as const;
  test.each(rows)('%s in %s', (letter, page, bytes) => {
    expect(encodeText(letter, page)).toEqual(Uint8Array.from(bytes));
  });
});

test('a page replaces no letter that it lacks, and no page holds a control character', () => {
  expect(encodeText('日', 'cp437')).toBeUndefined();
  for (const page of codePages) {
    for (let code = 0; code < 0xa0; code += 1) {
      const bytes = encodeText(String.fromCharCode(code), page);
      if (code < 0x20 || code >= 0x7f) expect(bytes).toBeUndefined();
      else expect(bytes).toEqual(Uint8Array.of(code));
    }
  }
});

test('no bytes of any text are control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...codePages), (text, page) => {
      for (const byte of encodeText(text, page) ?? []) expect(byte >= 0x20 && byte !== 0x7f).toBe(true);
    }),
  );
});

test('a narrow no-break space, as French writes it, is printed as a space', () => {
  expect(encodeText('Total\u202f:', 'cp858')).toEqual(encodeText('Total :', 'cp858'));
});
