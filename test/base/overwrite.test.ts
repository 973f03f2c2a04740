/** Hex written directly between byte arrays matches the usual hex, and overwriting reaches every view. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overwrite, readHex, toHex, writeHex } from '../../src/base/hex.ts';

test('writes the digits of any bytes in place, and reads both cases', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(9), (bytes, offset) => {
      const target = new Uint8Array(offset + 2 * bytes.length + 1);
      writeHex(bytes, target, offset);
      const text = Buffer.from(target.subarray(offset, -1)).toString('latin1');
      expect(text).toBe(toHex(bytes));
      expect([...target.subarray(0, offset), target.at(-1)].every((byte) => byte === 0)).toBe(true);
      for (const spelling of [text, text.toLowerCase()]) expect(readHex(Buffer.from(spelling))).toEqual(bytes);
    }),
  );
});

test.each(['0', 'AG', '/0', '0:', '@A', ' A', '1g', '`a'])('%j is not hex', (text) => {
  expect(readHex(Buffer.from(text))).toBeUndefined();
});

test('overwrites in place, for every view of the bytes', () => {
  const all = Uint8Array.of(1, 2, 3, 4);
  overwrite(all.subarray(1, 3), undefined);
  expect(all).toEqual(Uint8Array.of(1, 0, 0, 4));
});
