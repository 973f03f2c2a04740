/** MACs, paddings and key check values: the published vectors and what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../src/base/hex.ts';
import { cbcMac, cmac, type KcvMethod, kcv, macEquals, type PaddingMethod, pad, retailMac } from '../../src/emv/mac.ts';
import { isRefusal, runVectors } from './vectors.ts';

const kcvMethods: Readonly<Record<string, KcvMethod>> = {
  'TDES-ECB-zeros': 'tdesZeros',
  'AES-ECB-zeros': 'aesZeros',
  'AES-CMAC-empty': 'aesCmacEmpty',
  'HMAC-SHA256-empty': 'hmacEmpty',
};

describe('published vectors', () => {
  runVectors('cmac-kcv.json', {
    cmac: (inputs) => {
      const algorithm = inputs.text('algorithm') === 'AES' ? 'AES' : 'TDES';
      const length = inputs.number('macLength');
      return { mac: toHex(cmac({ algorithm, key: inputs.hex('key'), data: inputs.hex('message'), length })) };
    },
    kcv: (inputs) => {
      const method = kcvMethods[inputs.text('algorithm')];
      if (method === undefined) throw new Error(`no method ${inputs.text('algorithm')}`);
      return { kcv: toHex(kcv(method, inputs.hex('key'))) };
    },
    'mac.iso9797': (inputs) => {
      const mac = inputs.number('algorithm') === 1 ? cbcMac : retailMac;
      const padding = inputs.number('padding') as PaddingMethod;
      const length = inputs.number('macLength');
      return { mac: toHex(mac({ key: inputs.hex('key'), data: inputs.hex('data'), padding, length })) };
    },
    'pad.iso9797': (inputs) => {
      const method = inputs.number('method') as PaddingMethod;
      return { padded: toHex(pad(method, inputs.hex('data'), inputs.number('blockLength'))) };
    },
  });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('a retail MAC with two equal keys is a CBC-MAC, and a shorter MAC is its start', () => {
  fc.assert(
    fc.property(
      bytes(8),
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom<PaddingMethod>(1, 2, 3),
      (half, data, padding) => {
        const key = Uint8Array.from([...half, ...half]);
        const whole = retailMac({ key, data, padding });
        expect(whole).toEqual(cbcMac({ key, data, padding }));
        expect(retailMac({ key, data, padding, length: 4 })).toEqual(whole.slice(0, 4));
      },
    ),
  );
});

test('X9.24-3 check value: CMAC over one block of zeros', () => {
  const key = new Uint8Array(16).fill(7);
  expect(kcv('aesCmacZeros', key, 5)).toEqual(cmac({ algorithm: 'AES', key, data: new Uint8Array(16), length: 5 }));
});

test('padding gives whole blocks, and keeps the data', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(8, 16), (data, block) => {
      for (const method of [1, 2, 3] as const) {
        const padded = pad(method, data, block);
        const start = method === 3 ? block : 0;
        expect(padded.length % block).toBe(0);
        expect(padded.length).toBeGreaterThan(start);
        expect(padded.slice(start, start + data.length)).toEqual(data);
      }
      expect(pad(3, data, block).slice(0, block).at(-1)).toBe((data.length * 8) & 0xff);
      expect(pad(3, data, block).slice(0, block).at(-2)).toBe((data.length * 8) >> 8);
    }),
  );
});

test('MACs are equal only if all bytes are', () => {
  const mac = Uint8Array.of(1, 2, 3, 4);
  expect(macEquals(mac, Uint8Array.of(1, 2, 3, 4))).toBe(true);
  for (const other of [[1, 2, 3, 5], [0, 2, 3, 4], [1, 2, 3], [1, 2, 3, 4, 0], []]) {
    expect(macEquals(mac, Uint8Array.from(other))).toBe(false);
  }
  expect(macEquals(new Uint8Array(), new Uint8Array())).toBe(false);
});

const key = new Uint8Array(16);
const data = new Uint8Array(3);
test.each([
  ['a retail key of 24 bytes', () => retailMac({ key: new Uint8Array(24), data, padding: 1 })],
  ['a retail MAC of 9 bytes', () => retailMac({ key, data, padding: 1, length: 9 })],
  ['a retail MAC of no bytes', () => retailMac({ key, data, padding: 1, length: 0 })],
  ['a MAC of half a byte', () => cbcMac({ key, data, padding: 1, length: 4.5 })],
  ['a CBC-MAC key of 8 bytes', () => cbcMac({ key: new Uint8Array(8), data, padding: 2 })],
  ['a TDES CMAC of 16 bytes', () => cmac({ algorithm: 'TDES', key, data, length: 16 })],
  ['an AES CMAC key of 8 bytes', () => cmac({ algorithm: 'AES', key: new Uint8Array(8), data })],
  ['a check value of an empty key', () => kcv('tdesZeros', new Uint8Array())],
  ['a check value of an HMAC key of 7 bytes', () => kcv('hmacEmpty', new Uint8Array(7))],
])('refuses %s', (_, run) => {
  expect(run).toThrow(expect.toSatisfy(isRefusal));
});
