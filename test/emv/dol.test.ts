import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { buildDol, dolLength, parseDol } from '../../src/emv/dol.ts';
import { byNight } from '../support/night/night.ts';

const build = (dol: string, value: string): string => toHex(buildDol(fromHex(dol), () => fromHex(value)));

// EMV Book 3, 5.4: which end of a value is kept and how it is padded, by the format of the tag.
test.each([
  ['a number too short', '9F0206', '1234', '000000001234'],
  ['a number too long', '9F0202', '000000123456', '3456'],
  ['a compressed number too short', '5A0A', '4761739001010010', '4761739001010010FFFF'],
  ['a compressed number too long', '5A03', '4761739001010010', '476173'],
  ['text too short', '9F1C08', '5445', '5445000000000000'],
  ['text too long', '9F1C02', '544553', '5445'],
  ['binary too short', '9F3704', 'AABB', 'AABB0000'],
  ['binary too long', '9502', '1122334455', '1122'],
  ['an unknown tag', 'DF7F03', 'AABBCCDD', 'AABBCC'],
  ['a template', '7002', '9C0101', '0000'],
  ['a length of zero', '9F0200', '1234', ''],
  ['the same tag twice', '9C019C02', '20', '200020'],
])('%s', (_, dol, value, data) => {
  expect(build(dol, value)).toBe(data);
});

test('an absent tag becomes zeros', () => {
  expect(toHex(buildDol(fromHex('5A0A9F3704'), () => undefined))).toBe('00'.repeat(14));
});

test.each([
  ['9F02069F', 'tlv.malformed'],
  ['9F02069A', 'emv.malformed'],
  ['DF8181818105', 'tlv.malformed'],
  ['9C01'.repeat(127), 'emv.malformed'],
])('the list %s is refused', (hex, code) => {
  expect(() => parseDol(fromHex(hex))).toThrow(expect.objectContaining({ code }));
});

test('data has the length that the list requests, and a random list at worst gives a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 20 }), (bytes, value) => {
      try {
        const entries = parseDol(bytes);
        expect(buildDol(entries, () => value).length).toBe(dolLength(bytes));
      } catch (error) {
        if (!isFault(error)) throw error;
      }
    }),
    { numRuns: byNight({ day: 500, night: 5_000 }) },
  );
});
