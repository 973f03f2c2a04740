import { expect, test } from 'vitest';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { aesDecryptData, aesInitialKey, aesMac, aesTransactionKey, aesWorkingKey } from '../../../src/emv/dukpt-aes.ts';
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesKsnIsValid,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { retailMac } from '../../../src/emv/mac.ts';
import { decodePinBlock, decryptPinBlock4 } from '../../../src/emv/pin-block.ts';
import { testKeys } from '../../../src/emv/test-cards.ts';

const hostKey = (ksn: Uint8Array, usage: 'pin' | 'dataRequest' | 'macRequest') =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

test('the host decrypts account data with only the base key and the serial number', () => {
  const slots = createKeySlots({ random: seededRandom(1) });
  const plain = fromHex('5712476173900101001 0D15122010000'.replace(' ', ''));
  const { data, ksn } = slots.sealData(plain);
  expect(data.length).toBe(16);
  expect(toHex(tdesDecryptData(hostKey(ksn, 'dataRequest'), data))).toBe(toHex(plain).padEnd(32, '0'));
});

test('the host decrypts the PIN with its own slot’s serial number and the card number', () => {
  const slots = createKeySlots({ random: seededRandom(1) });
  const { data, ksn } = slots.sealPin('123456', '4761739001010010');
  const block = tdesDecryptPinBlock(hostKey(ksn, 'pin'), data);
  expect(decodePinBlock({ format: 0, block, pan: '4761739001010010' })).toBe('123456');
  const sred = slots.states().sred.ksn;
  expect(toHex(sred).slice(0, 14)).not.toBe(toHex(ksn).slice(0, 14));
});

test('serial numbers rise, are valid, and no key is used twice', () => {
  const slots = createKeySlots({ random: seededRandom(7) });
  const used = Array.from({ length: 300 }, () => toHex(slots.sealData(Uint8Array.of(1)).ksn));
  expect(new Set(used).size).toBe(300);
  expect([...used].sort()).toEqual(used);
  expect(used.every((ksn) => tdesKsnIsValid(fromHex(ksn)))).toBe(true);
  expect(slots.states().sred.usesLeft).toBe(1_048_575 - 300);
  expect(slots.states().pin.usesLeft).toBe(1_048_575);
});

test('a used-up key is refused by name, the other slot goes on', () => {
  const slots = createKeySlots({ random: seededRandom(7), sredKsn: fromHex('FFFF0102AABBCC1FF7FF') });
  const first = slots.sealData(Uint8Array.of(1));
  expect(toHex(first.ksn)).toBe('FFFF0102AABBCC1FF800');
  expect(() => slots.sealData(Uint8Array.of(1))).toThrowError(expect.objectContaining({ code: 'key.exhausted' }));
  expect(slots.states().sred.usesLeft).toBe(0);
  expect(slots.sealPin('1234', '4761739001010010').data.length).toBe(8);
});

test('the same seed gives the same serial numbers, another seed others', () => {
  const freshKsn = (seed: number) =>
    toHex(createKeySlots({ random: seededRandom(seed) }).sealData(Uint8Array.of(1)).ksn);
  expect(freshKsn(5)).toBe(freshKsn(5));
  expect(freshKsn(5)).not.toBe(freshKsn(6));
});

const track = fromHex('57124761739001010010D15122010000000000000F');
const pan = '4761739001010010';

test('AES-128 under the key of Triple DES DUKPT: blocks of 16, ISO format 4', () => {
  const slots = createKeySlots({ random: seededRandom(3) });
  const { data, ksn } = slots.sealData(track, 'aes');
  expect([data.length, ksn.length]).toEqual([32, 10]);
  expect(toHex(aesDecryptData(hostKey(ksn, 'dataRequest'), data))).toBe(toHex(track).padEnd(64, '0'));
  const pin = slots.sealPin('4315', pan, 'aes');
  expect([pin.data.length, pin.ksn.length]).toEqual([16, 10]);
  expect(decryptPinBlock4({ key: hostKey(pin.ksn, 'pin'), block: pin.data, pan })).toBe('4315');
});

test.each(['tdes', 'aes'] as const)('several ciphertexts under one serial number: %s', (cipher) => {
  const slots = createKeySlots({ random: seededRandom(3) });
  const { data, ksn } = slots.sealAll([track, track, Uint8Array.of(0x5a)], cipher);
  expect(toHex(data[0] ?? new Uint8Array(0))).toBe(toHex(data[1] ?? new Uint8Array(1)));
  expect(data.length).toBe(3);
  expect(toHex(slots.states().sred.ksn)).toBe(toHex(ksn));
  expect(toHex(slots.sealData(track).ksn) > toHex(ksn)).toBe(true);
});

test('the MAC is the first half of a retail MAC under the request key, with its own serial numbers', () => {
  const slots = createKeySlots({ random: seededRandom(3) });
  const message = fromHex('0008F906DFDF54020102');
  const { mac, ksn } = slots.mac(message);
  const expected = retailMac({ key: hostKey(ksn, 'macRequest'), data: message, padding: 1 });
  expect(toHex(mac)).toBe(toHex(expected.subarray(0, 4)));
  expect(slots.states()).toMatchObject({ mac: { usesLeft: 1_048_574 }, sred: { usesLeft: 1_048_575 } });
});

test.each([
  ['aes128Dukpt', testKeys.bdkAes128, 'AES128'],
  ['aes256Dukpt', testKeys.bdkAes256, 'AES256'],
] as const)('%s: serial numbers of 12 bytes, everything AES', (scheme, bdk, keyType) => {
  const slots = createKeySlots({ random: seededRandom(3), scheme });
  const workingKey = (ksn: Uint8Array, usage: 'dataEnc' | 'pin' | 'macGen') =>
    aesWorkingKey(aesTransactionKey(aesInitialKey(bdk, ksn.subarray(0, 8)), ksn), { ksn, usage, keyType });
  const { data, ksn } = slots.sealData(track);
  expect([data.length, ksn.length, slots.scheme]).toEqual([32, 12, scheme]);
  expect(toHex(aesDecryptData(workingKey(ksn, 'dataEnc'), data))).toBe(toHex(track).padEnd(64, '0'));
  const pin = slots.sealPin('4315', pan);
  expect(decryptPinBlock4({ key: workingKey(pin.ksn, 'pin'), block: pin.data, pan })).toBe('4315');
  const sealed = slots.mac(track);
  const expected = aesMac('CMAC', workingKey(sealed.ksn, 'macGen'), track).subarray(0, 4);
  expect(toHex(sealed.mac)).toBe(toHex(expected));
  expect(slots.states().sred.usesLeft).toBe(2_448_023_841);
});

test('a used-up AES key is refused by name', () => {
  const slots = createKeySlots({
    random: seededRandom(7),
    scheme: 'aes128Dukpt',
    macKsn: fromHex('1234567804AABBCCFFFF0000'),
  });
  expect(() => slots.mac(track)).toThrowError(expect.objectContaining({ code: 'key.exhausted' }));
  expect(slots.sealData(track).ksn.length).toBe(12);
});
