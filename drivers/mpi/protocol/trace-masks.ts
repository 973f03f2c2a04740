/**
 * What recordings keep of the tags in which the device has masked an account itself: first six, last four and service
 * code, so that a recording can be understood and played. The expiry and whatever else is filled.
 */
import { fromHex } from '../../../src/base/hex.ts';
import { normalMask } from '../../masked-pan.ts';

type Mask = (value: Uint8Array, fill: number) => Uint8Array | undefined;

const numberOf = (digits: string): string | undefined => {
  const shown = normalMask(digits.replaceAll('F', '*'));
  return /^\d{6}\*+\d{4}$/.test(shown) ? shown : undefined;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** DFAE5A: two digits a byte, F for a masked digit or the filling of an odd length. */
const digits: Mask = (value) => {
  const text = hexOf(value);
  const end = /F?$/.exec(text)?.[0] ?? '';
  const number = numberOf(text.slice(0, text.length - end.length));
  return number === undefined ? undefined : fromHex(number.replaceAll('*', 'F') + end);
};

/** DFAE57 and DFAE6B: number, D, expiry, service code, the rest. */
const track57: Mask = (value, fill) => {
  const [, digitsShown = '', service = '', rest = ''] =
    /^([\dF]{12,19})D[\dF]{4}([\dF]{3})([\dF]*)$/.exec(hexOf(value)) ?? [];
  const number = numberOf(digitsShown);
  const digit = fill === 0 ? '0' : '9';
  if (number === undefined) return undefined;
  return fromHex(`${number.replaceAll('*', 'F')}D${digit.repeat(4)}${service}${digit.repeat(rest.length)}`);
};

/** DFAE22: track 2 as text between its sentinels, with stars. */
const track22: Mask = (value, fill) => {
  const text = Buffer.from(value).toString('latin1');
  const [, digitsShown = '', service = '', rest = '', end = ''] =
    /^;([\d*]{12,19})=[\d*]{4}([\d*]{3})([\d*]*)(\?\*?)$/.exec(text) ?? [];
  const number = numberOf(digitsShown.replaceAll('*', 'F'));
  if (number === undefined) return undefined;
  const expiry = (fill === 0 ? '0' : '9').repeat(4);
  return new Uint8Array(Buffer.from(`;${number}=${expiry}${service}${'*'.repeat(rest.length)}${end}`, 'latin1'));
};

/** DFA208: a typed number as text. */
const typed: Mask = (value) => {
  const text = Buffer.from(value).toString('latin1');
  const number = numberOf(text.replaceAll('*', 'F'));
  return number === undefined ? undefined : new Uint8Array(Buffer.from(number, 'latin1'));
};

/** By tag. One that gives nothing has a value of another shape, of which nothing is kept. */
export const keptMasks: Readonly<Record<string, Mask>> = {
  DFA208: typed,
  DFAE22: track22,
  DFAE57: track57,
  DFAE5A: digits,
  DFAE6B: track57,
};
