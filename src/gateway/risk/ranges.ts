/**
 * Ranges of numbers, sorted once, so that a long list is searched as fast as a short one: of IP addresses, of first
 * digits of cards.
 */
import { isIP } from 'node:net';

/** Both ends are included. */
export type Range = { first: bigint; last: bigint };

/** Whether a number is in one of these ranges, which may overlap. */
export const createRangeTest = (ranges: readonly Range[]): ((number: bigint) => boolean) => {
  const disjoint = mergeRanges(ranges);
  return (number) => {
    let low = 0;
    let high = disjoint.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = disjoint[middle];
      if (range === undefined) return false;
      if (number < range.first) high = middle - 1;
      else if (number > range.last) low = middle + 1;
      else return true;
    }
    return false;
  };
};

/** Sorted, with overlapping and adjacent ranges joined. */
const mergeRanges = (ranges: readonly Range[]): Range[] => {
  const disjoint: Range[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const lastRange = disjoint.at(-1);
    if (lastRange === undefined || range.first > lastRange.last) disjoint.push({ ...range });
    else if (range.last > lastRange.last) lastRange.last = range.last;
  }
  return disjoint;
};

// IP addresses and ranges of them (RFC 4632, RFC 4291); IPv4 addresses as the IPv6 addresses that they map to.

/** An address has 128 bits; an IPv4 address follows ::ffff:0:0 (RFC 4291 section 2.5.5.2). */
const BITS = 128;
const BITS_V4 = 32;
const MAPPED = 0xffffn << 32n;

/** The address as a number; an IPv4 address and its mapped IPv6 form are the same. Undefined for anything else. */
export const addressOf = (text: string): bigint | undefined => {
  // A zone names an interface of one machine: such an address means nothing here.
  if (text.includes('%')) return undefined;
  const version = isIP(text);
  if (version === 0) return undefined;
  return version === 4 ? MAPPED | parseV4(text) : parseV6(text);
};

/** One address, or all that share this many first bits with it: `10.0.0.0/8`. Undefined for anything else. */
export const rangeOf = (text: string): Range | undefined => {
  const [start = '', length, ...rest] = text.split('/');
  const address = addressOf(start);
  if (address === undefined || rest.length > 0) return undefined;
  if (length === undefined) return { first: address, last: address };
  const maxBits = start.includes(':') ? BITS : BITS_V4;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > maxBits) return undefined;
  const free = (1n << BigInt(maxBits - Number(length))) - 1n;
  return { first: address & ~free, last: address | free };
};

const parseV4 = (text: string): bigint => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

const parseV6 = (text: string): bigint => {
  const [leading = '', trailing] = text.split('::');
  const lastRange = groupsOf(leading);
  const trailingGroups = trailing === undefined ? [] : groupsOf(trailing);
  const gap = new Array<bigint>(BITS / 16 - lastRange.length - trailingGroups.length).fill(0n);
  return [...lastRange, ...gap, ...trailingGroups].reduce((bits, group) => (bits << 16n) | group, 0n);
};

/** Groups of 16 bits; an IPv4 address at the end is two of them. */
const groupsOf = (text: string): bigint[] =>
  text
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!group.includes('.')) return [BigInt(`0x${group}`)];
      const embeddedV4 = parseV4(group);
      return [embeddedV4 >> 16n, embeddedV4 & 0xffffn];
    });

// Ranges of first digits of card numbers (ISO/IEC 7812-1), as in the deny list.

/** `411111` matches all numbers that begin with it; `41111100-41111149` all between these prefixes, both included. */
const BIN = /^(\d{6,8})(?:-(\d{6,8}))?$/;
const DIGITS = 8;

/**
 * As a range of eight-digit numbers. Undefined unless it is 6 to 8 digits, or two such numbers of equal length in
 * order.
 */
export const binRangeOf = (text: string): Range | undefined => {
  const [, first, last = first] = BIN.exec(text) ?? [];
  if (first === undefined || last === undefined || first.length !== last.length || first > last) return undefined;
  return { first: BigInt(first.padEnd(DIGITS, '0')), last: BigInt(last.padEnd(DIGITS, '9')) };
};

/** The first eight digits of a card number, which has at least as many. Undefined for anything else. */
export const binOf = (number: string): bigint | undefined => {
  const digits = /^\d{8}/.exec(number)?.[0];
  return digits === undefined ? undefined : BigInt(digits);
};
