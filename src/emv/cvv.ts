/**
 * Card verification values: CVV, iCVV and CVV2 of stripe, chip and card back, and dynamic ones of contactless stripes.
 */
import { concat, fromHex, toHex } from '../base/hex.ts';
import { retailMac } from './mac.ts';
import { type DerivationOption, firstDecimals, iccMasterKey } from './session-keys.ts';
import { des, tdes } from './tdes.ts';
import { wantBytes, wantDigits, wantKey } from './want.ts';

export type CvvInput = {
  /** The pair of card verification keys, 16 bytes. */
  cvk: Uint8Array;
  /** 8 to 19 digits. */
  pan: string;
  /** Four digits, in the issuer's order: YYMM on the stripe. */
  expiry: string;
  /** Three digits: the card's own for CVV, 999 for iCVV, 000 for CVV2. */
  serviceCode: string;
};

/**
 * Three digits: the first block of the digits is encrypted under the left key, the second added, the sum encrypted
 * under both keys and decimalised. Throws `key.malformed`, `emv.malformed`. Visa's Payment Technology Standards.
 */
export const cvv = ({ cvk, pan, expiry, serviceCode }: CvvInput): string => {
  wantKey('A pair of card verification keys', cvk, [16]);
  wantDigits('A PAN', pan, { least: 8, most: 19 });
  wantDigits('An expiry date', expiry, { least: 4, most: 4 });
  wantDigits('A service code', serviceCode, { least: 3, most: 3 });
  const digits = fromHex((pan + expiry + serviceCode).padEnd(32, '0'));
  const first = digits.slice(0, 8);
  des(cvk.subarray(0, 8)).encrypt(first, 0);
  const sum = first.map((byte, index) => byte ^ (digits[8 + index] ?? 0));
  tdes(cvk).encrypt(sum, 0);
  return firstDecimals(toHex(sum), 3);
};

// The dynamic card verification value of Visa's contactless stripe (MSD): a CVV over the transaction counter.

export type DcvvInput = {
  /** The issuer's master key for dCVV, 16 bytes. */
  imk: Uint8Array;
  pan: string;
  psn: string;
  option?: DerivationOption;
  /** YYMM. */
  expiry: string;
  serviceCode: string;
  /** The ATC as four decimal digits. They replace the first four digits of the PAN. */
  atc: string;
};

/** Three digits. Throws `key.malformed`, `emv.malformed`. */
export const dcvv = ({ imk, pan, psn, option = 'A', expiry, serviceCode, atc }: DcvvInput): string => {
  wantDigits('The ATC', atc, { least: 4, most: 4 });
  const cvk = iccMasterKey({ imk, pan, psn, option });
  return cvv({ cvk, pan: atc + pan.slice(4), expiry, serviceCode });
};

// The dynamic card verification code of Mastercard's contactless stripe (CVC3).

/**
 * The initial vector of a track: 2 bytes, the end of a MAC over the track's bytes with zeros in the dynamic places.
 * `key` is the card's key for CVC3, derived like a master key. Throws `key.malformed`.
 */
export const ivCvc3 = ({ key, track }: { key: Uint8Array; track: Uint8Array }): Uint8Array =>
  retailMac({ key, data: track, padding: 2 }).slice(6);

export type Cvc3Input = {
  key: Uint8Array;
  iv: Uint8Array;
  /** The numeric unpredictable number (9F6A), 4 bytes of BCD; zeros for a card that uses none. */
  un: Uint8Array;
  /** The ATC (9F36), 2 bytes. */
  atc: Uint8Array;
};

/** Five digits, of which a track contains the last ones. Throws `key.malformed`, `emv.malformed`. */
export const cvc3 = ({ key, iv, un, atc }: Cvc3Input): string => {
  wantKey('A key for CVC3', key, [16]);
  wantBytes('The initial vector of CVC3', iv, [2]);
  wantBytes('The unpredictable number', un, [4]);
  wantBytes('The ATC', atc, [2]);
  const block = concat(iv, un, atc);
  tdes(key).encrypt(block, 0);
  return String(((block[6] ?? 0) << 8) | (block[7] ?? 0)).padStart(5, '0');
};
