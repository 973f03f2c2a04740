/** From the issuer's master key to the card's, and on to the key of one transaction (EMV Book 2, Annex A1). */
import { createHash } from 'node:crypto';
import { concat, fromHex } from '../base/hex.ts';
import { oddParity } from './parity.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantDigits, wantKey } from './want.ts';

/** How the card's master key is derived; they differ for PANs of more than 16 digits only. */
export type DerivationOption = 'A' | 'B';

export type CardIdentity = {
  /** 8 to 19 digits. */
  pan: string;
  /** Application PAN sequence number, two digits; a card without one has `00`. */
  psn: string;
  option: DerivationOption;
};

/**
 * The card's master key (ICC master key): 16 bytes, odd parity. The issuer's master key has 16 bytes.
 * Throws `key.malformed`, `emv.malformed`. EMV Book 2, A1.4.
 */
export const iccMasterKey = ({ imk, ...card }: CardIdentity & { imk: Uint8Array }): Uint8Array => {
  wantKey('An issuer master key', imk, [16]);
  const left = cardBlock(card);
  const right = left.map((byte) => ~byte);
  const cipher = tdes(imk);
  cipher.encrypt(left, 0);
  cipher.encrypt(right, 0);
  return oddParity(concat(left, right));
};

/** The 8 bytes that stand for a card in the derivation of its master key. Throws `emv.malformed`. */
const cardBlock = ({ pan, psn, option }: CardIdentity): Uint8Array => {
  wantDigits('A PAN', pan, { least: 8, most: 19 });
  wantDigits('A PAN sequence number', psn, { least: 2, most: 2 });
  const digits = pan + psn;
  if (option === 'A' || pan.length <= 16) return fromHex(digits.padStart(16, '0').slice(-16));
  const hash = createHash('sha1').update(fromHex(digits.padStart(digits.length + (digits.length % 2), '0')));
  return fromHex(firstDecimals(hash.digest('hex'), 16));
};

/**
 * Decimalisation as EMV option B, CVV and PVV have it: the decimal digits of the hex text from the left, then, if they
 * are fewer than `count`, its letters from the left, a as 0 to f as 5.
 */
export const firstDecimals = (hex: string, count: number): string => {
  const lower = hex.toLowerCase();
  const letters = lower.replace(/[0-9]/g, '').replace(/[a-f]/g, (letter) => String('abcdef'.indexOf(letter)));
  return (lower.replace(/[a-f]/g, '') + letters).slice(0, count);
};

/**
 * The common session key: 16 bytes, odd parity. `r` is 8 bytes: the ATC and zeros for cryptograms, the cryptogram
 * itself for secure messaging. Throws `key.malformed`, `emv.malformed`. EMV Book 2, A1.3.1.
 */
export const commonSessionKey = (mk: Uint8Array, r: Uint8Array): Uint8Array => {
  wantKey('A card master key', mk, [16]);
  wantBytes('The diversification of a session key', r, [8]);
  const left = Uint8Array.from(r);
  const right = Uint8Array.from(r);
  left[2] = 0xf0;
  right[2] = 0x0f;
  const cipher = tdes(mk);
  cipher.encrypt(left, 0);
  cipher.encrypt(right, 0);
  return oddParity(concat(left, right));
};

/** The common session key for application cryptograms. The ATC (9F36) has 2 bytes. Throws as `commonSessionKey`. */
export const acSessionKey = (mk: Uint8Array, atc: Uint8Array): Uint8Array => {
  wantBytes('The ATC', atc, [2]);
  return commonSessionKey(mk, concat(atc, new Uint8Array(6)));
};

/**
 * Mastercard's own session key for application cryptograms: the ATC (9F36, 2 bytes) and the unpredictable number
 * (9F37, 4 bytes). Throws as `commonSessionKey`. M/Chip cryptogram versions 10 and 11.
 */
export const mastercardSessionKey = (mk: Uint8Array, { atc, un }: { atc: Uint8Array; un: Uint8Array }): Uint8Array => {
  wantBytes('The ATC', atc, [2]);
  wantBytes('The unpredictable number', un, [4]);
  return commonSessionKey(mk, concat(atc, new Uint8Array(2), un));
};

/**
 * Visa's session key for secure messaging: the ATC (2 bytes) on the left half, its complement on the right half, odd
 * parity. Throws `key.malformed`, `emv.malformed`. VIS, secure messaging.
 */
export const visaSmSessionKey = (mk: Uint8Array, atc: Uint8Array): Uint8Array => {
  wantKey('A card master key', mk, [16]);
  wantBytes('The ATC', atc, [2]);
  const key = Uint8Array.from(mk);
  for (const index of [0, 1]) {
    key[6 + index] = (key[6 + index] ?? 0) ^ (atc[index] ?? 0);
    key[14 + index] = (key[14 + index] ?? 0) ^ ~(atc[index] ?? 0);
  }
  return oddParity(key);
};
