/** Converts hex text both ways, and joins bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';

test('bytes survive the way to text and back, in either case', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = toHex(bytes);
      expect(text).toMatch(/^([0-9A-F]{2})*$/);
      expect(fromHex(text)).toEqual(bytes);
      expect(fromHex(text.toLowerCase())).toEqual(bytes);
    }),
  );
});

test.each(['0', '0G', 'zz', '00 11', ' 00', '0x00', '00\n', '００', '-1'])('%j is refused and not repeated', (text) => {
  expect(() => fromHex(text)).toThrow(
    expect.objectContaining({
      code: 'hex.malformed',
      message: `A hex text of ${text.length} characters is malformed`,
    }),
  );
});

test('prints only the bytes of the view', () => {
  expect(toHex(new Uint8Array([0x01, 0xab, 0xcd, 0x02]).subarray(1, 3))).toBe('ABCD');
});

test('joined bytes are a copy in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (parts) => {
      expect([...concat(...parts)]).toEqual(parts.flatMap((part) => [...part]));
    }),
  );
  const part = new Uint8Array([1]);
  const whole = concat(part);
  part[0] = 2;
  expect(whole).toEqual(new Uint8Array([1]));
});
