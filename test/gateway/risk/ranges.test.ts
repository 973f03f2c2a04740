/** Many ranges together match what each of them would match alone. */

import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, createRangeTest, rangeOf } from '../../../src/gateway/risk/ranges.ts';

test('a number is within many ranges if it is within one of them', () => {
  const number = fc.bigInt({ min: 0n, max: 40n });
  const range = fc.tuple(number, number).map(([a, b]) => (a <= b ? { first: a, last: b } : { first: b, last: a }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      const isWithin = createRangeTest(ranges);
      for (let at = -1n; at <= 41n; at += 1n) {
        expect(isWithin(at)).toBe(ranges.some(({ first, last }) => first <= at && at <= last));
      }
    }),
  );
});

test('the given ranges are not changed', () => {
  const ranges = [
    { first: 5n, last: 9n },
    { first: 1n, last: 6n },
  ];
  createRangeTest(ranges);
  expect(ranges).toEqual([
    { first: 5n, last: 9n },
    { first: 1n, last: 6n },
  ]);
});

// IP addresses and their ranges, at the limits.

test.each<[string, bigint]>([
  ['0.0.0.0', 0xffff_0000_0000n],
  ['127.0.0.1', 0xffff_7f00_0001n],
  ['255.255.255.255', 0xffff_ffff_ffffn],
  ['::', 0n],
  ['::1', 1n],
  ['1::', 1n << 112n],
  ['2001:db8::8:800:200c:417a', 0x2001_0db8_0000_0000_0008_0800_200c_417an],
  ['2001:0DB8:0:0:8:800:200C:417A', 0x2001_0db8_0000_0000_0008_0800_200c_417an],
  ['::ffff:127.0.0.1', 0xffff_7f00_0001n],
  ['64:ff9b::192.0.2.33', 0x0064_ff9b_0000_0000_0000_0000_c000_0221n],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', (1n << 128n) - 1n],
])('%s', (text, address) => {
  expect(addressOf(text)).toBe(address);
});

test.each([
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '01.2.3.4',
  '1::2::3',
  ':::',
  'fe80::1%eth0',
  '1.2.3.4/8',
])('"%s" is no address', (text) => {
  expect(addressOf(text)).toBeUndefined();
});

describe.each<[string, readonly string[], readonly string[]]>([
  ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3'], ['10.1.2.2', '10.1.2.4']],
  ['10.1.2.3/32', ['10.1.2.3'], ['10.1.2.2', '10.1.2.4']],
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['192.0.2.128/25', ['192.0.2.128', '192.0.2.255'], ['192.0.2.127', '192.0.3.0']],
  ['192.0.2.200/25', ['192.0.2.128', '192.0.2.255'], ['192.0.2.127', '192.0.3.0']],
  ['192.0.2.2/31', ['192.0.2.2', '192.0.2.3'], ['192.0.2.1', '192.0.2.4']],
  ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::', '2001:db8::', '::fffe:ffff:ffff', '::1:0:0:0']],
  ['2001:db8::/32', ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:db7:ffff::', '2001:db9::']],
  ['2001:db8::1/128', ['2001:db8::1'], ['2001:db8::', '2001:db8::2']],
  ['::ffff:10.0.0.0/104', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['::/0', ['::', '255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
])('%s', (text, containedAddresses, otherAddresses) => {
  const range = rangeOf(text);
  const isWithin = (address: string) => range !== undefined && createRangeTest([range])(addressOf(address) ?? -1n);

  test.each(containedAddresses)('holds %s', (address) => expect(isWithin(address)).toBe(true));
  if (otherAddresses.length > 0)
    test.each(otherAddresses)('does not hold %s', (address) => expect(isWithin(address)).toBe(false));
});

test.each([
  '',
  '/',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0.0/8 ',
  '::/129',
  'x/8',
])('"%s" is no range', (text) => {
  expect(rangeOf(text)).toBeUndefined();
});

test('every address that the platform knows has a number, and is the only one in its own range', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      expect(isIPv4(text) || isIPv6(text)).toBe(true);
      const address = addressOf(text);
      expect(address).toBeTypeOf('bigint');
      expect(rangeOf(text)).toEqual({ first: address, last: address });
    }),
  );
});

test('each bit of a prefix halves the range, which always contains its own address', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (text, bits) => {
      const range = rangeOf(`${text}/${bits}`);
      const address = addressOf(text);
      if (range === undefined || address === undefined) throw new Error('no range');
      expect(range.last - range.first + 1n).toBe(1n << BigInt(32 - bits));
      expect(createRangeTest([range])(address)).toBe(true);
    }),
  );
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void [addressOf(text), rangeOf(text)]));
});
