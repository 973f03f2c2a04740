/**
 * Triple DES DUKPT (ANSI X9.24-1): every transaction has its own key, derived from an initial key and the counter in
 * the key serial number. The terminal stores only the initial key, the host only the base derivation key.
 */
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import { cbcDecrypt, cbcEncrypt, ecbDecrypt, ecbEncrypt, putWord, wordAt } from './cipher-modes.ts';
import { desPair, expandDesKey } from './des.ts';
import { type CounterRule, counterIsValid, countersLeft, nextCounter } from './dukpt-counter.ts';
import { tdesForNow } from './tdes.ts';
import { wantBytes, wantKey } from './want.ts';

/** XORed onto both halves of the transaction key: word 0 and word 1 of a half. */
const variants = {
  pin: [0, 0x0000_00ff],
  macRequest: [0, 0x0000_ff00],
  macResponse: [0x0000_0000, 0xff00_0000],
  dataRequest: [0x0000_0000, 0x00ff_0000],
  dataResponse: [0x0000_00ff, 0x0000_0000],
  dataRequestVariantOnly: [0, 0x00ff_0000],
} as const;

/**
 * The purpose of a transaction's key. Some readers leave out the last step of the data keys and use only the variant.
 */
export type TdesUsage = keyof typeof variants;

const leftMask = 0xc0c0_c0c0;

// Working space. Every use begins and ends within one call, so that a derivation allocates only its result.
const single = new Int32Array(32);
const pair = new Int32Array(2);

/** The round keys of the left mask: XORed onto those of a key they give those of the masked key. */
const maskRounds = new Int32Array(32);
expandDesKey({ high: leftMask, low: 0 }, maskRounds, 0);

/**
 * The initial key (IK, IPEK) of the device a key serial number belongs to: 16 bytes. The base derivation key has 16
 * bytes, the serial number 10, or 8 without its leading FFFF. Throws `key.malformed`.
 */
export const tdesInitialKey = (bdk: Uint8Array, ksn: Uint8Array): Uint8Array => {
  wantKey('A base derivation key', bdk, [16]);
  const id = new Uint8Array(paddedKsn(ksn).subarray(0, 8));
  id[7] = (id[7] as number) & 0xe0;
  const key = new Uint8Array(16);
  key.set(id);
  key.set(id, 8);
  const masked = new Uint8Array(bdk);
  putWord(masked, 0, wordAt(bdk, 0) ^ leftMask);
  putWord(masked, 8, wordAt(bdk, 8) ^ leftMask);
  tdesForNow(bdk).encrypt(key, 0);
  tdesForNow(masked).encrypt(key, 8);
  return key;
};

/**
 * The transaction key of a key serial number, before any variant: 16 bytes. Throws `key.malformed` for wrong lengths
 * and for a counter that no device uses: zero, or more than ten one-bits.
 */
export const tdesTransactionKey = (ik: Uint8Array, ksn: Uint8Array): Uint8Array => {
  wantKey('An initial key', ik, [16]);
  const serial = paddedKsn(ksn);
  if (!tdesKsnIsValid(serial)) {
    const reason = 'its counter is zero or has more than ten one-bits';
    throw new Fault('key.malformed', { what: `Key serial number ${toHex(serial)}`, why: reason });
  }
  const counter = counterOf(serial);
  const high = wordAt(serial, 2);
  const low = wordAt(serial, 6) & 0xffe0_0000;
  let left0 = wordAt(ik, 0);
  let left1 = wordAt(ik, 4);
  let right0 = wordAt(ik, 8);
  let right1 = wordAt(ik, 12);
  let reached = 0;
  for (let bit = 0x10_0000; bit > 0; bit >>>= 1) {
    if ((counter & bit) === 0) continue;
    reached |= bit;
    const data1 = low | reached;
    // The non-reversible step: both new halves are the register encrypted under the old left half, once plain, once
    // masked.
    expandDesKey({ high: left0, low: left1 }, single, 0);
    pair[0] = high ^ right0;
    pair[1] = data1 ^ right1;
    desPair(single, pair);
    const newRight0 = (pair[0] as number) ^ right0;
    const newRight1 = (pair[1] as number) ^ right1;
    for (let index = 0; index < 32; index += 1)
      single[index] = (single[index] as number) ^ (maskRounds[index] as number);
    right0 ^= leftMask;
    pair[0] = high ^ right0;
    pair[1] = data1 ^ right1;
    desPair(single, pair);
    left0 = (pair[0] as number) ^ right0;
    left1 = (pair[1] as number) ^ right1;
    right0 = newRight0;
    right1 = newRight1;
  }
  const key = new Uint8Array(16);
  putWord(key, 0, left0);
  putWord(key, 4, left1);
  putWord(key, 8, right0);
  putWord(key, 12, right1);
  return key;
};

/** The key for one usage, from a transaction key: 16 bytes, parity unadjusted. Throws `key.malformed`. */
export const tdesWorkingKey = (transactionKey: Uint8Array, usage: TdesUsage): Uint8Array => {
  wantKey('A transaction key', transactionKey, [16]);
  const [word0, word1] = variants[usage];
  const key = new Uint8Array(16);
  for (let i = 0; i < 16; i += 8) {
    putWord(key, i, wordAt(transactionKey, i) ^ word0);
    putWord(key, i + 4, wordAt(transactionKey, i + 4) ^ word1);
  }
  if (usage !== 'dataRequest' && usage !== 'dataResponse') return key;
  const cipher = tdesForNow(key);
  cipher.encrypt(key, 0);
  cipher.encrypt(key, 8);
  return key;
};

/** Encrypts in CBC with a zero vector; an incomplete last block is padded with zeros. Throws `key.malformed`. */
export const tdesEncryptData = (dataKey: Uint8Array, bytes: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
  whole.set(bytes);
  return cbcEncrypt(tdesForNow(dataKey), whole);
};

/** Decrypts CBC with a zero vector; padding stays. Throws `key.malformed`, `emv.malformed` for an incomplete block. */
export const tdesDecryptData = (dataKey: Uint8Array, bytes: Uint8Array): Uint8Array =>
  cbcDecrypt(tdesForNow(dataKey), bytes);

/** Encrypts a clear PIN block of 8 bytes. Throws `key.malformed`, `emv.malformed`. */
export const tdesEncryptPinBlock = (pinKey: Uint8Array, block: Uint8Array): Uint8Array => {
  wantBytes('A PIN block', block, [8]);
  return ecbEncrypt(tdesForNow(pinKey), block);
};

/** Decrypts a PIN block of 8 bytes. Throws `key.malformed`, `emv.malformed`. */
export const tdesDecryptPinBlock = (pinKey: Uint8Array, block: Uint8Array): Uint8Array => {
  wantBytes('An encrypted PIN block', block, [8]);
  return ecbDecrypt(tdesForNow(pinKey), block);
};

// The key serial number of Triple DES DUKPT (ANSI X9.24-1): 59 bits of identity, then a 21-bit counter.

const rule: CounterRule = { bits: 21, onesMost: 10 };

/** The 10 bytes of a key serial number; one of 8 bytes gets its leading FFFF back. Throws `key.malformed`. */
const paddedKsn = (ksn: Uint8Array): Uint8Array => {
  if (ksn.length === 10) return ksn;
  if (ksn.length !== 8) {
    const reason = `it must have 10 bytes, or 8 without the leading FFFF, not ${ksn.length}`;
    throw new Fault('key.malformed', { what: 'A key serial number', why: reason });
  }
  const whole = new Uint8Array(10).fill(0xff);
  whole.set(ksn, 2);
  return whole;
};

/** The counter of a key serial number of 10 bytes. */
const counterOf = (ksn: Uint8Array): number => (((ksn[7] ?? 0) & 0x1f) << 16) | ((ksn[8] ?? 0) << 8) | (ksn[9] ?? 0);

/** Whether a device can have used it: the counter is not zero and has at most ten one-bits. Throws `key.malformed`. */
export const tdesKsnIsValid = (ksn: Uint8Array): boolean => counterIsValid(counterOf(paddedKsn(ksn)), rule);

/** The next valid key serial number, 10 bytes, or undefined when the last key is used up. Throws `key.malformed`. */
export const tdesKsnAdvance = (ksn: Uint8Array): Uint8Array | undefined => {
  const whole = paddedKsn(ksn);
  const counter = nextCounter(counterOf(whole), rule);
  if (counter === undefined) return undefined;
  const out = Uint8Array.from(whole);
  out[7] = ((whole[7] ?? 0) & 0xe0) | (counter >>> 16);
  out[8] = counter >>> 8;
  out[9] = counter;
  return out;
};

/** How many valid key serial numbers come after this one: 1,048,575 at counter zero. Throws `key.malformed`. */
export const tdesKsnUsesLeft = (ksn: Uint8Array): number => countersLeft(counterOf(paddedKsn(ksn)), rule);
