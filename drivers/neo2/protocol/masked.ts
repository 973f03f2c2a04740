/** Masked card numbers and tracks of NEO 2 readers, made equal: C nibbles in bytes, stars in text. */
import { toHex } from '../../../src/base/hex.ts';
import { normalMask, serviceCodeOf } from '../../masked-pan.ts';
import { present } from '../../present.ts';

export type Neo2MaskedTrack2 = {
  /** First six at most, stars, last four. */
  maskedPan: string;
  /** Undefined where the reader masks it too. */
  serviceCode?: string;
};

const digitsOf = (bytes: Uint8Array): string => toHex(bytes).replace(/F$/, '').replace(/[CF]/g, '*');

/** Tag 5A. */
export const maskOfNumber = (bytes: Uint8Array): string => normalMask(digitsOf(bytes));

/** Tags 57 and 9F6B: number, D, expiry, service code, the rest. Undefined when there is no separator. */
export const maskOfTag57 = (bytes: Uint8Array): Neo2MaskedTrack2 | undefined => {
  const [number, rest] = digitsOf(bytes).split('D');
  return number === undefined || rest === undefined ? undefined : masked(number, rest);
};

/** Track 2 as text, with its sentinels. */
export const maskOfTrack2 = (text: string): Neo2MaskedTrack2 | undefined => {
  const [, number, rest] = /;([\d*]{12,19})=([\d*]{4,20})/.exec(text) ?? [];
  return number === undefined || rest === undefined ? undefined : masked(number, rest);
};

const masked = (number: string, rest: string): Neo2MaskedTrack2 => ({
  maskedPan: normalMask(number),
  ...present({ serviceCode: serviceCodeOf(rest) }),
});
