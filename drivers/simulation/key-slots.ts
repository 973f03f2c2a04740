/**
 * The DUKPT keys inside a simulated terminal: one slot for account data (SRED), one for PINs. The counters live in
 * memory only; the key set ids come from the random source, so that a restarted device does not repeat serial numbers.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
import type { Random } from '../../src/base/ids.ts';
import {
  tdesEncryptData,
  tdesEncryptPinBlock,
  tdesInitialKey,
  tdesKsnAdvance,
  tdesKsnUsesLeft,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../src/emv/dukpt-tdes.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { testKeys } from '../../src/emv/test-keys.ts';

/** Ciphertext and the serial number of its key. */
export type Sealed = { data: Uint8Array; ksn: Uint8Array };

export type KeyState = { ksn: Uint8Array; usesLeft: number };

export type KeySlots = {
  /** Encrypts under the data key of the next serial number: CBC, zero IV, zero padding. Throws `key.exhausted`. */
  sealData(plain: Uint8Array): Sealed;
  /** ISO format 0 block under the PIN key of the next serial number. Throws `key.exhausted` or `pin.block`. */
  sealPin(pin: string, pan: string): Sealed;
  /** The last serial number used and how many are left. */
  states(): { sred: KeyState; pin: KeyState };
};

type Slot = { next(): { key: Uint8Array; ksn: Uint8Array }; state(): KeyState };

const slot = (bdk: Uint8Array, firstKsn: Uint8Array): Slot => {
  const initialKey = tdesInitialKey(bdk, firstKsn);
  let ksn = firstKsn;
  return {
    next() {
      const advanced = tdesKsnAdvance(ksn);
      if (advanced === undefined) throw new Fault('key.exhausted', { ksn: toHex(ksn) });
      ksn = advanced;
      return { key: tdesTransactionKey(initialKey, ksn), ksn };
    },
    state: () => ({ ksn, usesLeft: tdesKsnUsesLeft(ksn) }),
  };
};

export type KeySlotOptions = {
  random: Random;
  /** Base derivation key; the published test key when not given. */
  bdk?: Uint8Array;
  /** Last serial numbers used, ten bytes each: to start near the end of a key's life. */
  sredKsn?: Uint8Array;
  pinKsn?: Uint8Array;
};

/** FFFF, two bytes that tell the slots apart, three of device id, then the counter at zero. */
const freshKsn = (slotId: string, deviceId: Uint8Array): Uint8Array =>
  concat(fromHex(`FFFF${slotId}`), deviceId, fromHex('000000'));

/** A loaded pair of slots. Two devices with different random sources get different key set ids. */
export const keySlots = ({ random, bdk = testKeys.bdk, sredKsn, pinKsn }: KeySlotOptions): KeySlots => {
  const deviceId = random(3);
  const sred = slot(bdk, sredKsn ?? freshKsn('0102', deviceId));
  const pins = slot(bdk, pinKsn ?? freshKsn('0103', deviceId));
  return {
    sealData(plain) {
      const { key, ksn } = sred.next();
      return { data: tdesEncryptData(tdesWorkingKey(key, 'dataRequest'), plain), ksn };
    },
    sealPin(pin, pan) {
      const { key, ksn } = pins.next();
      const block = encodePinBlock({ format: 0, pin, pan });
      return { data: tdesEncryptPinBlock(tdesWorkingKey(key, 'pin'), block), ksn };
    },
    states: () => ({ sred: sred.state(), pin: pins.state() }),
  };
};
