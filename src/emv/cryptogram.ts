/** The application cryptogram of a chip: ARQC, TC or AAC, all made in the same way (EMV Book 2, 8.1). */
import { retailMac } from './mac.ts';

/** `80`: a byte 80, then zeros. `00`: zeros only, as Visa cryptogram versions 10 and 17 have it. */
export type CryptogramPadding = '80' | '00';

/**
 * The cryptogram, 8 bytes, under a key of 16 bytes: the session key, or the card's master key where the version has no
 * session key. Throws `key.malformed`.
 */
export const applicationCryptogram = (o: {
  key: Uint8Array;
  data: Uint8Array;
  padding: CryptogramPadding;
}): Uint8Array => retailMac({ key: o.key, data: o.data, padding: o.padding === '80' ? 2 : 1 });
