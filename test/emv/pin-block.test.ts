/** PIN blocks of all ISO formats: the published vectors, round trips, and what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { ecbDecrypt, ecbEncrypt } from '../../src/emv/cipher-modes.ts';
import {
  decodePinBlock,
  decodePinField4,
  decryptPinBlock4,
  encodePinBlock,
  encryptPinBlock4,
  type PinBlockFormat,
  panField4,
  pinBlockFill,
  pinField4,
  translatePinBlock,
} from '../../src/emv/pin-block.ts';
import { tdes } from '../../src/emv/tdes.ts';
import { type Inputs, runVectors } from './vectors.ts';

const format = (inputs: Inputs, name = 'format'): PinBlockFormat => inputs.number(name) as PinBlockFormat;
const pan = (inputs: Inputs) => (inputs.has('pan') ? { pan: inputs.text('pan') } : {});
const fill = (inputs: Inputs) => (inputs.has('fill') ? { fill: inputs.text('fill') } : {});

describe('published vectors', () => {
  runVectors('pinblock.json', {
    'pin.encode': (inputs) => {
      const input = { format: format(inputs), pin: inputs.text('pin'), ...pan(inputs), ...fill(inputs) };
      return { pinblock: toHex(encodePinBlock(input)) };
    },
    'pin.decode': (inputs) => ({
      pin: decodePinBlock({ format: format(inputs), block: inputs.hex('pinblock'), ...pan(inputs) }),
    }),
    'pin.decryptTdes': (inputs) => {
      const block = ecbDecrypt(tdes(inputs.hex('key')), inputs.hex('encrypted'));
      return { pin: decodePinBlock({ format: format(inputs), block, ...pan(inputs) }) };
    },
    'pin.translate': (inputs) => {
      const from = { key: inputs.hex('inKey'), format: format(inputs, 'inFormat') };
      const to = { key: inputs.hex('outKey'), format: format(inputs, 'outFormat') };
      return { encrypted: toHex(translatePinBlock({ block: inputs.hex('encrypted'), from, to, ...pan(inputs) })) };
    },
    'pin.panField4': (inputs) => ({ panField: toHex(panField4(inputs.text('pan'))) }),
    'pin.pinField4': (inputs) => ({
      pinField: toHex(pinField4({ pin: inputs.text('pin'), random: inputs.hex('random') })),
    }),
    'pin.decodePinField4': (inputs) => ({ pin: decodePinField4(inputs.hex('pinField')) }),
    'pin.encrypt4': (inputs) => {
      const input = { key: inputs.hex('key'), pin: inputs.text('pin'), pan: inputs.text('pan') };
      return { encrypted: toHex(encryptPinBlock4({ ...input, random: inputs.hex('random') })) };
    },
    'pin.decrypt4': (inputs) => ({
      pin: decryptPinBlock4({ key: inputs.hex('key'), block: inputs.hex('encrypted'), pan: inputs.text('pan') }),
    }),
  });
});

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((list) => list.join(''));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const formats = fc.constantFrom<PinBlockFormat>(0, 1, 2, 3);
/** A random source that a property can repeat. */
const chance = (seed: Uint8Array) => {
  let step = 0;
  return (length: number): Uint8Array => {
    step += 1;
    return Uint8Array.from({ length }, (_, index) => (seed[(index + step) % seed.length] ?? 0) + index + 37 * step);
  };
};
const refusesBlock = (run: () => unknown) =>
  expect(run).toThrow(expect.toSatisfy((error) => isFault(error, 'pin.block')));

describe('formats 0 to 3', () => {
  const inputs = fc.record({ format: formats, pin: digits(4, 12), pan: digits(13, 19), seed: bytes(8) });
  const encoded = (o: { format: PinBlockFormat; pin: string; pan: string; seed: Uint8Array }): Uint8Array =>
    encodePinBlock({ ...o, fill: pinBlockFill(o.format === 1 ? 1 : 3, chance(o.seed)) });

  test('decoding restores the PIN', () => {
    fc.assert(
      fc.property(inputs, (o) => {
        const block = encoded(o);
        expect(block.length).toBe(8);
        expect(decodePinBlock({ format: o.format, block, pan: o.pan })).toBe(o.pin);
      }),
    );
  });

  test('any eight bytes give a PIN of 4 to 12 digits or are refused', () => {
    fc.assert(
      fc.property(bytes(8), formats, digits(13, 19), (block, request, card) => {
        try {
          expect(decodePinBlock({ format: request, block, pan: card })).toMatch(/^[0-9]{4,12}$/);
        } catch (error) {
          expect(isFault(error, 'pin.block')).toBe(true);
        }
      }),
    );
  });

  test('translation keeps the PIN, whatever the formats', () => {
    fc.assert(
      fc.property(inputs, formats, bytes(16), bytes(16), (o, wanted, inKey, outKey) => {
        const translated = translatePinBlock({
          block: ecbEncrypt(tdes(inKey), encoded(o)),
          from: { key: inKey, format: o.format },
          to: { key: outKey, format: wanted, fill: pinBlockFill(wanted === 1 ? 1 : 3, chance(o.seed)) },
          pan: o.pan,
        });
        const block = ecbDecrypt(tdes(outKey), translated);
        expect(decodePinBlock({ format: wanted, block, pan: o.pan })).toBe(o.pin);
      }),
    );
  });

  test('the fill uses the format’s digits', () => {
    fc.assert(
      fc.property(bytes(8), (seed) => {
        expect(pinBlockFill(1, chance(seed))).toMatch(/^[0-9A-F]{10}$/);
        expect(pinBlockFill(3, chance(seed))).toMatch(/^[A-F]{10}$/);
      }),
    );
  });

  test.each<[string, () => unknown]>([
    ['format 0 without a PAN', () => encodePinBlock({ format: 0, pin: '1234' })],
    [
      'format 3 with a PAN of 20 digits',
      () => encodePinBlock({ format: 3, pin: '1234', pan: '1'.repeat(20), fill: 'A'.repeat(10) }),
    ],
    ['format 3 without fill', () => encodePinBlock({ format: 3, pin: '1234', pan: '1'.repeat(16) })],
    [
      'format 3 with decimal fill',
      () => encodePinBlock({ format: 3, pin: '1234', pan: '1'.repeat(16), fill: '1'.repeat(10) }),
    ],
    ['format 1 with too little fill', () => encodePinBlock({ format: 1, pin: '1234', fill: 'ABC' })],
    ['format 1 with fill that is no hex', () => encodePinBlock({ format: 1, pin: '1234', fill: 'XYZXYZXYZX' })],
    ['a block of 7 bytes', () => decodePinBlock({ format: 2, block: new Uint8Array(7) })],
    ['a hexadecimal PIN digit', () => decodePinBlock({ format: 2, block: fromHex('2412A4FFFFFFFFFF') })],
    ['a PIN of three digits', () => decodePinBlock({ format: 2, block: fromHex('23123FFFFFFFFFFF') })],
    ['a PIN of thirteen digits', () => decodePinBlock({ format: 2, block: fromHex('2D1234567890123F') })],
  ])('refuses %s', (_, run) => refusesBlock(run));
});

describe('format 4', () => {
  const inputs = fc.record({
    key: fc.constantFrom(16, 24, 32).chain(bytes),
    pin: digits(4, 12),
    pan: digits(1, 19),
    random: bytes(8),
  });

  test('decryption restores the PIN', () => {
    fc.assert(
      fc.property(inputs, (o) => {
        expect(decryptPinBlock4({ ...o, block: encryptPinBlock4(o) })).toBe(o.pin);
      }),
    );
  });

  test('another PAN is refused or gives a different block', () => {
    fc.assert(
      fc.property(inputs, digits(12, 19), (o, other) => {
        fc.pre(toHex(panField4(o.pan)) !== toHex(panField4(other)));
        expect(encryptPinBlock4({ ...o, pan: other })).not.toEqual(encryptPinBlock4(o));
      }),
    );
  });

  const key = new Uint8Array(16);
  const block = encryptPinBlock4({ key, pin: '1234', pan: '4111111111111111', random: new Uint8Array(8) });
  test.each<[string, () => unknown]>([
    ['a PIN of three digits', () => pinField4({ pin: '123', random: new Uint8Array(8) })],
    ['random bytes of another length', () => pinField4({ pin: '1234', random: new Uint8Array(7) })],
    ['a PAN of 20 digits', () => panField4('1'.repeat(20))],
    ['a PAN with a letter', () => panField4('41111111A1111111')],
    ['a PIN length of three', () => decodePinField4(fromHex('43123AAAAAAAAAAA0000000000000000'))],
    ['a hexadecimal PIN digit', () => decodePinField4(fromHex('4412B4AAAAAAAAAA0000000000000000'))],
    ['a block of 8 bytes', () => decryptPinBlock4({ key, block: block.slice(8), pan: '4111111111111111' })],
    ['the wrong key', () => decryptPinBlock4({ key: key.map(() => 1), block, pan: '4111111111111111' })],
    ['the wrong PAN', () => decryptPinBlock4({ key, block, pan: '4111111111111112' })],
  ])('refuses %s', (_, run) => refusesBlock(run));
});

test('no refusal repeats a PIN or a card number', () => {
  const secret = { pin: '73912', pan: '4716253' };
  const runs = [
    () => encodePinBlock({ format: 0, ...secret }),
    () => panField4(`${secret.pan}x`),
    () => pinField4({ pin: `${secret.pin}x`, random: new Uint8Array(8) }),
    () => decodePinBlock({ format: 2, block: fromHex('2573912FFFFFFFF0') }),
  ];
  for (const run of runs) {
    expect(run).toThrow(expect.not.objectContaining({ message: expect.stringMatching(/73912|4716253/) }));
  }
});
