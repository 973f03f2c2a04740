/** What masking shows, and that it lets nothing else through. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hidden, lastFour, maskPan, printable, withoutNumbers } from '../../src/base/mask.ts';

test.each([
  ['4761739001010010', '476173******0010'],
  ['378282246310005', '378282*****0005'],
  ['123456789012', '123456**9012'],
  ['6799998900000060017', '679999*********0017'],
  ['12345678901', hidden],
  ['12345678901234567890', hidden],
  ['4761 7390 0101 0010', hidden],
  ['4761739001010010=2212', hidden],
  ['', hidden],
  ['１２３４５６７８９０１２３４５６', hidden],
])('maskPan(%j) is %s', (pan, text) => {
  expect(maskPan(pan)).toBe(text);
});

test.each([
  ['476173******0010', '************0010'],
  ['4761739001010010', '************0010'],
  ['0010', '********0010'],
  ['476173******', hidden],
  ['', hidden],
  ['card 001', hidden],
])('lastFour(%j) is %s', (masked, text) => {
  expect(lastFour(masked)).toBe(text);
});

describe('text from outside', () => {
  test.each([
    ['plain words, 12.50 EUR', 'plain words, 12.50 EUR'],
    ['2026-11-20 14:02:11', '2026-11-20 14:02:11'],
    ['192.168.100.200:7000', '192.168.100.200:7000'],
    ['a\u001b[31mb\nc\u202e', 'a.[31mb.c.'],
    ['card 4761739001010010!', 'card 476173******0010!'],
    ['card 4761 7390 0101 0010!', 'card 476173******0010!'],
    ['card 4761-7390-0101-0010', 'card 476173******0010'],
    ['card 4761\u200b7390\u00000101\n0010', 'card 476173******0010'],
    [';4761739001010010=22122011143804400000?', ';****?'],
    [';4761739001010010=2212201?', ';****?'],
    ['5713476173900101001D22122011143804F', '****'],
    ['47617390010100102212201', '****'],
  ])('%j becomes %j', (text, display) => {
    expect(printable(text)).toBe(display);
  });

  test('is masked before it is cut, so a number at the end shows no more', () => {
    expect(printable(`${'x'.repeat(189)}4761739001010010`)).toBe(`${'x'.repeat(189)}476173*****`);
    expect(printable('x'.repeat(500))).toBe('x'.repeat(200));
    expect(printable('x'.repeat(500), 7)).toBe('xxxxxxx');
    // PostgreSQL accepts no half of a surrogate pair in JSON.
    expect(printable('xxxxxx😀', 7)).toBe('xxxxxx');
    expect(printable('xxxxxx😀', 8)).toBe('xxxxxx😀');
  });

  test('never shows seven digits of a card number in a row, nor a control character', () => {
    const pan = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 19 });
    const noise = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.replace(/\d/g, ''));
    const gap = fc.constantFrom('', ' ', '-', '\n', '\u200b', '\r\n');
    fc.assert(
      fc.property(noise, pan, gap, noise, (before, number, between, after) => {
        const spelled = number.replace(/(\d{4})(?=\d)/g, `$1${between}`);
        const text = printable(`${before}${spelled}${after}`, 400);
        expect(text).not.toMatch(/\d{7}/);
        expect(text).not.toMatch(/\p{C}/u);
      }),
    );
  });
});

test.each([
  ['"4761739001010010" is not a receipt', '"476173******0010" is not a receipt'],
  ['4761 7390 0101 0010, said 4761-7390-0101-0010.', '476173******0010, said 476173******0010.'],
  ['4761739001010010=2212201', '****'],
  ['12345678901234567890123', '****'],
  ['sale 0f5e4761739001010010aa, entry 12: 250.00 EUR\nof 2026-01-31', undefined],
  ['mpi+tcp://127.0.0.1:7000', undefined],
])('a separate number in our own text: %s', (text, expected) => {
  expect(withoutNumbers(text)).toBe(expected ?? text);
});
