/** Values as bytes and back, and rows of fields: valid values come back unchanged, others are refused by name. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amount,
  byte,
  currency,
  digits,
  field,
  hex,
  hexByte,
  nothing,
  optionalField,
  readFields,
  text,
  writeFields,
} from '../../drivers/codec.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { encodeTlv, tlv } from '../../src/emv/tlv.ts';

describe('values', () => {
  test.each([
    ['digits', digits(3), '260101', '260101'],
    ['an amount', amount, 9_900n, '000000009900'],
    ['a currency', currency, 'EUR', '0978'],
    ['hex', hex, 'A0FF', 'A0FF'],
    ['a byte in hex', hexByte, 'BE', 'BE'],
    ['a byte', byte, 7, '07'],
    ['a text', text, 'VISA', '56495341'],
    ['nothing', nothing, {}, ''],
  ] as const)('%s', (_, codec, value, bytes) => {
    expect(toHex(codec.encode(value as never))).toBe(bytes);
    expect(codec.decode(fromHex(bytes))).toEqual(value);
  });

  test('any amount that fits into six bytes comes back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (minor) => {
        expect(amount.decode(amount.encode(minor))).toBe(minor);
      }),
    );
  });

  test('short digits are padded, and zeros after a text are dropped', () => {
    expect(toHex(digits(2).encode('7'))).toBe('0007');
    expect(text.decode(fromHex('4F4B0000'))).toBe('OK');
  });

  test.each<[string, () => unknown]>([
    ['digits too many', () => digits(1).encode('100')],
    ['digits none', () => digits(1).encode('')],
    ['digits with a letter', () => digits(1).decode(fromHex('1A'))],
    ['digits of the wrong length', () => digits(2).decode(fromHex('01'))],
    ['an amount below zero', () => amount.encode(-1n)],
    ['an amount above six bytes', () => amount.encode(10n ** 12n)],
    ['an unknown currency', () => currency.decode(fromHex('0000'))],
    ['a byte that is missing', () => byte.decode(new Uint8Array(0))],
    ['two bytes for one', () => hexByte.decode(fromHex('0102'))],
  ])('%s: refused', (_, run) => {
    expect(run).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
  });
});

describe('fields', () => {
  const fields = { type: field('9C', digits(1)), minor: field('9F02', amount), label: optionalField('50', text) };

  test('are written in the table’s order and read in any order', () => {
    const values = { minor: 100n, type: '00', label: 'VISA' };
    const list = writeFields(fields, values);
    expect(toHex(encodeTlv(list))).toBe('9C01009F0206000000000100500456495341');
    expect(readFields(fields, [tlv('FF01', '00'), ...list.toReversed()], 'A sale')).toEqual(values);
  });

  test('optional ones are left out', () => {
    const list = writeFields(fields, { minor: 100n, type: '00' });
    expect(list.map(({ tag }) => tag)).toEqual(['9C', '9F02']);
    expect(readFields(fields, list, 'A sale')).toEqual({ minor: 100n, type: '00' });
  });

  test('required ones that are missing are named', () => {
    const facts = { what: 'A sale', why: 'tag 9F02 is missing' };
    expect(() => readFields(fields, [tlv('9C', '00')], 'A sale')).toThrow(expect.objectContaining({ facts }));
  });
});
