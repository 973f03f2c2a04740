/** The HSM's side of DUKPT: every way in which a terminal may have encrypted under a key serial number. */
import { fromHex } from '../../../base/hex.ts';
import { aesDecryptData, aesInitialKey, aesTransactionKey, aesWorkingKey } from '../../../emv/dukpt-aes.ts';
import { tdesDecryptData, tdesInitialKey, tdesTransactionKey, tdesWorkingKey } from '../../../emv/dukpt-tdes.ts';
import type { KeySerial } from './key-serial.ts';

export type BaseKeys = Readonly<Record<'bdk' | 'bdkAes128' | 'bdkAes256', Uint8Array>>;

/** Opens account data: CBC from a zero vector. The plain text is the caller's to wipe. */
export type Decipher = (cipher: Uint8Array) => Uint8Array;

export const tdesKey = ({ bdk }: BaseKeys, { bytes }: KeySerial, usage: 'pin' | 'dataRequest'): Uint8Array =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(bdk, bytes), bytes), usage);

/** The working keys of both lengths; the serial number does not tell which of the two the device was loaded for. */
export const aesKeys = (keys: BaseKeys, { bytes: ksn }: KeySerial, usage: 'pin' | 'dataEnc'): (() => Uint8Array)[] => {
  const working = (bdk: Uint8Array, keyType: 'AES128' | 'AES256') => () =>
    aesWorkingKey(aesTransactionKey(aesInitialKey(bdk, ksn.subarray(0, 8)), ksn), { ksn, usage, keyType });
  return [working(keys.bdkAes128, 'AES128'), working(keys.bdkAes256, 'AES256')];
};

/**
 * The ways to open `size` bytes of account data, the usual first. Under Triple DES DUKPT: Triple DES, then AES-128 with
 * the 16 bytes of the same data key, as ID TECH readers set up for AES encrypt. Under AES DUKPT: AES-128, then AES-256.
 */
export const deciphersFor = (keys: BaseKeys, serial: KeySerial, size: number): Decipher[] => {
  const isAesSize = size % 16 === 0;
  if (serial.scheme === 'aes') {
    if (!isAesSize) return [];
    return aesKeys(keys, serial, 'dataEnc').map((key) => (cipher) => aesDecryptData(key(), cipher));
  }
  const key = tdesKey(keys, serial, 'dataRequest');
  const tdes: Decipher = (cipher) => tdesDecryptData(key, cipher);
  return isAesSize ? [tdes, (cipher) => aesDecryptData(key, cipher)] : [tdes];
};

const CIPHER_MAX_BYTES = 1024;

/** Hex of whole blocks of 8 bytes, up to 1024 bytes. Undefined for anything else. */
export const wholeBlocks = (hex: string): Uint8Array | undefined => {
  const ok =
    hex.length > 0 && hex.length <= 2 * CIPHER_MAX_BYTES && hex.length % 16 === 0 && /^[0-9A-Fa-f]+$/.test(hex);
  return ok ? fromHex(hex) : undefined;
};
