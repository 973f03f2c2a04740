import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex } from '../../src/base/hex.ts';
import { type BitField, bitFields, bitsOf, isBitField, setBits } from '../../src/emv/bits.ts';
import { tagRow } from '../../src/emv/tags.ts';

const fields = Object.keys(bitFields).filter(isBitField);

describe('each table', () => {
  test.each(fields)('%s lists existing bits once each, highest first', (tag) => {
    const { bytes, rows } = bitFields[tag];
    const places = rows.map((row) => /^([1-9])\.([1-8]) \S.*\S$/.exec(row));
    expect(places).not.toContain(null);
    const order = places.map((place) => Number(place?.[1]) * 8 - Number(place?.[2]));
    expect(order).toEqual([...new Set(order)].toSorted((left, right) => left - right));
    expect(Math.max(...places.map((place) => Number(place?.[1])))).toBeLessThanOrEqual(bytes);
    expect(tagRow(tag)?.length?.most).toBe(bytes);
  });

  test.each(fields)('%s names every bit when all are set', (tag) => {
    const bits = bitsOf(tag, new Uint8Array(bitFields[tag].bytes).fill(0xff));
    expect(bits).toHaveLength(bitFields[tag].bytes * 8);
    expect(bits.filter(({ says }) => says !== 'RFU')).toHaveLength(bitFields[tag].rows.length);
  });

  test.each(fields)('%s refuses a value too long, too short or empty', (tag) => {
    const { bytes } = bitFields[tag];
    for (const length of [0, 1, bytes + 1].filter((wrong) => wrong !== bytes)) {
      expect(() => bitsOf(tag, new Uint8Array(length))).toThrow(expect.objectContaining({ code: 'emv.malformed' }));
    }
  });
});

test.each<[BitField, string, string[]]>([
  [
    '95',
    '8000048000',
    ['Offline data authentication was not performed', 'Online CVM captured', 'Transaction exceeds floor limit'],
  ],
  [
    '9B',
    'E800',
    [
      'Offline data authentication was performed',
      'Cardholder verification was performed',
      'Card risk management was performed',
      'Terminal risk management was performed',
    ],
  ],
  [
    '9F33',
    'E0B8C8',
    [
      'Manual key entry',
      'Magnetic stripe',
      'IC with contacts',
      'Plaintext PIN for ICC verification',
      'Signature',
      'Enciphered PIN for offline verification (RSA)',
      'No CVM required',
      'SDA',
      'DDA',
      'CDA',
    ],
  ],
  ['9F6C', '8080', ['Online PIN required', 'Consumer device CVM performed']],
  [
    '9F66',
    '36004000',
    [
      'EMV mode supported',
      'EMV contact chip supported',
      'Online PIN supported',
      'Signature supported',
      'Consumer device CVM supported',
    ],
  ],
  // Under this tag, two bytes are Mastercard's digit map, whatever bits are set.
  ['9F66', '01E0', []],
  ['9F07', '0100', ['Valid at terminals other than ATMs']],
  ['9B', '0001', ['RFU']],
])('%s %s in words', (tag, hex, words) => {
  expect(bitsOf(tag, fromHex(hex)).map(({ says }) => says)).toEqual(words);
});

test('only the set bits restore the value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9 }), (value) => {
      const back = new Uint8Array(value.length);
      for (const at of setBits(value)) {
        const [byte = 0, bit = 0] = at.split('.').map(Number);
        back[byte - 1] = (back[byte - 1] ?? 0) | (1 << (bit - 1));
      }
      expect(back).toEqual(value);
    }),
  );
});
