/** The data of a token, decrypted: AES in Galois/Counter Mode with an IV of zeros, since every key is used once. */
import { createDecipheriv } from 'node:crypto';
import { orRefuse } from '../token.ts';

const TAG_BYTES = 16;
const IV = new Uint8Array(16);

/** Keys of 32 bytes for EC_v1, of 16 for RSA_v1; the tag ends the data. Throws what cannot be authenticated. */
export const decryptData = (key: Buffer, data: Buffer): Buffer => {
  const cipher = key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm';
  const end = data.length - TAG_BYTES;
  if (end <= 0) throw new RangeError('too short');
  const opening = createDecipheriv(cipher, key, IV, { authTagLength: TAG_BYTES });
  opening.setAuthTag(data.subarray(end));
  return Buffer.concat([opening.update(data.subarray(0, end)), opening.final()]);
};

/** The same words for every failure. Throws `wallet.refused`. */
export const decrypted = (data: string, keyOf: () => Buffer): string =>
  orRefuse('it cannot be decrypted with this channel’s key', () =>
    decryptData(keyOf(), Buffer.from(data, 'base64')).toString('utf8'),
  );
