/** Our DES, Triple DES and AES against OpenSSL's, over random keys and data. */
import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { aes } from '../../src/emv/aes.ts';
import { type BlockCipher, cbcDecrypt, cbcEncrypt, ecbDecrypt, ecbEncrypt } from '../../src/emv/cipher-modes.ts';
import { oddParity } from '../../src/emv/session-keys.ts';
import { des, tdes } from '../../src/emv/tdes.ts';
import { isRefusal } from './vectors.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const blocks = (size: number) => fc.integer({ min: 0, max: 6 }).chain((count) => bytes(count * size));

const openssl = (name: string, o: { key: Uint8Array; iv: Uint8Array | null; data: Uint8Array }): Uint8Array => {
  const cipher = createCipheriv(name, o.key, o.iv).setAutoPadding(false);
  return new Uint8Array(Buffer.concat([cipher.update(o.data), cipher.final()]));
};

const tripleKey = (key: Uint8Array): Uint8Array => new Uint8Array(Buffer.concat([key, key, key]));

type Row = { name: string; keyLength: number; cipher: (key: Uint8Array) => BlockCipher; cbc: string };
const rows: (Row & { openSslKey: (key: Uint8Array) => Uint8Array })[] = [
  { name: 'DES', keyLength: 8, cipher: des, cbc: 'des-ede3-cbc', openSslKey: tripleKey },
  { name: 'two-key Triple DES', keyLength: 16, cipher: tdes, cbc: 'des-ede-cbc', openSslKey: (key) => key },
  { name: 'three-key Triple DES', keyLength: 24, cipher: tdes, cbc: 'des-ede3-cbc', openSslKey: (key) => key },
  { name: 'AES-128', keyLength: 16, cipher: aes, cbc: 'aes-128-cbc', openSslKey: (key) => key },
  { name: 'AES-192', keyLength: 24, cipher: aes, cbc: 'aes-192-cbc', openSslKey: (key) => key },
  { name: 'AES-256', keyLength: 32, cipher: aes, cbc: 'aes-256-cbc', openSslKey: (key) => key },
];

describe.each(rows)('$name', ({ keyLength, cipher, cbc, openSslKey }) => {
  const { size } = cipher(new Uint8Array(keyLength));
  const inputs = fc.record({ key: bytes(keyLength), iv: bytes(size), data: blocks(size) });

  test('CBC agrees with OpenSSL and decrypts to the input', () => {
    fc.assert(
      fc.property(inputs, ({ key, iv, data }) => {
        const sealed = cbcEncrypt(cipher(key), data, iv);
        expect(sealed).toEqual(openssl(cbc, { key: openSslKey(key), iv, data }));
        expect(cbcDecrypt(cipher(key), sealed, iv)).toEqual(data);
      }),
    );
  });

  test('ECB is CBC from a zero vector, block by block', () => {
    fc.assert(
      fc.property(inputs, ({ key, data }) => {
        const sealed = ecbEncrypt(cipher(key), data);
        for (let offset = 0; offset < data.length; offset += size) {
          const block = { key: openSslKey(key), iv: new Uint8Array(size), data: data.subarray(offset, offset + size) };
          expect(sealed.subarray(offset, offset + size)).toEqual(openssl(cbc, block));
        }
        expect(ecbDecrypt(cipher(key), sealed)).toEqual(data);
        expect(cbcDecrypt(cipher(key), cbcEncrypt(cipher(key), data))).toEqual(data);
      }),
    );
  });

  test('refuses keys of other lengths, broken blocks and broken vectors', () => {
    for (const length of [0, 7, 9, 15, 17, 25, 31, 33, 64]) {
      expect(() => cipher(new Uint8Array(length))).toThrow(expect.toSatisfy(isRefusal));
    }
    const good = cipher(new Uint8Array(keyLength));
    for (const mode of [ecbEncrypt, ecbDecrypt, cbcEncrypt, cbcDecrypt]) {
      expect(() => mode(good, new Uint8Array(size + 1))).toThrow(expect.toSatisfy(isRefusal));
    }
    for (const mode of [cbcEncrypt, cbcDecrypt]) {
      expect(() => mode(good, new Uint8Array(size), new Uint8Array(size - 1))).toThrow(expect.toSatisfy(isRefusal));
    }
  });
});

test.each([
  ['aes-128-ecb', 16],
  ['aes-192-ecb', 24],
  ['aes-256-ecb', 32],
] as const)('agrees with %s', (name, keyLength) => {
  fc.assert(
    fc.property(bytes(keyLength), blocks(16), (key, data) => {
      expect(ecbEncrypt(aes(key), data)).toEqual(openssl(name, { key, iv: null, data }));
    }),
  );
});

test('known answers: FIPS 46-3 example and FIPS 197 appendix C', () => {
  const known = [
    { cipher: des(fromHex('133457799BBCDFF1')), plain: '0123456789ABCDEF', sealed: '85E813540F0AB405' },
    {
      cipher: aes(fromHex('000102030405060708090A0B0C0D0E0F')),
      plain: '00112233445566778899AABBCCDDEEFF',
      sealed: '69C4E0D86A7B0430D8CDB78070B4C55A',
    },
  ];
  for (const { cipher, plain, sealed } of known) expect(toHex(ecbEncrypt(cipher, fromHex(plain)))).toBe(sealed);
});

test('ciphers with several keys, used in turn, do not affect each other', () => {
  const keys = [1, 2, 3].map((seed) => new Uint8Array(16).fill(seed));
  const ciphers = keys.flatMap((key) => [tdes(key), aes(key)]);
  const alone = keys.flatMap((key) => [tdes(key), aes(key)].map((cipher) => ecbEncrypt(cipher, new Uint8Array(32))));
  const inTurns = ciphers.map(() => new Uint8Array(32));
  for (const at of [0, 16]) {
    ciphers.forEach((cipher, index) => {
      for (let step = at; step < at + 16; step += cipher.size) cipher.encrypt(inTurns[index] ?? new Uint8Array(), step);
    });
  }
  expect(inTurns).toEqual(alone);
});

test('odd parity makes every byte odd and changes nothing that DES reads', () => {
  fc.assert(
    fc.property(bytes(16), bytes(8), (key, data) => {
      const odd = oddParity(key);
      for (const byte of odd) expect(byte.toString(2).replaceAll('0', '').length % 2).toBe(1);
      expect(ecbEncrypt(tdes(odd), data)).toEqual(ecbEncrypt(tdes(key), data));
    }),
  );
});
