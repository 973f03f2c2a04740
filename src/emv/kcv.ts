/** Key check values: a few bytes that tell whether two sides hold the same key, without telling the key. */
import { createHmac } from 'node:crypto';
import { aes } from './aes.ts';
import { cmac } from './mac.ts';
import { tdes } from './tdes.ts';
import { wantKey, wantMacLength } from './want.ts';

/** A block of zeros encrypted; CMAC over a block of zeros (X9.24-3) or over nothing; HMAC-SHA-256 over nothing. */
export type KcvMethod = 'tdesZeros' | 'aesZeros' | 'aesCmacZeros' | 'aesCmacEmpty' | 'hmacEmpty';

/** The first `length` bytes, 3 unless given, of the method's result under the key. Throws `key.malformed`. */
export const kcv = (method: KcvMethod, key: Uint8Array, length = 3): Uint8Array => {
  wantMacLength(length, 8);
  return checkBlock(method, key).slice(0, length);
};

const checkBlock = (method: KcvMethod, key: Uint8Array): Uint8Array => {
  const zeros = new Uint8Array(method === 'tdesZeros' ? 8 : 16);
  switch (method) {
    case 'tdesZeros':
      tdes(key).encrypt(zeros, 0);
      return zeros;
    case 'aesZeros':
      aes(key).encrypt(zeros, 0);
      return zeros;
    case 'aesCmacZeros':
      return cmac({ algorithm: 'AES', key, data: zeros });
    case 'aesCmacEmpty':
      return cmac({ algorithm: 'AES', key, data: new Uint8Array() });
    case 'hmacEmpty':
      wantKey('An HMAC key', key, [16, 24, 32]);
      return new Uint8Array(createHmac('sha256', key).digest());
  }
};
