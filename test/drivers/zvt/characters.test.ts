/** Texts of ZVT terminals: the named character set, and the likeliest if none is named. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBraces, encodeText, readText, textOf } from '../../../drivers/zvt/protocol/fields.ts';
import { decodeMessage } from '../../../drivers/zvt/protocol/messages.ts';
import { fromHex } from '../../../src/base/hex.ts';

const sample = 'Händlerbeleg für Öl, Äpfel, Übung, Straße';

test.each([
  ['named seven bits', '00', '00'],
  ['named ISO 8859-1', '01', '01'],
  ['named UTF-8', 'FE', 'FE'],
  ['named code page 437', 'FF', 'FF'],
  ['ISO 8859-1 without a word', '01', undefined],
  ['UTF-8 without a word', 'FE', undefined],
  ['code page 437, the default', 'FF', undefined],
  ['an invalid set', 'FF', '0C'],
  ['UTF-8 named where it is ISO 8859-1', '01', 'FE'],
  ['an unknown set', 'FF', '7F'],
])('%s', (_name, output, named) => {
  expect(readText(encodeText(sample, output), named)).toBe(sample);
});

test.each([
  ['a letter that only code page 437 has there', '537472E1', 'Strß'],
  ['a line of a box', 'C4C4C4C4', '────'],
  ['a box beside a figure', 'DC31', '▄1'],
  ['ISO 8859-15', 'A4', '€', '0F'],
  ['a control character', '411B4207', 'A B '],
  ['a control character of UTF-8', '41C29BE280AE42', 'A  B'],
  ['seven bits with an eighth', 'DB', 'Ä', '00'],
  ['brackets without a word of seven bits', '5B417D', '[A}'],
])('%s', (_name, hex, text, named?: string) => {
  expect(readText(fromHex(hex), named)).toBe(text);
});

test('never throws, and leaves no control characters', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(undefined, '00', '01', '07', '10', 'FE', 'FF'),
      (bytes, set) => {
        expect(readText(bytes, set)).not.toMatch(/\p{C}/u);
      },
    ),
    { numRuns: 200 },
  );
});

test('code page 437 is read back byte for byte, as masking needs it', () => {
  const upper = Uint8Array.from({ length: 127 }, (_, index) => 0x80 + index);
  expect(encodeBraces(textOf(upper))).toEqual(upper);
});

test('a block’s own set takes precedence over that of the conversation', () => {
  const block = fromHex('060A2505070366FC72140101');
  expect(decodeMessage({ code: '06D3', data: block }, 'FF')).toMatchObject({ lines: ['für'] });
  expect(decodeMessage({ code: '06D1', data: fromHex('0066FC72') }, 'FF')).toMatchObject({ lines: ['fⁿr'] });
  expect(decodeMessage({ code: '06D1', data: fromHex('0066FC72') })).toMatchObject({ lines: ['für'] });
});
