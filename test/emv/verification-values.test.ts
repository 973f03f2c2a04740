/** CVV, PVV, IBM 3624, dCVV and CVC3: the published vectors and what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../src/base/hex.ts';
import { cvc3, cvv, dcvv, ivCvc3 } from '../../src/emv/cvv.ts';
import { kcv } from '../../src/emv/mac.ts';
import { ibm3624Offset, ibm3624Pin, pvv, type ValidationData } from '../../src/emv/pin-verification.ts';
import { type DerivationOption, firstDecimals, iccMasterKey } from '../../src/emv/session-keys.ts';
import { type Inputs, isRefusal, runVectors } from './vectors.ts';

const card = (inputs: Inputs) => ({
  imk: inputs.hex('imk'),
  pan: inputs.text('pan'),
  psn: inputs.text('psn'),
  option: inputs.text('option') as DerivationOption,
});

/** Track data come as hex: track 1 in ASCII, track 2 in nibbles. A track 2 may keep its D and F. */
const ivOf = (inputs: Inputs, key: Uint8Array): Uint8Array =>
  inputs.has('ivCvc3') ? inputs.hex('ivCvc3') : ivCvc3({ key, track: inputs.hex('trackData') });

const validation = (inputs: Inputs): ValidationData => ({
  pvk: inputs.hex('pvk'),
  conversionTable: inputs.text('conversionTable'),
  pan: inputs.text('pan'),
  panVerifyOffset: inputs.number('panVerifyOffset'),
  panVerifyLength: inputs.number('panVerifyLength'),
  panPad: inputs.text('panPad'),
});

describe('published vectors', () => {
  runVectors('cvv-pvv.json', {
    'cvd.generate': (inputs) => ({
      cvv: cvv({
        cvk: inputs.hex('cvk'),
        pan: inputs.text('pan'),
        expiry: inputs.text('expiry'),
        serviceCode: inputs.text('serviceCode'),
      }),
    }),
    'pvv.visa': (inputs) => ({
      pvv: pvv({
        pvk: inputs.hex('pvk'),
        pvki: inputs.text('pvki'),
        pin: inputs.text('pin'),
        pan: inputs.text('pan'),
      }),
    }),
    'ibm3624.pin': (inputs) => ({ pin: ibm3624Pin({ ...validation(inputs), offset: inputs.text('offset') }) }),
    'ibm3624.offset': (inputs) => ({ offset: ibm3624Offset({ ...validation(inputs), pin: inputs.text('pin') }) }),
    'dcvv.generate': (inputs) => ({
      dcvv: dcvv({
        ...card(inputs),
        expiry: inputs.text('expiry'),
        serviceCode: inputs.text('serviceCode'),
        atc: inputs.text('atc'),
      }),
    }),
    'cvc3.generate': (inputs) => {
      const key = iccMasterKey(card(inputs));
      const code = cvc3({ key, iv: ivOf(inputs, key), un: inputs.hex('un'), atc: inputs.hex('atc') });
      return { cvc3: code, cvc3Last: code.slice(-3) };
    },
    'emv.iccMasterKey': (inputs) => ({ kcv: toHex(kcv('tdesZeros', iccMasterKey(card(inputs)), 2)) }),
  });
});

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((list) => list.join(''));

test('an offset gives its PIN again', () => {
  const data = fc.record({
    pvk: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    conversionTable: digits(16, 16),
    pan: digits(12, 19),
    panVerifyOffset: fc.integer({ min: 0, max: 4 }),
    panVerifyLength: fc.integer({ min: 1, max: 8 }),
    panPad: fc.constantFrom('F', 'D', '0', '9'),
  });
  fc.assert(
    fc.property(data, digits(4, 12), (card, pin) => {
      expect(ibm3624Pin({ ...card, offset: ibm3624Offset({ ...card, pin }) })).toBe(pin);
    }),
  );
});

test.each([
  ['0A1B2C3D', 4, '0123'],
  ['AB12CDEF', 5, '12012'],
  ['ABCDEFAB', 6, '012345'],
])('decimals of %s, %i of them', (hex, count, expected) => {
  expect(firstDecimals(hex, count)).toBe(expected);
});

const key = new Uint8Array(16);
const pan = '4761739001010010';
const data: ValidationData = {
  pvk: key,
  conversionTable: '0123456789012345',
  pan,
  panVerifyOffset: 0,
  panVerifyLength: 16,
  panPad: 'F',
};
test.each([
  [
    'a CVV of a PAN with spaces',
    () => cvv({ cvk: key, pan: '4761 7390 0101 0010', expiry: '3112', serviceCode: '201' }),
  ],
  ['a PVV key of 8 bytes', () => pvv({ pvk: new Uint8Array(8), pvki: '1', pin: '1234', pan })],
  ['a PVV index of two digits', () => pvv({ pvk: key, pvki: '12', pin: '1234', pan })],
  ['a PVV of three digits of PIN', () => pvv({ pvk: key, pvki: '1', pin: '123', pan })],
  ['a PVV of a PAN of 11 digits', () => pvv({ pvk: key, pvki: '1', pin: '1234', pan: '1'.repeat(11) })],
  [
    'a conversion table with letters',
    () => ibm3624Pin({ ...data, conversionTable: '012345678901234A', offset: '0000' }),
  ],
  ['an offset of three digits', () => ibm3624Pin({ ...data, offset: '000' })],
  ['validation data outside the PAN', () => ibm3624Pin({ ...data, panVerifyOffset: 8, offset: '0000' })],
  ['validation data of no digits', () => ibm3624Pin({ ...data, panVerifyLength: 0, offset: '0000' })],
  ['fill that is no hex digit', () => ibm3624Pin({ ...data, panPad: 'G', offset: '0000' })],
  ['an offset for a PIN of 13 digits', () => ibm3624Offset({ ...data, pin: '1'.repeat(13) })],
  [
    'an ATC of three digits for dCVV',
    () => dcvv({ imk: key, pan, psn: '01', expiry: '3112', serviceCode: '201', atc: '123' }),
  ],
  [
    'a CVC3 vector of 3 bytes',
    () => cvc3({ key, iv: new Uint8Array(3), un: new Uint8Array(4), atc: new Uint8Array(2) }),
  ],
  [
    'a CVC3 key of 24 bytes',
    () => cvc3({ key: new Uint8Array(24), iv: new Uint8Array(2), un: new Uint8Array(4), atc: new Uint8Array(2) }),
  ],
])('refuses %s', (_, run) => {
  expect(run).toThrow(expect.toSatisfy(isRefusal));
});
