/**
 * The DUKPT keys inside a simulated terminal: a slot for account data (SRED), one for PINs, one for message
 * authentication. The counters live in memory only; the key set ids come from the random source, so that a restarted
 * device does not repeat serial numbers.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
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
import { encodePinBlock, encryptPinBlock4 } from '../../src/emv/pin-block.ts';
import { testKeys } from '../../src/emv/test-cards.ts';

// One DUKPT key of a simulated terminal: its counter, and its operations under the next serial number's key.

/** Triple DES DUKPT (ANSI X9.24-1, serial numbers of 10 bytes) or AES DUKPT (ANSI X9.24-3, 12 bytes). */
export type DukptScheme = 'tdesDukpt' | 'aes128Dukpt' | 'aes256Dukpt';

/**
 * The cipher. Under Triple DES DUKPT some readers use the 16 bytes of the working key for AES-128; under AES DUKPT
 * everything is AES, whatever is requested.
 */
export type Cipher = 'tdes' | 'aes';

/** The operations under one serial number. */
export type WorkingKeys = {
  readonly ksn: Uint8Array;
  /** CBC, zero IV, zero padding to whole blocks. */
  encryptData(plain: Uint8Array, how: Cipher): Uint8Array;
  /** ISO 9564 format 0 under Triple DES, format 4 under AES. Throws `pin.block`. */
  encryptPin(encryptPin: string, pan: string, how: Cipher): Uint8Array;
  /** Four bytes: ISO 9797-1 algorithm 3 with zero padding, or CMAC under AES DUKPT. */
  mac(message: Uint8Array): Uint8Array;
};

export type DukptKey = {
  /** The keys of the next serial number. Throws `key.exhausted`. */
  nextKeys(): WorkingKeys;
  /** The last serial number used, and how many are left. */
  state(): { ksn: Uint8Array; usesLeft: number };
};

export type DukptKeyOptions = { scheme: DukptScheme; bdk: Uint8Array; firstKsn: Uint8Array; random: Random };

const createDukptKey = (options: DukptKeyOptions): DukptKey => {
  const { scheme, bdk, firstKsn } = options;
  const tdes = scheme === 'tdesDukpt';
  const initialKey = tdes ? tdesInitialKey(bdk, firstKsn) : aesInitialKey(bdk, firstKsn.subarray(0, 8));
  let ksn = firstKsn;
  return {
    nextKeys() {
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
    encryptData(plain, how) {
      const workingKey = tdesWorkingKey(key, 'dataRequest');
      return how === 'aes' ? aesEncryptData(workingKey, plain) : tdesEncryptData(workingKey, plain);
    },
    encryptPin(pin, pan, how) {
      const workingKey = tdesWorkingKey(key, 'pin');
      if (how === 'aes') return encryptPinBlock4({ key: workingKey, pin, pan, random: random(8) });
      return tdesEncryptPinBlock(workingKey, encodePinBlock({ format: 0, pin, pan }));
    },
    mac: (data) => retailMac({ key: tdesWorkingKey(key, 'macRequest'), data, padding: 1, length: 4 }),
  };
};

const aesKeys = (initialKey: Uint8Array, ksn: Uint8Array, { scheme, random }: DukptKeyOptions): WorkingKeys => {
  const key = aesTransactionKey(initialKey, ksn);
  const keyType = scheme === 'aes256Dukpt' ? 'AES256' : 'AES128';
  const workingKey = (usage: AesUsage): Uint8Array => aesWorkingKey(key, { ksn, usage, keyType });
  return {
    ksn,
    encryptData: (plain) => aesEncryptData(workingKey('dataEnc'), plain),
    encryptPin: (pin, pan) => encryptPinBlock4({ key: workingKey('pin'), pin, pan, random: random(8) }),
    mac: (message) => aesMac('CMAC', workingKey('macGen'), message).slice(0, 4),
  };
};

export type Ciphertext = { data: Uint8Array; ksn: Uint8Array };

type KeyState = { ksn: Uint8Array; usesLeft: number };

export type KeySlots = {
  /** How the keys are derived: it determines the length of serial numbers and, under AES DUKPT, the cipher. */
  readonly scheme: DukptScheme;
  /**
   * Encrypts under the data key of the next serial number: CBC, zero IV, zero padding to whole blocks. `how` is Triple
   * DES unless given. Throws `key.exhausted`.
   */
  sealData(plain: Uint8Array, how?: Cipher): Ciphertext;
  /** The same for several plain texts, all under one serial number, each from a zero IV. Throws `key.exhausted`. */
  sealAll(plains: readonly Uint8Array[], how?: Cipher): { data: Uint8Array[]; ksn: Uint8Array };
  /**
   * The PIN under the PIN key of the next serial number: an ISO format 0 block of 8 bytes (Triple DES), or ISO format
   * 4, 16 bytes (`aes`, and always under AES DUKPT). Throws `key.exhausted` or `pin.block`.
   */
  sealPin(pin: string, pan: string, how?: Cipher): Ciphertext;
  /**
   * Four bytes of MAC under the next serial number of the MAC slot: ISO 9797-1 algorithm 3 with the MAC request key and
   * zero padding, or CMAC under AES DUKPT. Throws `key.exhausted`.
   */
  mac(message: Uint8Array): { mac: Uint8Array; ksn: Uint8Array };
  /** The last serial number used, and how many are left. */
  states(): { sred: KeyState; pin: KeyState; mac: KeyState };
};

export type KeySlotOptions = {
  random: Random;
  /** `tdesDukpt` unless given. */
  scheme?: DukptScheme;
  /** Base derivation key; the published test key of the scheme when not given. */
  bdk?: Uint8Array;
  /** Last serial numbers used, 10 bytes each, 12 under AES DUKPT: lets a device start near the end of a key's life. */
  sredKsn?: Uint8Array;
  pinKsn?: Uint8Array;
  macKsn?: Uint8Array;
};

const testBdk: Readonly<Record<DukptScheme, Uint8Array>> = {
  tdesDukpt: testKeys.bdk,
  aes128Dukpt: testKeys.bdkAes128,
  aes256Dukpt: testKeys.bdkAes256,
};

/**
 * Triple DES: FFFF, two bytes for the slot, three of device id, then the counter at zero. AES: four bytes of base key
 * id, as in the published vectors, one for the slot, three of device id, then the counter at zero.
 */
const freshKsn = (scheme: DukptScheme, slotId: string, deviceId: Uint8Array): Uint8Array =>
  scheme === 'tdesDukpt'
    ? concat(fromHex(`FFFF01${slotId}`), deviceId, fromHex('000000'))
    : concat(fromHex(`12345678${slotId}`), deviceId, fromHex('00000000'));

/** A loaded set of slots. Two devices with different random sources get different key set ids. */
export const createKeySlots = (options: KeySlotOptions): KeySlots => {
  const { random, scheme = 'tdesDukpt', sredKsn, pinKsn, macKsn } = options;
  const bdk = options.bdk ?? testBdk[scheme];
  const deviceId = random(3);
  const slot = (slotId: string, lastKsn: Uint8Array | undefined) =>
    createDukptKey({ scheme, bdk, firstKsn: lastKsn ?? freshKsn(scheme, slotId, deviceId), random });
  const sred = slot('02', sredKsn);
  const pins = slot('03', pinKsn);
  const macs = slot('04', macKsn);
  return {
    scheme,
    sealData(plain, how = 'tdes') {
      const key = sred.nextKeys();
      return { data: key.encryptData(plain, how), ksn: key.ksn };
    },
    sealAll(plains, how = 'tdes') {
      const key = sred.nextKeys();
      return { data: plains.map((plain) => key.encryptData(plain, how)), ksn: key.ksn };
    },
    sealPin(pin, pan, how = 'tdes') {
      const key = pins.nextKeys();
      return { data: key.encryptPin(pin, pan, how), ksn: key.ksn };
    },
    mac(message) {
      const key = macs.nextKeys();
      return { mac: key.mac(message), ksn: key.ksn };
    },
    states: () => ({ sred: sred.state(), pin: pins.state(), mac: macs.state() }),
  };
};
