/** Message authentication codes over TDES and AES: ISO/IEC 9797-1 algorithms 1 and 3, and CMAC (SP 800-38B). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { aes } from './aes.ts';
import type { BlockCipher } from './cipher-modes.ts';
import { des, tdes } from './tdes.ts';
import { wantKey, wantMacLength } from './want.ts';

export type MacInput = {
  /** 16 bytes. */
  key: Uint8Array;
  data: Uint8Array;
  padding: PaddingMethod;
  /** How many of the leftmost bytes are kept, 8 unless given. */
  length?: number;
};

/**
 * Retail MAC, ISO/IEC 9797-1 algorithm 3: single DES in CBC under the left key, the last block then decrypted under the
 * right and encrypted under the left one. Throws `key.malformed`, `emv.malformed`.
 */
export const retailMac = ({ key, data, padding, length = 8 }: MacInput): Uint8Array => {
  wantKey('A key for a retail MAC', key, [16]);
  wantMacLength(length, 8);
  const left = des(key.subarray(0, 8));
  const last = lastBlock(left, pad(padding, data, 8));
  des(key.subarray(8)).decrypt(last, 0);
  left.encrypt(last, 0);
  return last.slice(0, length);
};

/**
 * CBC-MAC with Triple DES, ISO/IEC 9797-1 algorithm 1. 16 or 24 bytes of key. Throws `key.malformed`, `emv.malformed`.
 */
export const cbcMac = ({ key, data, padding, length = 8 }: MacInput): Uint8Array => {
  wantMacLength(length, 8);
  return lastBlock(tdes(key), pad(padding, data, 8)).slice(0, length);
};

/** Encrypts in CBC with a zero vector and returns only the last block. Overwrites the padded data. */
const lastBlock = (cipher: BlockCipher, padded: Uint8Array): Uint8Array => {
  const { size } = cipher;
  cipher.encrypt(padded, 0);
  for (let at = size; at < padded.length; at += size) {
    for (let index = at; index < at + size; index += 1)
      padded[index] = (padded[index] ?? 0) ^ (padded[index - size] ?? 0);
    cipher.encrypt(padded, at);
  }
  return padded.slice(-size);
};

export type CmacInput = { algorithm: 'TDES' | 'AES'; key: Uint8Array; data: Uint8Array; length?: number };

/** CMAC, `length` leftmost bytes of a block, the whole one unless given. Throws `key.malformed`, `emv.malformed`. */
export const cmac = ({ algorithm, key, data, length }: CmacInput): Uint8Array => {
  const cipher = algorithm === 'AES' ? aes(key) : tdes(key);
  const { size } = cipher;
  wantMacLength(length ?? size, size);
  const zero = new Uint8Array(size);
  cipher.encrypt(zero, 0);
  const first = double(zero);
  const whole = data.length > 0 && data.length % size === 0;
  const mask = whole ? first : double(first);
  const padded = whole ? Uint8Array.from(data) : pad(2, data, size);
  const start = padded.length - size;
  for (let index = 0; index < size; index += 1)
    padded[start + index] = (padded[start + index] ?? 0) ^ (mask[index] ?? 0);
  return lastBlock(cipher, padded).slice(0, length ?? size);
};

/** The block times x in the field of CMAC: one bit to the left, reduced by 1B (8 bytes) or 87 (16 bytes). */
const double = (block: Uint8Array): Uint8Array => {
  const out = block.map((byte, index) => (byte << 1) | ((block[index + 1] ?? 0) >> 7));
  const carry = (block[0] ?? 0) >> 7;
  const last = block.length - 1;
  out[last] = (out[last] ?? 0) ^ (carry * (block.length === 8 ? 0x1b : 0x87));
  return out;
};

/**
 * Whether two MACs or cryptograms are equal, in a time that depends only on their length. Empty ones and those of
 * different lengths never are.
 */
export const macEquals = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length > 0 && left.length === right.length && timingSafeEqual(left, right);

// The paddings of ISO/IEC 9797-1: how data is extended to whole blocks before a MAC.

/** 1: zeros up to a whole block. 2: a byte 80, then zeros. 3: a block with the length in bits in front, then as 1. */
export type PaddingMethod = 1 | 2 | 3;

const padZeros = (data: Uint8Array, block: number): Uint8Array => {
  const out = new Uint8Array(Math.max(Math.ceil(data.length / block) * block, block));
  out.set(data);
  return out;
};

/**
 * The data as whole blocks of `block` bytes, in a new array. Method 1 adds nothing to whole blocks, but empty data
 * becomes one block of zeros; method 2 always adds.
 */
export const pad = (method: PaddingMethod, data: Uint8Array, block: number): Uint8Array => {
  if (method === 1) return padZeros(data, block);
  if (method === 2) {
    const out = new Uint8Array((Math.floor(data.length / block) + 1) * block);
    out.set(data);
    out[data.length] = 0x80;
    return out;
  }
  const padded = padZeros(data, block);
  const out = new Uint8Array(block + padded.length);
  // The bit count of any array fits into 53 bits: written as two words from the right.
  const view = new DataView(out.buffer);
  view.setUint32(block - 4, (data.length * 8) >>> 0);
  view.setUint32(block - 8, Math.floor(data.length / 2 ** 29));
  out.set(padded, block);
  return out;
};

// Key check values: a few bytes that show whether two sides have the same key, without revealing it.

/** A block of zeros encrypted; CMAC over a block of zeros (X9.24-3) or over nothing; HMAC-SHA-256 over nothing. */
export type KcvMethod = 'tdesZeros' | 'aesZeros' | 'aesCmacZeros' | 'aesCmacEmpty' | 'hmacEmpty';

/** The first `length` bytes, 3 unless given, of the method's result under the key. Throws `key.malformed`. */
export const kcv = (method: KcvMethod, key: Uint8Array, length = 3): Uint8Array => {
  wantMacLength(length, 8);
  return checkBlock(method, key).slice(0, length);
};

const checkBlock = (method: KcvMethod, key: Uint8Array): Uint8Array => {
  const padZeros = new Uint8Array(method === 'tdesZeros' ? 8 : 16);
  switch (method) {
    case 'tdesZeros':
      tdes(key).encrypt(padZeros, 0);
      return padZeros;
    case 'aesZeros':
      aes(key).encrypt(padZeros, 0);
      return padZeros;
    case 'aesCmacZeros':
      return cmac({ algorithm: 'AES', key, data: padZeros });
    case 'aesCmacEmpty':
      return cmac({ algorithm: 'AES', key, data: new Uint8Array() });
    case 'hmacEmpty':
      wantKey('An HMAC key', key, [16, 24, 32]);
      return new Uint8Array(createHmac('sha256', key).digest());
  }
};
