/** DUKPT from the base derivation key to plain track data, compared with the npm package dukpt. */
import { createRequire } from 'node:module';
import { fromHex } from '../src/base/hex.ts';
import {
  tdesDecryptData,
  tdesEncryptData,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../src/emv/dukpt-tdes.ts';
import { type BenchResult, benchLine, measure } from './result.ts';

/** The part of the package that is used; it has no types. Its default key is the data request key. */
type Peer = new (
  bdk: string,
  ksn: string,
) => {
  dukptDecrypt(hex: string, options: { outputEncoding: 'ascii'; decryptionMode: '3DES' }): string;
};

const Dukpt = createRequire(import.meta.url)('dukpt') as Peer;

const bdk = '0123456789ABCDEFFEDCBA9876543210';
/** Counter 0FFC00: ten one-bits, the maximum and the most work for both. */
const ksn = 'FFFF9876543210EFFC00';
const track = '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?'.padEnd(64, '\0');

const dataKey = (): Uint8Array => {
  const serial = fromHex(ksn);
  return tdesWorkingKey(tdesTransactionKey(tdesInitialKey(fromHex(bdk), serial), serial), 'dataRequest');
};

const sealed = Buffer.from(tdesEncryptData(dataKey(), Buffer.from(track, 'latin1'))).toString('hex');

/** Hex in, text out, like the package, so that both sides include reading and writing. */
const decryptOurs = (): string => Buffer.from(tdesDecryptData(dataKey(), fromHex(sealed))).toString('latin1');
const decryptPeer = (): string =>
  new Dukpt(bdk, ksn).dukptDecrypt(sealed, { outputEncoding: 'ascii', decryptionMode: '3DES' });

/**
 * Initial key, working key at a counter of ten one-bits, 64 bytes decrypted. Wanted: at least four times the package's
 * speed.
 */
export const benchDukpt = (): BenchResult[] => {
  if (decryptOurs() !== track || decryptPeer() !== track)
    throw new Error('ours and the package disagree on the plain text');
  // The sum keeps the compiler from dropping work whose result is not used.
  let lengthSum = 0;
  const rates = measure(
    () => {
      lengthSum += decryptOurs().length;
    },
    () => {
      lengthSum += decryptPeer().length;
    },
  );
  if (lengthSum === 0) throw new Error('nothing was decrypted');
  return [{ name: 'TDES DUKPT, ten one-bits, 64 bytes decrypted', ...rates, peerName: 'dukpt', expected: 4 }];
};

if (import.meta.main) process.stdout.write(`${benchDukpt().map(benchLine).join('\n')}\n`);
