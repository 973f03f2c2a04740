/** Derives the card's master key from the issuer's, and from it the key of one transaction (EMV Book 2, Annex A1). */
import { createHash } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import { concat, fromHex } from '../base/hex.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantDigits, wantKey } from './want.ts';

/** How the card's master key is derived; the options differ only for PANs of more than 16 digits. */
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

/** The 8 bytes that represent a card in the derivation of its master key. Throws `emv.malformed`. */
const cardBlock = ({ pan, psn, option }: CardIdentity): Uint8Array => {
  wantDigits('A PAN', pan, { least: 8, most: 19 });
  wantDigits('A PAN sequence number', psn, { least: 2, most: 2 });
  const digits = pan + psn;
  if (option === 'A' || pan.length <= 16) return fromHex(digits.padStart(16, '0').slice(-16));
  const hash = createHash('sha1').update(fromHex(digits.padStart(digits.length + (digits.length % 2), '0')));
  return fromHex(firstDecimals(hash.digest('hex'), 16));
};

/**
 * Decimalisation as in EMV option B, CVV and PVV: the decimal digits of the hex text from the left, then, if there are
 * fewer than `count`, its letters from the left, a as 0 to f as 5.
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

/** A copy of the key with odd parity. DES ignores that bit, but EMV compares and XORs whole keys. */
export const oddParity = (key: Uint8Array): Uint8Array =>
  key.map((byte) => {
    let folded = byte >> 1;
    folded ^= folded >> 4;
    folded ^= folded >> 2;
    folded ^= folded >> 1;
    return (byte & 0xfe) | (~folded & 1);
  });

// The session key of EMV 2000: a tree of keys over the ATC. EMVCo withdrew it in 2005; old cards still use it.

export type Tree = {
  /** The ATC (9F36), 2 bytes. */
  atc: Uint8Array;
  /** Levels of the tree, and branches at each node: 8 and 4, or 16 and 2. */
  height: 8 | 16;
  branchFactor: 2 | 4;
  /** 16 bytes; zero unless given. */
  iv?: Uint8Array;
};

/**
 * The session key of a transaction: 16 bytes, odd parity. Throws `key.malformed`, `emv.malformed`. EMV 2000 Book 2,
 * A1.3.
 */
export const emv2000SessionKey = (mk: Uint8Array, { atc, height, branchFactor, iv }: Tree): Uint8Array => {
  wantKey('A card master key', mk, [16]);
  wantBytes('The ATC', atc, [2]);
  const top = iv ?? new Uint8Array(16);
  wantBytes('The initial vector of the key tree', top, [16]);
  if (branchFactor ** height !== 0x1_0000) {
    throw new Fault('emv.malformed', { what: 'A key tree', why: 'its leaves must be as many as there are counters' });
  }
  const counter = ((atc[0] ?? 0) << 8) | (atc[1] ?? 0);
  let grandparent = top;
  let parent = mk;
  for (let level = 1; level < height; level += 1) {
    const key = deriveChild(parent, grandparent, {
      counter: Math.floor(counter / branchFactor ** (height - level)),
      branchFactor,
    });
    grandparent = parent;
    parent = key;
  }
  // The leaf itself is XORed with its grandparent, which makes the derivation irreversible.
  const leaf = deriveChild(parent, grandparent, { counter, branchFactor });
  return oddParity(leaf.map((byte, index) => byte ^ (grandparent[index] ?? 0)));
};

type Branch = { counter: number; branchFactor: number };

/** The key of one branch: both halves of the grandparent, numbered, encrypted under the parent. */
const deriveChild = (parent: Uint8Array, grandparent: Uint8Array, { counter, branchFactor }: Branch): Uint8Array => {
  const key = Uint8Array.from(grandparent);
  const branch = counter % branchFactor;
  key[7] = (key[7] ?? 0) ^ branch;
  key[15] = (key[15] ?? 0) ^ 0xf0 ^ branch;
  const cipher = tdes(parent);
  cipher.encrypt(key, 0);
  cipher.encrypt(key, 8);
  return key;
};
