/** EMV's bit fields in words: verification results, capabilities, qualifiers (EMV Book 3 Annex C, Book 4 Annex A). */
import { Fault } from '../base/fault.ts';

/** A set bit. `at` is byte and bit, both counted from 1, bit 8 being the highest: `4.8`. */
export type SetBit = { at: string; says: string };

/** Each row is `byte.bit words`. A set bit without a row is RFU: reserved, and still reported. */
type Field = { name: string; bytes: number; alsoBytes?: number; rows: readonly string[] };

export const bitFields = {
  '82': {
    name: 'Application interchange profile',
    bytes: 2,
    rows: [
      '1.8 XDA supported (EMV 4.4)',
      '1.7 SDA supported',
      '1.6 DDA supported',
      '1.5 Cardholder verification is supported',
      '1.4 Terminal risk management is to be performed',
      '1.3 Issuer authentication is supported',
      '1.2 On-device cardholder verification is supported',
      '1.1 CDA supported',
      '2.8 EMV and magstripe modes supported',
      '2.7 Mobile functionality supported',
      '2.1 Relay resistance protocol supported',
    ],
  },
  '95': {
    name: 'Terminal verification results',
    bytes: 5,
    rows: [
      '1.8 Offline data authentication was not performed',
      '1.7 SDA failed',
      '1.6 ICC data missing',
      '1.5 Card appears on terminal exception file',
      '1.4 DDA failed',
      '1.3 CDA failed',
      '1.2 SDA selected',
      '1.1 XDA selected (EMV 4.4; RFU before)',
      '2.8 ICC and terminal have different application versions',
      '2.7 Expired application',
      '2.6 Application not yet effective',
      '2.5 Requested service not allowed for card product',
      '2.4 New card',
      '2.2 Biometric performed and successful (EMV 4.4)',
      '2.1 Biometric template format not supported (EMV 4.4)',
      '3.8 Cardholder verification was not successful',
      '3.7 Unrecognised CVM',
      '3.6 PIN try limit exceeded',
      '3.5 PIN entry required and PIN pad not present or not working',
      '3.4 PIN entry required, PIN pad present, but PIN was not entered',
      '3.3 Online CVM captured',
      '3.2 Biometric required but capture device not working (EMV 4.4)',
      '3.1 Biometric required, capture device present, but not captured (EMV 4.4)',
      '4.8 Transaction exceeds floor limit',
      '4.7 Lower consecutive offline limit exceeded',
      '4.6 Upper consecutive offline limit exceeded',
      '4.5 Transaction selected randomly for online processing',
      '4.4 Merchant forced transaction online',
      '4.3 Biometric try limit exceeded (EMV 4.4)',
      '4.2 A selected biometric type is not supported (EMV 4.4)',
      '4.1 XDA signature verification failed (EMV 4.4)',
      '5.8 Default TDOL used',
      '5.7 Issuer authentication failed',
      '5.6 Script processing failed before final GENERATE AC',
      '5.5 Script processing failed after final GENERATE AC',
      '5.4 Relay resistance threshold exceeded',
      '5.3 Relay resistance time limits exceeded',
      '5.2 Relay resistance protocol performed',
      '5.1 Relay resistance protocol not performed',
    ],
  },
  '9B': {
    name: 'Transaction status information',
    bytes: 2,
    rows: [
      '1.8 Offline data authentication was performed',
      '1.7 Cardholder verification was performed',
      '1.6 Card risk management was performed',
      '1.5 Issuer authentication was performed',
      '1.4 Terminal risk management was performed',
      '1.3 Script processing was performed',
    ],
  },
  '9F07': {
    name: 'Application usage control',
    bytes: 2,
    rows: [
      '1.8 Valid for domestic cash transactions',
      '1.7 Valid for international cash transactions',
      '1.6 Valid for domestic goods',
      '1.5 Valid for international goods',
      '1.4 Valid for domestic services',
      '1.3 Valid for international services',
      '1.2 Valid at ATMs',
      '1.1 Valid at terminals other than ATMs',
      '2.8 Domestic cashback allowed',
      '2.7 International cashback allowed',
    ],
  },
  '9F33': {
    name: 'Terminal capabilities',
    bytes: 3,
    rows: [
      '1.8 Manual key entry',
      '1.7 Magnetic stripe',
      '1.6 IC with contacts',
      '2.8 Plaintext PIN for ICC verification',
      '2.7 Enciphered PIN for online verification',
      '2.6 Signature',
      '2.5 Enciphered PIN for offline verification (RSA)',
      '2.4 No CVM required',
      '2.3 Biometric, online (EMV 4.4)',
      '2.2 Biometric, offline (EMV 4.4)',
      '2.1 Enciphered PIN for offline verification (ECC)',
      '3.8 SDA',
      '3.7 DDA',
      '3.6 Card capture',
      '3.4 CDA',
      '3.3 XDA (EMV 4.4)',
    ],
  },
  '9F40': {
    name: 'Additional terminal capabilities',
    bytes: 5,
    rows: [
      '1.8 Cash',
      '1.7 Goods',
      '1.6 Services',
      '1.5 Cashback',
      '1.4 Inquiry',
      '1.3 Transfer',
      '1.2 Payment',
      '1.1 Administrative',
      '2.8 Cash deposit',
      '3.8 Numeric keys',
      '3.7 Alphabetic and special character keys',
      '3.6 Command keys',
      '3.5 Function keys',
      '4.8 Print, attendant',
      '4.7 Print, cardholder',
      '4.6 Display, attendant',
      '4.5 Display, cardholder',
      '4.2 Code table 10',
      '4.1 Code table 9',
      '5.8 Code table 8',
      '5.7 Code table 7',
      '5.6 Code table 6',
      '5.5 Code table 5',
      '5.4 Code table 4',
      '5.3 Code table 3',
      '5.2 Code table 2',
      '5.1 Code table 1',
    ],
  },
  '9F66': {
    name: 'Terminal transaction qualifiers',
    bytes: 4,
    // Mastercard's kernel uses the tag for a two-byte digit map of track 2, which has no named bits.
    alsoBytes: 2,
    rows: [
      '1.8 Magstripe mode supported',
      '1.6 EMV mode supported',
      '1.5 EMV contact chip supported',
      '1.4 Offline-only reader',
      '1.3 Online PIN supported',
      '1.2 Signature supported',
      '1.1 Offline data authentication for online authorisations supported',
      '2.8 Online cryptogram required',
      '2.7 CVM required',
      '2.6 Contact chip offline PIN supported',
      '3.8 Issuer update processing supported',
      '3.7 Consumer device CVM supported',
      '4.8 fDDA version 1 supported',
    ],
  },
  '9F6C': {
    name: 'Card transaction qualifiers',
    bytes: 2,
    rows: [
      '1.8 Online PIN required',
      '1.7 Signature required',
      '1.6 Go online if offline data authentication fails',
      '1.5 Switch interface if offline data authentication fails',
      '1.4 Go online if application expired',
      '1.3 Switch interface for cash transactions',
      '1.2 Switch interface for cashback transactions',
      '1.1 Not valid for contactless ATM transactions',
      '2.8 Consumer device CVM performed',
      '2.7 Card supports issuer update processing at the point of sale',
    ],
  },
} as const satisfies Record<string, Field>;

export type BitField = keyof typeof bitFields;

/** Whether the tag (upper-case hex) has named bits. */
export const isBitField = (tag: string): tag is BitField => Object.hasOwn(bitFields, tag);

/** The set bits in order, each in words. Throws `emv.malformed` for a value of the wrong length. */
export const bitsOf = (tag: BitField, value: Uint8Array): SetBit[] => {
  const { name, bytes, alsoBytes, rows }: Field = bitFields[tag];
  if (alsoBytes !== undefined && value.length === alsoBytes) return [];
  if (value.length !== bytes) {
    throw new Fault('emv.malformed', { what: name, why: `${value.length} bytes, it has ${bytes}` });
  }
  const words = new Map(rows.map((row) => [row.slice(0, 3), row.slice(4)]));
  return setBits(value).map((at) => ({ at, says: words.get(at) ?? 'RFU' }));
};

/** Every set bit as byte and bit: `1.8` is the highest of the first byte. */
export const setBits = (value: Uint8Array): string[] =>
  [...value].flatMap((byte, index) =>
    [8, 7, 6, 5, 4, 3, 2, 1].filter((bit) => (byte & (1 << (bit - 1))) !== 0).map((bit) => `${index + 1}.${bit}`),
  );
