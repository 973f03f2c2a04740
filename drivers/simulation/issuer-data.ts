/**
 * Issuer application data, tag 9F10: what the simulated chip tells its issuer about this transaction.
 * Visa's format 0/1/3 and the 18-byte M/Chip form, with the card verification results of each; Interac's form, of whose
 * results no public source says what they mean: they stay zero.
 */
import { fromHex } from '../../src/base/hex.ts';
import type { CvnName } from '../../src/emv/cryptogram-versions.ts';
import { type Bit, mark } from './terminal-config.ts';

export type CryptogramKind = 'AAC' | 'TC' | 'ARQC';

/** What happened in this transaction so far, as the chip saw it. */
export type CardMarks = {
  first: CryptogramKind;
  second?: CryptogramKind;
  issuerAuthentication?: 'performed' | 'failed';
  offlinePin?: 'right' | 'wrong';
  pinTriesLeft: number;
  unableToGoOnline?: boolean;
  /** Went online and came back without issuer authentication data. */
  unauthenticatedOnline?: boolean;
  scripts: number;
  scriptFailed?: boolean;
};

const kinds: Record<CryptogramKind, number> = { AAC: 0, TC: 1, ARQC: 2 };
const notRequested = 2;

/** Bits 8-7 of the result byte: the second cryptogram; 6-5: the first. Both schemes count them alike. */
const cryptograms = ({ first, second }: CardMarks): number =>
  ((second === undefined ? notRequested : kinds[second]) << 6) | (kinds[first] << 4);

const markIf = (field: Uint8Array, bit: Bit, is: boolean | undefined): void => {
  if (is) mark(field, bit);
};

/** `06 | key index | CVN | 03 and three bytes of results` (openemv's reading of the Visa form). */
const visa = (cvnByte: number, marks: CardMarks): Uint8Array => {
  const iad = Uint8Array.of(0x06, 0x01, cvnByte, 0x03, cryptograms(marks), 0, (marks.scripts & 0x0f) << 4);
  const results = iad.subarray(3);
  markIf(results, [2, 4], marks.issuerAuthentication === 'failed');
  markIf(results, [2, 3], marks.offlinePin !== undefined);
  markIf(results, [2, 2], marks.offlinePin === 'wrong');
  markIf(results, [2, 1], marks.unableToGoOnline);
  markIf(results, [3, 7], marks.pinTriesLeft === 0);
  markIf(results, [3, 3], marks.unauthenticatedOnline);
  markIf(results, [4, 4], marks.scriptFailed);
  return iad;
};

/** `key index | CVN | six bytes of results | authentication code 2 | counters 8`. */
const mchip = (cvnByte: number, marks: CardMarks): Uint8Array => {
  const iad = new Uint8Array(18);
  iad.set([0x01, cvnByte, cryptograms(marks), 0, ((marks.scripts & 0x0f) << 4) | marks.pinTriesLeft]);
  const results = iad.subarray(2, 8);
  markIf(results, [1, 3], marks.offlinePin !== undefined);
  markIf(results, [1, 1], marks.offlinePin === 'right');
  markIf(results, [2, 5], marks.issuerAuthentication === 'performed');
  markIf(results, [4, 7], marks.unableToGoOnline);
  markIf(results, [4, 6], marks.offlinePin === undefined);
  markIf(results, [4, 5], marks.offlinePin === 'wrong');
  markIf(results, [4, 4], marks.pinTriesLeft === 0);
  markIf(results, [5, 3], marks.issuerAuthentication === 'failed');
  markIf(results, [5, 2], marks.scripts > 0);
  markIf(results, [5, 1], marks.scriptFailed);
  iad.set(fromHex('DAC1'), 8);
  return iad;
};

/** `15 | key index | CVN | 04 and four bytes of results | 14 bytes of the issuer's`. */
const interac = (): Uint8Array => {
  const iad = new Uint8Array(22);
  iad.set([0x15, 0x01, 0x85, 0x04]);
  return iad;
};

const forms: Partial<Record<CvnName, (marks: CardMarks) => Uint8Array>> = {
  visa10: (marks) => visa(0x0a, marks),
  visa18: (marks) => visa(0x12, marks),
  mchip10: (marks) => mchip(0x10, marks),
  mchip14: (marks) => mchip(0x14, marks),
  interac133: interac,
};

/** Tag 9F10 of a card with this cryptogram version, or undefined for a version that no test card has. */
export const issuerApplicationData = (cvn: CvnName, marks: CardMarks): Uint8Array | undefined => forms[cvn]?.(marks);
