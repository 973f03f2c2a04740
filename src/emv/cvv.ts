/** Card verification values of the stripe, the chip and the back of the card: CVV, iCVV and CVV2. */
import { fromHex, toHex } from '../base/hex.ts';
import { firstDecimals } from './session-keys.ts';
import { des, tdes } from './tdes.ts';
import { wantDigits, wantKey } from './want.ts';

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
