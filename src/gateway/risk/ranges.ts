/**
 * Ranges of numbers, sorted once, so that a long list is searched as fast as a short one: of IP addresses, of first
 * digits of cards.
 */
import { isIP } from 'node:net';

/** Both ends are included. */
export type Range = { first: bigint; last: bigint };

/** Whether a number is in one of these ranges, which may overlap. */
export const within = (ranges: readonly Range[]): ((number: bigint) => boolean) => {
  const apart = merged(ranges);
  return (number) => {
    let low = 0;
    let high = apart.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = apart[middle];
      if (range === undefined) return false;
      if (number < range.first) high = middle - 1;
      else if (number > range.last) low = middle + 1;
      else return true;
    }
    return false;
  };
};

/** Sorted, with overlapping and adjacent ranges joined. */
const merged = (ranges: readonly Range[]): Range[] => {
  const apart: Range[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last) apart.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return apart;
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
  return version === 4 ? MAPPED | fromV4(text) : fromV6(text);
};

/** One address, or all that share this many first bits with it: `10.0.0.0/8`. Undefined for anything else. */
export const rangeOf = (text: string): Range | undefined => {
  const [start = '', length, ...more] = text.split('/');
  const address = addressOf(start);
  if (address === undefined || more.length > 0) return undefined;
  if (length === undefined) return { first: address, last: address };
  const most = start.includes(':') ? BITS : BITS_V4;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > most) return undefined;
  const free = (1n << BigInt(most - Number(length))) - 1n;
  return { first: address & ~free, last: address | free };
};

const fromV4 = (text: string): bigint => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

const fromV6 = (text: string): bigint => {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const gap = new Array<bigint>(BITS / 16 - before.length - after.length).fill(0n);
  return [...before, ...gap, ...after].reduce((bits, group) => (bits << 16n) | group, 0n);
};

/** Groups of 16 bits; an IPv4 address at the end is two of them. */
const groupsOf = (text: string): bigint[] =>
  text
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!group.includes('.')) return [BigInt(`0x${group}`)];
      const whole = fromV4(group);
      return [whole >> 16n, whole & 0xffffn];
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
