/** One DUKPT key of a simulated terminal: its counter, and what it does under the key of the next serial number. */
import { Fault } from '../../src/base/fault.ts';
import { toHex } from '../../src/base/hex.ts';
import type { Random } from '../../src/base/ids.ts';
import {
  type AesUsage,
  aesEncryptData,
  aesInitialKey,
  aesKsnAdvance,
  aesKsnUsesLeft,
  aesMac,
  aesTransactionKey,
  aesWorkingKey,
} from '../../src/emv/dukpt-aes.ts';
import {
  tdesEncryptData,
  tdesEncryptPinBlock,
  tdesInitialKey,
  tdesKsnAdvance,
  tdesKsnUsesLeft,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../src/emv/dukpt-tdes.ts';
import { retailMac } from '../../src/emv/mac.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { encryptPinBlock4 } from '../../src/emv/pin-block-4.ts';

/** Triple DES DUKPT (ANSI X9.24-1, serial numbers of 10 bytes) or AES DUKPT (ANSI X9.24-3, 12 bytes). */
export type DukptScheme = 'tdesDukpt' | 'aes128Dukpt' | 'aes256Dukpt';

/**
 * The cipher. Under Triple DES DUKPT some readers take the 16 bytes of the working key for AES-128; under AES DUKPT
 * everything is AES, whatever is asked for.
 */
export type Cipher = 'tdes' | 'aes';

/** What can be done under one serial number. */
export type WorkingKeys = {
  readonly ksn: Uint8Array;
  /** CBC, zero IV, zero padding to whole blocks. */
  data(plain: Uint8Array, how: Cipher): Uint8Array;
  /** ISO 9564 format 0 under Triple DES, format 4 under AES. Throws `pin.block`. */
  pin(pin: string, pan: string, how: Cipher): Uint8Array;
  /** Four bytes: ISO 9797-1 algorithm 3 with zero padding, or CMAC under AES DUKPT. */
  mac(message: Uint8Array): Uint8Array;
};

export type DukptKey = {
  /** The keys of the next serial number. Throws `key.exhausted`. */
  next(): WorkingKeys;
  /** The last serial number used and how many are left. */
  state(): { ksn: Uint8Array; usesLeft: number };
};

export type DukptKeyOptions = { scheme: DukptScheme; bdk: Uint8Array; firstKsn: Uint8Array; random: Random };

export const dukptKey = (options: DukptKeyOptions): DukptKey => {
  const { scheme, bdk, firstKsn } = options;
  const tdes = scheme === 'tdesDukpt';
  const initialKey = tdes ? tdesInitialKey(bdk, firstKsn) : aesInitialKey(bdk, firstKsn.subarray(0, 8));
  let ksn = firstKsn;
  return {
    next() {
      const advanced = tdes ? tdesKsnAdvance(ksn) : aesKsnAdvance(ksn);
      if (advanced === undefined) throw new Fault('key.exhausted', { ksn: toHex(ksn) });
      ksn = advanced;
      return tdes ? tdesKeys(initialKey, ksn, options) : aesKeys(initialKey, ksn, options);
    },
    state: () => ({ ksn, usesLeft: tdes ? tdesKsnUsesLeft(ksn) : aesKsnUsesLeft(ksn) }),
  };
};

const tdesKeys = (initialKey: Uint8Array, ksn: Uint8Array, { random }: DukptKeyOptions): WorkingKeys => {
  const key = tdesTransactionKey(initialKey, ksn);
  return {
    ksn,
    data(plain, how) {
      const working = tdesWorkingKey(key, 'dataRequest');
      return how === 'aes' ? aesEncryptData(working, plain) : tdesEncryptData(working, plain);
    },
    pin(pin, pan, how) {
      const working = tdesWorkingKey(key, 'pin');
      if (how === 'aes') return encryptPinBlock4({ key: working, pin, pan, random: random(8) });
      return tdesEncryptPinBlock(working, encodePinBlock({ format: 0, pin, pan }));
    },
    mac: (data) => retailMac({ key: tdesWorkingKey(key, 'macRequest'), data, padding: 1, length: 4 }),
  };
};

const aesKeys = (initialKey: Uint8Array, ksn: Uint8Array, { scheme, random }: DukptKeyOptions): WorkingKeys => {
  const key = aesTransactionKey(initialKey, ksn);
  const keyType = scheme === 'aes256Dukpt' ? 'AES256' : 'AES128';
  const working = (usage: AesUsage): Uint8Array => aesWorkingKey(key, { ksn, usage, keyType });
  return {
    ksn,
    data: (plain) => aesEncryptData(working('dataEnc'), plain),
    pin: (pin, pan) => encryptPinBlock4({ key: working('pin'), pin, pan, random: random(8) }),
    mac: (message) => aesMac('CMAC', working('macGen'), message).slice(0, 4),
  };
};
