/** What the till may know about a card, from captured answers of real units. */
import { expect, test } from 'vitest';
import { normaliseMask } from '../../../drivers/card-facts.ts';
import {
  cardDataOf,
  maskOfDigits,
  maskOfTag57,
  maskOfText,
  sredOf,
  tapMode,
} from '../../../drivers/mpi/protocol/card-data.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { decodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { captured } from './captures.ts';

const contact = decodeTlv(captured('arqc.contact.visa.tlv'));
const tap = decodeTlv(captured('arqc.contactless.visa.sred.tlv'));

test('a test unit’s clear card data goes nowhere', () => {
  const card = cardDataOf(contact, 'ICC');
  expect(card).toMatchObject({
    maskedPan: '476173******0119',
    panSequence: '01',
    aid: 'A0000000031010',
    label: 'CREDITO DE VISA',
    cryptogram: { kind: 'ARQC', value: 'EB2EC0F472BEA0A4' },
    tvr: '0200008000',
    tsi: 'E800',
    verification: 'signature',
    sred: [],
  });
  const all = JSON.stringify(card);
  for (const secret of ['4761739001010119', 'D1512', '151231', '56495341204143515549524552']) {
    expect(all).not.toContain(secret);
  }
  expect(decodeTlv(fromHex(card.icc ?? '')).map(({ tag }) => tag)).toEqual(
    `5F2A 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41`.split(' '),
  );
});

test('a tap has two ciphertexts, each with its own key serial number', () => {
  expect(sredOf(tap)).toEqual([
    { data: fromHex('85D6E511F8844CEA0DC72883180AC081AF4593A8A3C5FDD8'), ksn: 'FFFF0102628D1100005E' },
    { data: fromHex('92FC2C940487F43AC64AB3DFD54C7B72F445FE409D80FDF5'), ksn: 'FFFF0102628D1100005F' },
  ]);
  expect(cardDataOf(tap, 'NFC_ICC')).toMatchObject({ maskedPan: '476173*********2234', label: 'VISA ELECTRON' });
});

test('of several ciphertexts the one with room for number and expiry comes first', () => {
  const number = tlv('DFAE02', '11'.repeat(16));
  const track2 = tlv('DFAE02', '22'.repeat(24));
  const ksns = ['FFFF0102628D1100005E', 'FFFF0102628D1100005F'].map((ksn) => tlv('DFAE03', ksn));
  const [one = tlv('DFAE03', ''), two = tlv('DFAE03', '')] = ksns;
  const chosen = { data: fromHex('22'.repeat(24)), ksn: 'FFFF0102628D1100005F' };
  expect(sredOf([number, one, tlv('DFAE5A', '476173FFFFFF0119'), track2, two])[0]).toEqual(chosen);
  expect(sredOf([track2, two, number, one])[0]).toEqual(chosen);
});

test.each([
  [[tlv('9F39', '07')], 'NFC_ICC'],
  [[tlv('9F39', '91')], 'NFC_MAGSTRIPE'],
  [[tlv('DF30', '0301')], 'NFC_ICC'],
  [[tlv('DF30', '0302')], 'NFC_MAGSTRIPE'],
  [[tlv('9F26', '0011223344556677')], 'NFC_ICC'],
  [[], 'NFC_MAGSTRIPE'],
])('%j is %s', (tlvs, mode) => {
  expect(tapMode(tlvs)).toBe(mode);
});

test.each([
  ['4761739001010119', '476173******0119'],
  ['476173******0119', '476173******0119'],
  ['4***********0119', '4*****' + '******0119'],
  ['476173900101', '476173**0101'],
  ['4761739001010119999', '476173*********9999'],
  ['47617390010', '****'],
  ['', '****'],
  ['no number', '****'],
])('%s is shown as %s', (number, text) => {
  expect(normaliseMask(number)).toBe(text);
});

test.each([
  ['476173FFFFFF0119', '476173******0119'],
  ['476173FFFFFFFFF0119F', '476173*********0119'],
  ['4761739001010119', '476173******0119'],
  ['12', '****'],
])('the digits %s are shown as %s', (hex, text) => {
  expect(maskOfDigits(fromHex(hex))).toBe(text);
});

test('track 2 of a chip shows its service code and nothing after it', () => {
  expect(maskOfTag57(fromHex('476173FFFFFF0119D15122011758989389'))).toEqual({
    maskedPan: '476173******0119',
    serviceCode: '201',
    text: ';476173******0119=1512201**********?',
  });
  expect(maskOfTag57(fromHex('4761739001010119'))).toBeUndefined();
});

test.each([
  [';476173******0010=15122011*********?*', '476173******0010', '201', ';476173******0010=15122011*********?*'],
  [';541333******1513=1412201************', '541333******1513', '201', ';541333******1513=1412201************'],
  [';4761739001010010=15121011234567890?', '476173******0010', '101', ';476173******0010=1512101**********?'],
  [';476173******0010=1512************?', '476173******0010', undefined, ';476173******0010=1512************?'],
])('%s is understood', (text, maskedPan, serviceCode, expected) => {
  expect(maskOfText(text)).toEqual({ maskedPan, text: expected, serviceCode });
});

test('text that is not track 2 is refused', () => {
  expect(maskOfText('%B4761739001010010^CARD/TEST^1512?')).toBeUndefined();
});
