/** Triple DES DUKPT: the published vectors, the counter rule, and data in both directions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { cbcDecrypt, cbcEncrypt } from '../../src/emv/cipher-modes.ts';
import {
  type TdesUsage,
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesEncryptData,
  tdesEncryptPinBlock,
  tdesInitialKey,
  tdesKsnAdvance,
  tdesKsnIsValid,
  tdesKsnUsesLeft,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../src/emv/dukpt-tdes.ts';
import { cmac, retailMac } from '../../src/emv/mac.ts';
import { tdes } from '../../src/emv/tdes.ts';
import { type Inputs, isRefusal, runVectors } from './vectors.ts';

const transactionKey = (inputs: Inputs): Uint8Array => {
  const ksn = inputs.hex('ksn');
  return tdesTransactionKey(inputs.has('ik') ? inputs.hex('ik') : tdesInitialKey(inputs.hex('bdk'), ksn), ksn);
};

const workingKey = (inputs: Inputs, usage: string): Uint8Array =>
  tdesWorkingKey(transactionKey(inputs), usage as TdesUsage);

const byDirection = (inputs: Inputs, what: 'mac' | 'data'): Uint8Array =>
  workingKey(inputs, inputs.text('direction') === 'request' ? `${what}Request` : `${what}Response`);

const mac = (inputs: Inputs): Uint8Array => {
  const work = { key: byDirection(inputs, 'mac'), data: inputs.hex('data'), length: inputs.number('macLength') };
  if (inputs.text('algorithm') === 'CMAC-TDES') return cmac({ ...work, algorithm: 'TDES' });
  expect(inputs.text('algorithm')).toBe('retail (ISO 9797-1 alg 3, zero padding)');
  return retailMac({ ...work, padding: 1 });
};

const advanced = (ksn: Uint8Array): Record<string, unknown> => {
  const next = tdesKsnAdvance(ksn);
  return next === undefined ? { exhausted: true } : { next: toHex(next) };
};

const count = (start: Uint8Array): number => {
  let found = 0;
  for (let ksn = tdesKsnAdvance(start); ksn !== undefined; ksn = tdesKsnAdvance(ksn)) found += 1;
  return found;
};

describe('published vectors', () => {
  runVectors('dukpt-tdes.json', {
    'tdes.initialKey': (inputs) => ({ ik: toHex(tdesInitialKey(inputs.hex('bdk'), inputs.hex('ksn'))) }),
    'tdes.txnKey': (inputs) => ({ txnKey: toHex(transactionKey(inputs)) }),
    'tdes.workingKey': (inputs) => ({ key: toHex(workingKey(inputs, inputs.text('usage'))) }),
    'tdes.encryptPin': (inputs) => {
      const key = workingKey(inputs, 'pin');
      const encrypted = tdesEncryptPinBlock(key, inputs.hex('pinblock'));
      expect(tdesDecryptPinBlock(key, encrypted)).toEqual(inputs.hex('pinblock'));
      return { encrypted: toHex(encrypted) };
    },
    'tdes.mac': (inputs) => ({ mac: toHex(mac(inputs)) }),
    'tdes.encryptData': (inputs) => {
      const key = byDirection(inputs, 'data');
      const plain = inputs.hex('plaintext');
      expect(cbcEncrypt(tdes(key), plain, inputs.hex('iv'))).toEqual(tdesEncryptData(key, plain));
      return { ciphertext: toHex(tdesEncryptData(key, plain)) };
    },
    'tdes.decryptData': (inputs) => {
      const key = workingKey(inputs, inputs.text('usage'));
      expect(cbcDecrypt(tdes(key), inputs.hex('ciphertext'), inputs.hex('iv'))).toEqual(
        tdesDecryptData(key, inputs.hex('ciphertext')),
      );
      return { plaintext: toHex(tdesDecryptData(key, inputs.hex('ciphertext'))) };
    },
    'tdes.ksnValid': (inputs) => ({ valid: tdesKsnIsValid(inputs.hex('ksn')) }),
    'tdes.ksnAdvance': (inputs) => advanced(inputs.hex('ksn')),
    'tdes.ksnCount': (inputs) => {
      const found = count(inputs.hex('ksn'));
      expect(tdesKsnUsesLeft(inputs.hex('ksn'))).toBe(found);
      return { count: found };
    },
  });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const usages: TdesUsage[] = [
  'pin',
  'macRequest',
  'macResponse',
  'dataRequest',
  'dataResponse',
  'dataRequestVariantOnly',
];
const ksnOf = (id: Uint8Array, counter: number): Uint8Array => {
  const ksn = Uint8Array.from([...id, counter >>> 8, counter]);
  ksn[7] = ((ksn[7] ?? 0) & 0xe0) | (counter >>> 16);
  return ksn;
};
const counters = fc.integer({ min: 0, max: 0x1f_ffff });
const serials = fc.tuple(bytes(8), counters).map(([id, counter]) => ksnOf(id, counter));

describe('key serial numbers', () => {
  test('the next one is valid, the smallest greater one, and leaves one use fewer', () => {
    fc.assert(
      fc.property(serials, (ksn) => {
        const next = tdesKsnAdvance(ksn);
        if (next === undefined) {
          expect(tdesKsnUsesLeft(ksn)).toBe(0);
          return;
        }
        expect(tdesKsnIsValid(next)).toBe(true);
        expect(toHex(next) > toHex(ksn)).toBe(true);
        expect(next.slice(0, 7)).toEqual(ksn.slice(0, 7));
        expect(tdesKsnUsesLeft(next)).toBe(tdesKsnUsesLeft(ksn) - 1);
      }),
    );
  });

  test('eight bytes stand for ten with FFFF in front', () => {
    const short = fromHex('9876543210E00008');
    const long = fromHex('FFFF9876543210E00008');
    const bdk = fromHex('0123456789ABCDEFFEDCBA9876543210');
    const ik = tdesInitialKey(bdk, long);
    expect(tdesInitialKey(bdk, short)).toEqual(ik);
    expect(tdesTransactionKey(ik, short)).toEqual(tdesTransactionKey(ik, long));
    expect(tdesKsnIsValid(short)).toBe(true);
    expect(tdesKsnAdvance(short)).toEqual(tdesKsnAdvance(long));
    expect(tdesKsnUsesLeft(short)).toBe(tdesKsnUsesLeft(long));
  });

  test('the last one is 1FF800', () => {
    const last = fromHex('FFFF9876543210FFF800');
    expect(tdesKsnIsValid(last)).toBe(true);
    expect(tdesKsnAdvance(last)).toBeUndefined();
    expect(tdesKsnUsesLeft(last)).toBe(0);
  });
});

describe('keys and data', () => {
  test('data are restored under every usage, padded with zeros to whole blocks', () => {
    fc.assert(
      fc.property(bytes(16), fc.uint8Array({ maxLength: 70 }), fc.constantFrom(...usages), (key, data, usage) => {
        const working = tdesWorkingKey(key, usage);
        const plain = tdesDecryptData(working, tdesEncryptData(working, data));
        expect(plain.length).toBe(Math.ceil(data.length / 8) * 8);
        expect(plain.subarray(0, data.length)).toEqual(data);
        expect(plain.subarray(data.length).every((byte) => byte === 0)).toBe(true);
      }),
    );
  });

  test('each usage has its own key', () => {
    const key = fromHex('042666B49184CFA368DE9628D0397BC9');
    expect(new Set(usages.map((usage) => toHex(tdesWorkingKey(key, usage)))).size).toBe(usages.length);
  });

  // A Buffer's slice shares its memory: a write to it would change the caller's key.
  test.each([
    ['arrays', (hex: string) => fromHex(hex)],
    ['Buffers', (hex: string) => Buffer.from(hex, 'hex')],
  ])('no input is changed, given as %s', (_, read) => {
    const hexes = ['0123456789ABCDEFFEDCBA9876543210', 'FFFF9876543210EFF800', '00112233445566778899AABBCCDDEEFF'];
    const [bdk, ksn, data] = hexes.map(read);
    if (bdk === undefined || ksn === undefined || data === undefined) throw new Error('three inputs are needed');
    const ik = tdesInitialKey(bdk, ksn);
    const key = tdesWorkingKey(tdesTransactionKey(ik, ksn), 'dataRequest');
    expect(tdesDecryptData(key, tdesEncryptData(key, data))).toEqual(new Uint8Array(data));
    tdesDecryptData(key, data);
    tdesEncryptPinBlock(key, data.subarray(0, 8));
    tdesDecryptPinBlock(key, data.subarray(0, 8));
    expect(tdesKsnAdvance(ksn)).toEqual(fromHex('FFFF9876543210EFF801'));
    expect([bdk, ksn, data].map(toHex)).toEqual(hexes);
  });

  const key16 = new Uint8Array(16);
  const ksn10 = fromHex('FFFF9876543210E00001');
  test.each([
    ['a base derivation key of 24 bytes', () => tdesInitialKey(new Uint8Array(24), ksn10)],
    ['a key serial number of 9 bytes', () => tdesInitialKey(key16, new Uint8Array(9))],
    ['an initial key of 8 bytes', () => tdesTransactionKey(new Uint8Array(8), ksn10)],
    ['a counter of zero', () => tdesTransactionKey(key16, fromHex('FFFF9876543210E00000'))],
    ['eleven one-bits', () => tdesTransactionKey(key16, fromHex('FFFF9876543210E007FF'))],
    ['a transaction key of 15 bytes', () => tdesWorkingKey(new Uint8Array(15), 'pin')],
    ['data of 7 bytes to decrypt', () => tdesDecryptData(key16, new Uint8Array(7))],
    ['a PIN block of 16 bytes', () => tdesEncryptPinBlock(key16, key16)],
    ['an encrypted PIN block of no bytes', () => tdesDecryptPinBlock(key16, new Uint8Array())],
    ['a key serial number of no bytes', () => tdesKsnIsValid(new Uint8Array())],
  ])('refuses %s', (_, run) => {
    expect(run).toThrow(expect.toSatisfy(isRefusal));
  });
});
