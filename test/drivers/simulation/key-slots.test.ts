import { expect, test } from 'vitest';
import { keySlots } from '../../../drivers/simulation/key-slots.ts';
import { seededRandom } from '../../../drivers/simulation/seeded-random.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesKsnIsValid,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../src/emv/pin-block.ts';
import { testKeys } from '../../../src/emv/test-keys.ts';

const hostKey = (ksn: Uint8Array, usage: 'pin' | 'dataRequest') =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

test('the host opens account data with the base key and the serial number alone', () => {
  const slots = keySlots({ random: seededRandom(1) });
  const plain = fromHex('5712476173900101001 0D15122010000'.replace(' ', ''));
  const { data, ksn } = slots.sealData(plain);
  expect(data.length).toBe(16);
  expect(toHex(tdesDecryptData(hostKey(ksn, 'dataRequest'), data))).toBe(toHex(plain).padEnd(32, '0'));
});

test('the host opens the PIN with its own slot’s serial number and the card number', () => {
  const slots = keySlots({ random: seededRandom(1) });
  const { data, ksn } = slots.sealPin('123456', '4761739001010010');
  const block = tdesDecryptPinBlock(hostKey(ksn, 'pin'), data);
  expect(decodePinBlock({ format: 0, block, pan: '4761739001010010' })).toBe('123456');
  const sred = slots.states().sred.ksn;
  expect(toHex(sred).slice(0, 14)).not.toBe(toHex(ksn).slice(0, 14));
});

test('serial numbers rise, are valid, and no key is used twice', () => {
  const slots = keySlots({ random: seededRandom(7) });
  const used = Array.from({ length: 300 }, () => toHex(slots.sealData(Uint8Array.of(1)).ksn));
  expect(new Set(used).size).toBe(300);
  expect([...used].sort()).toEqual(used);
  expect(used.every((ksn) => tdesKsnIsValid(fromHex(ksn)))).toBe(true);
  expect(slots.states().sred.usesLeft).toBe(1_048_575 - 300);
  expect(slots.states().pin.usesLeft).toBe(1_048_575);
});

test('a used-up key is refused by name, the other slot goes on', () => {
  const slots = keySlots({ random: seededRandom(7), sredKsn: fromHex('FFFF0102AABBCC1FF7FF') });
  const first = slots.sealData(Uint8Array.of(1));
  expect(toHex(first.ksn)).toBe('FFFF0102AABBCC1FF800');
  expect(() => slots.sealData(Uint8Array.of(1))).toThrowError(expect.objectContaining({ code: 'key.exhausted' }));
  expect(slots.states().sred.usesLeft).toBe(0);
  expect(slots.sealPin('1234', '4761739001010010').data.length).toBe(8);
});

test('the same seed gives the same serial numbers, another seed others', () => {
  const ksn = (seed: number) => toHex(keySlots({ random: seededRandom(seed) }).sealData(Uint8Array.of(1)).ksn);
  expect(ksn(5)).toBe(ksn(5));
  expect(ksn(5)).not.toBe(ksn(6));
});
