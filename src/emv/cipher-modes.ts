/**
 * ECB and CBC over any block cipher, whole blocks only. Each returns a new array and leaves its input unchanged. Copies
 * use `new Uint8Array`, never `slice`: the slice of a Buffer is a view of the same memory.
 */
import { Fault } from '../base/fault.ts';
import { wantBytes } from './want.ts';

/** A cipher under one key. Both directions work in place on the `size` bytes at `at`. */
export type BlockCipher = {
  readonly size: 8 | 16;
  encrypt(bytes: Uint8Array, at: number): void;
  decrypt(bytes: Uint8Array, at: number): void;
};

/** Throws `emv.malformed` unless the data consists of whole blocks. */
const wantBlocks = (cipher: BlockCipher, data: Uint8Array): void => {
  if (data.length % cipher.size !== 0) {
    const reason = `${data.length} bytes are not whole blocks of ${cipher.size}`;
    throw new Fault('emv.malformed', { what: 'Data for a block cipher', why: reason });
  }
};

/** ECB. Throws `emv.malformed` for an incomplete block. */
export const ecbEncrypt = (cipher: BlockCipher, data: Uint8Array): Uint8Array => {
  wantBlocks(cipher, data);
  const out = new Uint8Array(data);
  for (let i = 0; i < out.length; i += cipher.size) cipher.encrypt(out, i);
  return out;
};

/** ECB decryption. Throws `emv.malformed` for an incomplete block. */
export const ecbDecrypt = (cipher: BlockCipher, data: Uint8Array): Uint8Array => {
  wantBlocks(cipher, data);
  const out = new Uint8Array(data);
  for (let i = 0; i < out.length; i += cipher.size) cipher.decrypt(out, i);
  return out;
};

/** CBC; the initial vector is zero unless given. Throws `emv.malformed` for an incomplete block or vector. */
export const cbcEncrypt = (cipher: BlockCipher, data: Uint8Array, iv?: Uint8Array): Uint8Array => {
  wantBlocks(cipher, data);
  if (iv !== undefined) wantBytes('An initial vector', iv, [cipher.size]);
  const { size } = cipher;
  const out = new Uint8Array(data);
  for (let at = 0; at < out.length; at += size) {
    for (let index = 0; index < size; index += 1) {
      out[at + index] = (out[at + index] ?? 0) ^ (at === 0 ? (iv?.[index] ?? 0) : (out[at - size + index] ?? 0));
    }
    cipher.encrypt(out, at);
  }
  return out;
};

/**
 * CBC decryption; the initial vector is zero unless given. Throws `emv.malformed` for an incomplete block or vector.
 */
export const cbcDecrypt = (cipher: BlockCipher, data: Uint8Array, iv?: Uint8Array): Uint8Array => {
  wantBlocks(cipher, data);
  if (iv !== undefined) wantBytes('An initial vector', iv, [cipher.size]);
  const { size } = cipher;
  const out = new Uint8Array(data);
  for (let at = 0; at < out.length; at += size) {
    cipher.decrypt(out, at);
    for (let index = 0; index < size; index += 1) {
      out[at + index] = (out[at + index] ?? 0) ^ (at === 0 ? (iv?.[index] ?? 0) : (data[at - size + index] ?? 0));
    }
  }
  return out;
};

// Big-endian 32-bit words in bytes, without a DataView: the block ciphers read and write millions of them.

/** The word at `at`, signed as in bit operations. The four bytes must exist. */
export const wordAt = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) << 24) |
  ((bytes[offset + 1] as number) << 16) |
  ((bytes[offset + 2] as number) << 8) |
  (bytes[offset + 3] as number);

export const putWord = (bytes: Uint8Array, offset: number, word: number): void => {
  bytes[offset] = word >>> 24;
  bytes[offset + 1] = word >>> 16;
  bytes[offset + 2] = word >>> 8;
  bytes[offset + 3] = word;
};
