/** AES DUKPT: the published vectors, the counter rule, and which keys may be derived. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/base/hex.ts';
import {
  type AesDerivationKeyType,
  type AesDukptKeyType,
  type AesUsage,
  aesDecryptData,
  aesEncryptData,
  aesInitialKey,
  aesKsnAdvance,
  aesKsnIsValid,
  aesKsnUsesLeft,
  aesMac,
  aesTransactionKey,
  aesUpdateKey,
  aesWorkingKey,
} from '../../src/emv/dukpt-aes.ts';
import { decryptPinBlock4, decryptPinField4 } from '../../src/emv/pin-block.ts';
import { type Inputs, isRefusal, runVectors } from './vectors.ts';

const workingKey = (inputs: Inputs, usage: AesUsage): Uint8Array => {
  const ksn = inputs.hex('ksn');
  const keyType = inputs.text('keyType') as AesDukptKeyType;
  return aesWorkingKey(aesTransactionKey(inputs.hex('ik'), ksn), { ksn, usage, keyType });
};

const isRequest = (inputs: Inputs): boolean => inputs.text('direction') === 'request';

const dataKey = (inputs: Inputs): Uint8Array => {
  expect(inputs.hex('iv')).toEqual(new Uint8Array(16));
  return workingKey(inputs, isRequest(inputs) ? 'dataEnc' : 'dataDec');
};

const macAlgorithms: Readonly<Record<string, 'CMAC' | 'HMAC'>> = { 'CMAC-AES': 'CMAC', 'HMAC-SHA256': 'HMAC' };

describe('published vectors', () => {
  runVectors('dukpt-aes.json', {
    'aes.initialKey': (inputs) => {
      const [bdk, id] = [inputs.hex('bdk'), inputs.hex('ikid')];
      const ik = aesInitialKey(bdk, id, inputs.text('keyType') as AesDerivationKeyType);
      expect(aesInitialKey(bdk, id)).toEqual(ik);
      return { ik: toHex(ik) };
    },
    'aes.txnKey': (inputs) => ({ txnKey: toHex(aesTransactionKey(inputs.hex('ik'), inputs.hex('ksn'))) }),
    'aes.workingKey': (inputs) => ({ key: toHex(workingKey(inputs, inputs.text('usage') as AesUsage)) }),
    'aes.updateKey': (inputs) => {
      expect(inputs.text('counter')).toBe('FFFFFFFF');
      const keyType = inputs.text('keyType') as AesDerivationKeyType;
      return { key: toHex(aesUpdateKey(inputs.hex('ik'), { initialKeyId: inputs.hex('ikid'), keyType })) };
    },
    'aes.decryptPin': (inputs) => {
      const o = { key: workingKey(inputs, 'pin'), block: inputs.hex('encrypted'), pan: inputs.text('pan') };
      expect(inputs.number('format')).toBe(4);
      return { pin: decryptPinBlock4(o), pinField: toHex(decryptPinField4(o)) };
    },
    'aes.mac': (inputs) => {
      const algorithm = macAlgorithms[inputs.text('algorithm')];
      if (algorithm === undefined) throw new Error(`no algorithm ${inputs.text('algorithm')}`);
      return {
        mac: toHex(aesMac(algorithm, workingKey(inputs, isRequest(inputs) ? 'macGen' : 'macVer'), inputs.hex('data'))),
      };
    },
    'aes.encryptData': (inputs) => ({ ciphertext: toHex(aesEncryptData(dataKey(inputs), inputs.hex('plaintext'))) }),
    'aes.decryptData': (inputs) => ({ plaintext: toHex(aesDecryptData(dataKey(inputs), inputs.hex('ciphertext'))) }),
    'aes.ksnValid': (inputs) => ({ valid: aesKsnIsValid(inputs.hex('ksn')) }),
    'aes.ksnAdvance': (inputs) => {
      const next = aesKsnAdvance(inputs.hex('ksn'));
      return next === undefined ? { exhausted: true } : { next: toHex(next) };
    },
  });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const id = fromHex('1234567890123456');
const serial = (counter: string): Uint8Array => fromHex(`1234567890123456${counter}`);

describe('key serial numbers', () => {
  test('the next one is valid, the smallest greater one, and leaves one use fewer', () => {
    fc.assert(
      fc.property(bytes(12), (ksn) => {
        const next = aesKsnAdvance(ksn);
        if (next === undefined) {
          expect(aesKsnUsesLeft(ksn)).toBe(0);
          return;
        }
        expect(aesKsnIsValid(next)).toBe(true);
        expect(toHex(next) > toHex(ksn)).toBe(true);
        expect(next.slice(0, 8)).toEqual(ksn.slice(0, 8));
        expect(aesKsnUsesLeft(next)).toBe(aesKsnUsesLeft(ksn) - 1);
      }),
    );
  });

  test.each(['FFFF0000', 'FFFF8000', 'FFFFFFFF'])('none comes after %s', (counter) => {
    expect(aesKsnAdvance(serial(counter))).toBeUndefined();
    expect(aesKsnUsesLeft(serial(counter))).toBe(0);
  });

  test('there are 2,448,023,842', () => {
    expect(aesKsnUsesLeft(serial('00000000'))).toBe(2_448_023_842);
  });
});

const lengths: Readonly<Record<AesDukptKeyType, number>> = {
  TDEA2: 16,
  TDEA3: 24,
  AES128: 16,
  AES192: 24,
  AES256: 32,
  HMAC128: 16,
  HMAC192: 24,
  HMAC256: 32,
};
/** The strongest working keys that may be derived from a key of this many bytes. */
const allowed: Readonly<Record<number, readonly string[]>> = {
  16: ['TDEA2', 'TDEA3', 'AES128', 'HMAC128'],
  24: ['TDEA2', 'TDEA3', 'AES128', 'HMAC128', 'AES192', 'HMAC192'],
  32: Object.keys(lengths),
};
const pairs = [16, 24, 32].flatMap((from) => Object.keys(lengths).map((to) => ({ from, to: to as AesDukptKeyType })));

describe('which keys may be derived', () => {
  test.each(pairs)('$to from a key of $from bytes', ({ from, to }) => {
    const ksn = serial('00000001');
    const key = aesTransactionKey(new Uint8Array(from), ksn);
    const run = () => aesWorkingKey(key, { ksn, usage: 'macGen', keyType: to });
    if (allowed[from]?.includes(to)) expect(run().length).toBe(lengths[to]);
    else expect(run).toThrow(expect.toSatisfy(isRefusal));
  });

  test('initial and update keys may be weaker, never stronger', () => {
    const bdk = new Uint8Array(32);
    expect(aesInitialKey(bdk, id, 'AES128').length).toBe(16);
    const stronger = [
      () => aesInitialKey(new Uint8Array(16), id, 'AES192'),
      () => aesUpdateKey(new Uint8Array(24), { initialKeyId: id, keyType: 'AES256' }),
    ];
    for (const run of stronger) expect(run).toThrow(expect.toSatisfy(isRefusal));
  });

  const key = new Uint8Array(16);
  const ksn = serial('00000001');
  test.each([
    ['a base derivation key of 8 bytes', () => aesInitialKey(new Uint8Array(8), id)],
    ['an initial key id of 7 bytes', () => aesInitialKey(key, new Uint8Array(7))],
    ['an initial key of 15 bytes', () => aesTransactionKey(new Uint8Array(15), ksn)],
    ['a counter of zero', () => aesTransactionKey(key, serial('00000000'))],
    ['the counter kept for the update key', () => aesTransactionKey(key, serial('FFFFFFFF'))],
    ['a transaction key of no bytes', () => aesWorkingKey(new Uint8Array(), { ksn, usage: 'pin', keyType: 'AES128' })],
    ['an update key without an id', () => aesUpdateKey(key, { initialKeyId: new Uint8Array(), keyType: 'AES128' })],
    ['a key serial number of 10 bytes', () => aesKsnAdvance(new Uint8Array(10))],
    ['a broken block', () => aesDecryptData(key, new Uint8Array(17))],
    ['an HMAC key of 5 bytes', () => aesMac('HMAC', new Uint8Array(5), key)],
  ])('refuses %s', (_, run) => {
    expect(run).toThrow(expect.toSatisfy(isRefusal));
  });

  test('data are restored, padded with zeros to whole blocks', () => {
    fc.assert(
      fc.property(bytes(32), fc.uint8Array({ maxLength: 70 }), (dataKey32, data) => {
        const plain = aesDecryptData(dataKey32, aesEncryptData(dataKey32, data));
        expect(plain.length).toBe(Math.ceil(data.length / 16) * 16);
        expect(plain.subarray(0, data.length)).toEqual(data);
      }),
    );
  });
});
