/** AES-128-CBC with a zero vector, by the platform: independent of the code under test. */
import { createDecipheriv } from 'node:crypto';

export const aesFor = (key: Uint8Array, bytes: Uint8Array): Uint8Array => {
  const cipher = createDecipheriv('aes-128-cbc', key, new Uint8Array(16)).setAutoPadding(false);
  return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final()]));
};
