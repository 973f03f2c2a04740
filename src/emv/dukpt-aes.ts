/**
 * AES DUKPT (ANSI X9.24-3): like Triple DES DUKPT, but one derivation function makes every key and names its purpose,
 * and working keys of any algorithm can be derived.
 */
import { createHmac } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import { toHex } from '../base/hex.ts';
import { aes } from './aes.ts';
import { cbcDecrypt, cbcEncrypt } from './cipher-modes.ts';
import { type CounterRule, counterIsValid, countersLeft, nextCounter } from './dukpt-counter.ts';
import { cmac } from './mac.ts';
import { wantKey } from './want.ts';

/** The types of keys: algorithm number in the derivation, length and effective strength in bits. */
const keyTypes = {
  TDEA2: { algorithm: 0, bits: 128, strength: 80 },
  TDEA3: { algorithm: 1, bits: 192, strength: 112 },
  AES128: { algorithm: 2, bits: 128, strength: 128 },
  AES192: { algorithm: 3, bits: 192, strength: 192 },
  AES256: { algorithm: 4, bits: 256, strength: 256 },
  HMAC128: { algorithm: 5, bits: 128, strength: 128 },
  HMAC192: { algorithm: 5, bits: 192, strength: 192 },
  HMAC256: { algorithm: 5, bits: 256, strength: 256 },
} as const;

export type AesDukptKeyType = keyof typeof keyTypes;
export type AesDerivationKeyType = 'AES128' | 'AES192' | 'AES256';

/** Usage numbers in the derivation. Terminals use `macGen` and `dataEnc` for requests, hosts the others for answers. */
const usages = {
  kek: 0x0002,
  pin: 0x1000,
  macGen: 0x2000,
  macVer: 0x2001,
  macBoth: 0x2002,
  dataEnc: 0x3000,
  dataDec: 0x3001,
  dataBoth: 0x3002,
} as const;

export type AesUsage = keyof typeof usages;

const KEY_DERIVATION = 0x8000;
const INITIAL_KEY = 0x8001;

const typeOfKey = (what: string, key: Uint8Array): AesDerivationKeyType => {
  wantKey(what, key, [16, 24, 32]);
  return key.length === 16 ? 'AES128' : key.length === 24 ? 'AES192' : 'AES256';
};

/** Throws `key.malformed` if the derived key would claim more strength than its parent has. */
const wantNotStronger = (from: AesDerivationKeyType, to: AesDukptKeyType): void => {
  if (keyTypes[to].strength > keyTypes[from].strength) {
    const reason = `it would be stronger than the ${from} key it is derived from`;
    throw new Fault('key.malformed', { what: `A derived ${to} key`, why: reason });
  }
};

/** The derivation function: as many blocks as the new key needs, each with its number, usage, type and tail. */
const derive = (key: Uint8Array, o: { usage: number; type: AesDukptKeyType; tail: Uint8Array }): Uint8Array => {
  const { algorithm, bits } = keyTypes[o.type];
  const cipher = aes(key);
  const out = new Uint8Array(Math.ceil(bits / 128) * 16);
  for (let offset = 0; offset < out.length; offset += 16) {
    out.set([1, offset / 16 + 1, o.usage >> 8, o.usage & 0xff, 0, algorithm, bits >> 8, bits & 0xff], offset);
    out.set(o.tail, offset + 8);
    cipher.encrypt(out, offset);
  }
  return out.slice(0, bits / 8);
};

/** The right half of the initial key id, then the counter. */
const tailOf = (initialKeyId: Uint8Array, counter: number): Uint8Array => {
  const tail = new Uint8Array(8);
  tail.set(initialKeyId.subarray(4, 8));
  new DataView(tail.buffer).setUint32(4, counter);
  return tail;
};

/**
 * The initial key of a device, of the base derivation key's own length unless `keyType` requests a weaker one. The base
 * derivation key has 16, 24 or 32 bytes, the initial key id 8. Throws `key.malformed`.
 */
export const aesInitialKey = (
  bdk: Uint8Array,
  initialKeyId: Uint8Array,
  keyType: AesDerivationKeyType = typeOfKey('A base derivation key', bdk),
): Uint8Array => {
  wantNotStronger(typeOfKey('A base derivation key', bdk), keyType);
  wantKey('An initial key id', initialKeyId, [8]);
  return derive(bdk, { usage: INITIAL_KEY, type: keyType, tail: initialKeyId });
};

/** Walks down the tree of keys, one step for each one-bit of the counter, the highest first. */
const deriveKey = (ik: Uint8Array, initialKeyId: Uint8Array, counter: number): Uint8Array => {
  const type = typeOfKey('An initial key', ik);
  let key = ik;
  let reached = 0;
  for (let bit = 31; bit >= 0; bit -= 1) {
    if (((counter >>> bit) & 1) === 0) continue;
    reached = (reached | (1 << bit)) >>> 0;
    key = derive(key, { usage: KEY_DERIVATION, type, tail: tailOf(initialKeyId, reached) });
  }
  return key;
};

/**
 * The key of a transaction, from which its working keys are derived: as long as the initial key. The key serial number
 * has 12 bytes. Throws `key.malformed` for wrong lengths and for a counter that no device uses.
 */
export const aesTransactionKey = (ik: Uint8Array, ksn: Uint8Array): Uint8Array => {
  if (!aesKsnIsValid(ksn)) {
    const reason = 'its counter is zero or has more than sixteen one-bits';
    throw new Fault('key.malformed', { what: `Key serial number ${toHex(ksn)}`, why: reason });
  }
  return deriveKey(ik, ksn, aesCounterOf(ksn));
};

/** The key for one usage, from the transaction key of the same key serial number. Throws `key.malformed`. */
export const aesWorkingKey = (
  transactionKey: Uint8Array,
  { ksn, usage, keyType }: { ksn: Uint8Array; usage: AesUsage; keyType: AesDukptKeyType },
): Uint8Array => {
  wantNotStronger(typeOfKey('A transaction key', transactionKey), keyType);
  const tail = tailOf(ksn, aesCounterOf(ksn));
  return derive(transactionKey, { usage: usages[usage], type: keyType, tail });
};

/** The counter reserved for the key that encrypts a new initial key. */
const UPDATE_COUNTER = 0xffff_ffff;

/** The key that wraps the device's next initial key. Throws `key.malformed`. */
export const aesUpdateKey = (
  ik: Uint8Array,
  { initialKeyId, keyType }: { initialKeyId: Uint8Array; keyType: AesDerivationKeyType },
): Uint8Array => {
  wantKey('An initial key id', initialKeyId, [8]);
  wantNotStronger(typeOfKey('An initial key', ik), keyType);
  const key = deriveKey(ik, initialKeyId, UPDATE_COUNTER);
  return derive(key, { usage: usages.kek, type: keyType, tail: tailOf(initialKeyId, UPDATE_COUNTER) });
};

/** Encrypts in CBC with a zero vector; an incomplete last block is padded with zeros. Throws `key.malformed`. */
export const aesEncryptData = (dataKey: Uint8Array, bytes: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(Math.ceil(bytes.length / 16) * 16);
  whole.set(bytes);
  return cbcEncrypt(aes(dataKey), whole);
};

/** Decrypts CBC with a zero vector; padding stays. Throws `key.malformed`, `emv.malformed` for an incomplete block. */
export const aesDecryptData = (dataKey: Uint8Array, bytes: Uint8Array): Uint8Array => cbcDecrypt(aes(dataKey), bytes);

/** The MAC of a message: 16 bytes of CMAC, or 32 of HMAC-SHA-256. Throws `key.malformed`. */
export const aesMac = (algorithm: 'CMAC' | 'HMAC', key: Uint8Array, data: Uint8Array): Uint8Array => {
  if (algorithm === 'CMAC') return cmac({ algorithm: 'AES', key, data });
  wantKey('An HMAC key', key, [16, 24, 32]);
  return new Uint8Array(createHmac('sha256', key).update(data).digest());
};

// The key serial number of AES DUKPT (ANSI X9.24-3): 8 bytes of initial key id, then a 32-bit counter.

const rule: CounterRule = { bits: 32, onesMost: 16 };

/** The counter, unsigned. Throws `key.malformed` unless the key serial number has 12 bytes. */
const aesCounterOf = (ksn: Uint8Array): number => {
  wantKey('An AES key serial number', ksn, [12]);
  return (((ksn[8] ?? 0) << 24) | ((ksn[9] ?? 0) << 16) | ((ksn[10] ?? 0) << 8) | (ksn[11] ?? 0)) >>> 0;
};

/**
 * Whether a device can have used it: the counter is not zero and has at most sixteen one-bits. Throws `key.malformed`.
 */
export const aesKsnIsValid = (ksn: Uint8Array): boolean => counterIsValid(aesCounterOf(ksn), rule);

/** The next valid key serial number, or undefined when the last key is used up. Throws `key.malformed`. */
export const aesKsnAdvance = (ksn: Uint8Array): Uint8Array | undefined => {
  const counter = nextCounter(aesCounterOf(ksn), rule);
  if (counter === undefined) return undefined;
  const out = Uint8Array.from(ksn);
  new DataView(out.buffer).setUint32(8, counter);
  return out;
};

/** How many valid key serial numbers come after this one: 2,448,023,842 at counter zero. Throws `key.malformed`. */
export const aesKsnUsesLeft = (ksn: Uint8Array): number => countersLeft(aesCounterOf(ksn), rule);
