/**
 * Ciphers of one acquirer's or one maker's own: a reader may be set up to encrypt card data with one of them, and only
 * that service opens it. Under TransArmor with Triple DES lies the text of the tracks, no TLV. Sources: NEO 2 IDG
 * 80139403-002, p218 and p238 (DFEE26); NEO 2 SDK header; the vendor's test scripts (github IDTSQATW/test_tree): CR065,
 * CR065-1 and CR066 for TransArmor, CR041-AES for AES DUKPT; SREDKey 2 Integration Manual, p31 (stripe block).
 */

import type { OutputMode } from './answers.ts';
import { attributionOf, type Neo2Result } from './codec.ts';
import { msrBlockIn } from './msr-block.ts';
import { findNeo2 } from './tlv.ts';

/** The low four bits of the second byte of DFEE26; the bits above say whether a MAC goes along. */
const ciphers: Readonly<Record<number, string>> = {
  2: 'TransArmor',
  3: 'Voltage',
  4: 'Visa’s format-preserving encryption',
  5: 'Verifone’s format-preserving encryption',
  6: 'TransArmor',
  7: 'TransArmor',
};

/**
 * The byte behind the attribution in DFEE26 decides, 00 Triple DES and 01 AES: readers with AES DUKPT say EC 01. Where
 * there is none, an attribution of either place that names no cipher of its own is TransArmor.
 */
export const proprietaryCipherOf = ({ attribution, tlvs }: Neo2Result): string | undefined => {
  const [first, second] = findNeo2(tlvs, 'DFEE26')?.value ?? [];
  const inStripe = msrBlockIn(tlvs)?.cipher === 'transArmor' ? 'TransArmor' : undefined;
  if (second !== undefined) return ciphers[second & 0x0f] ?? inStripe;
  return [attribution, first].some((byte) => byte !== undefined && saysSo(byte)) ? 'TransArmor' : inStripe;
};

const saysSo = (byte: number): boolean => {
  const said = attributionOf(byte);
  return said?.cipher === 'extended' && said.encrypted;
};

/** The same of a key's output mode, before any card. */
export const proprietaryModeOf = (mode: OutputMode | undefined): string | undefined =>
  mode?.cipher === 'transArmor' ? 'TransArmor' : undefined;

/** What it means, for whoever set the reader up. */
export const proprietaryCipherWords = (cipher: string): string =>
  `it encrypts card data for ${cipher}, which this till’s gateway cannot read; whoever supplied it has to set its data ` +
  'key’s output mode to TDES or AES (command C7-A2)';
