/**
 * Ciphers of one acquirer's or one maker's own: a reader may be set up to encrypt card data with one of them, and only
 * that service opens it. Under TransArmor with Triple DES lies the text of the tracks, no TLV. Sources: NEO 2 IDG
 * 80139403-002, p218 and p238 (DFEE26); the vendor's public test scripts and NEO 2 SDK header for TransArmor.
 */
import { attributionOf } from './attribution.ts';
import type { Result } from './codec.ts';
import { findNeo2 } from './tlv.ts';

/** The low four bits of the second byte of DFEE26; the bits above say whether a MAC goes along. */
const ciphers: Readonly<Record<number, string>> = {
  2: 'TransArmor',
  3: 'Voltage',
  4: 'Visa’s format-preserving encryption',
  5: 'Verifone’s format-preserving encryption',
  6: 'TransArmor',
};

/** Said by the byte behind the attribution in DFEE26, or by either attribution byte, which then names none. */
export const foreignCipherOf = ({ attribution, tlvs }: Result): string | undefined => {
  const [first, second = 0] = findNeo2(tlvs, 'DFEE26')?.value ?? [];
  const named = ciphers[second & 0x0f];
  if (named !== undefined) return named;
  return [attribution, first].some((byte) => byte !== undefined && saysSo(byte)) ? 'TransArmor' : undefined;
};

const saysSo = (byte: number): boolean => {
  const said = attributionOf(byte);
  return said?.cipher === 'extended' && said.encrypted;
};

/** What it means, for whoever set the reader up. */
export const foreignWords = (cipher: string): string =>
  `it encrypts card data for ${cipher}, which this till’s gateway cannot read; whoever supplied it has to set its data ` +
  'key’s output mode to TDES or AES (command C7-A2)';
