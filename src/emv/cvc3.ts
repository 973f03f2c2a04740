/** The dynamic card verification code of Mastercard's contactless stripe (CVC3). */
import { concat } from '../base/hex.ts';
import { retailMac } from './mac.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantKey } from './want.ts';

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

/** Five digits, of which a track carries the last ones. Throws `key.malformed`, `emv.malformed`. */
export const cvc3 = ({ key, iv, un, atc }: Cvc3Input): string => {
  wantKey('A key for CVC3', key, [16]);
  wantBytes('The initial vector of CVC3', iv, [2]);
  wantBytes('The unpredictable number', un, [4]);
  wantBytes('The ATC', atc, [2]);
  const block = concat(iv, un, atc);
  tdes(key).encrypt(block, 0);
  return String(((block[6] ?? 0) << 8) | (block[7] ?? 0)).padStart(5, '0');
};
