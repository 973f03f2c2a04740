/** Card Verification Results, inside tag 9F10, in words: the chip's own findings. One table per scheme. */
import { Fault } from '../base/fault.ts';
import type { Iad } from './iad.ts';

/**
 * A row is `byte.bit words` for one bit, or `byte.high-low words/words/…` for a number, with the words for values from
 * 0; `#` stands for the number, and a value without words is left out.
 */
type Table = { bytes: number; rows: readonly string[] };

/** Visa, Amex, UnionPay, JCB: byte 1 is the length, 03. */
const vis: Table = {
  bytes: 4,
  rows: [
    '2.8-7 AAC in second GENERATE AC/TC in second GENERATE AC/Second GENERATE AC not requested',
    '2.6-5 AAC in first GENERATE AC/TC in first GENERATE AC/ARQC in first GENERATE AC',
    '2.4 Issuer authentication performed and failed',
    '2.3 Offline PIN verification performed',
    '2.2 Offline PIN verification failed',
    '2.1 Unable to go online',
    '3.8 Last online transaction not completed',
    '3.7 PIN try limit exceeded',
    '3.6 Velocity checking counters exceeded',
    '3.5 New card',
    '3.4 Issuer authentication failed on last online transaction',
    '3.3 Issuer authentication not performed after online authorisation',
    '3.2 Application blocked because PIN try limit exceeded',
    '3.1 SDA failed on last transaction',
    '4.8-5 /# script command processed/# script commands processed',
    '4.4 Script processing failed',
    '4.3 DDA failed on last transaction',
    '4.2 DDA performed',
    '4.1 PIN verification command not received though expected',
  ],
};

const mChip: Table = {
  bytes: 6,
  rows: [
    '1.8-7 AAC in second GENERATE AC/TC in second GENERATE AC/Second GENERATE AC not requested',
    '1.6-5 AAC in first GENERATE AC/TC in first GENERATE AC/ARQC in first GENERATE AC',
    '1.4 Date check failed',
    '1.3 Offline PIN verification performed',
    '1.2 Offline encrypted PIN verification performed',
    '1.1 Offline PIN verification successful',
    '2.8 DDA returned',
    '2.7 CDA returned in first GENERATE AC',
    '2.6 CDA returned in second GENERATE AC',
    '2.5 Issuer authentication performed',
    '2.4 CIAC-Default skipped on CAT3',
    '2.3 Offline change PIN successful',
    '3.8-5 /# script command processed/# script commands processed',
    '3.4-1 # PIN tries left',
    '4.8 Last online transaction not completed',
    '4.7 Unable to go online',
    '4.6 Offline PIN verification not performed',
    '4.5 Offline PIN verification failed',
    '4.4 PIN try limit exceeded',
    '4.3 International transaction',
    '4.2 Domestic transaction',
    '4.1 Terminal erroneously considers offline PIN correct',
    '5.8 Lower consecutive counter limit exceeded',
    '5.7 Upper consecutive counter limit exceeded',
    '5.6 Lower cumulative accumulator limit exceeded',
    '5.5 Upper cumulative accumulator limit exceeded',
    '5.4 Go online on next transaction',
    '5.3 Issuer authentication failed',
    '5.2 Script received',
    '5.1 Script failed',
    '6.8 Lower consecutive counter 2 limit exceeded',
    '6.7 Upper consecutive counter 2 limit exceeded',
    '6.6 Lower cumulative accumulator 2 limit exceeded',
    '6.5 Upper cumulative accumulator 2 limit exceeded',
    '6.4 Maximum transaction amount exceeded',
    '6.3 Number of days offline exceeded',
    '6.2 Match in additional check table',
    '6.1 No match in additional check table',
  ],
};

const ccd: Table = {
  bytes: 5,
  rows: [
    '1.8-7 AAC in second GENERATE AC/TC in second GENERATE AC/Second GENERATE AC not requested',
    '1.6-5 AAC in first GENERATE AC/TC in first GENERATE AC/ARQC in first GENERATE AC',
    '1.4 CDA performed',
    '1.3 Offline DDA performed',
    '1.2 Issuer authentication not performed',
    '1.1 Issuer authentication performed and failed',
    '2.8-5 # PIN tries left',
    '2.4 Offline PIN verification performed',
    '2.3 Offline PIN verification performed and not successful',
    '2.2 PIN try limit exceeded',
    '2.1 Last online transaction not completed',
    '3.8 Lower offline transaction count limit exceeded',
    '3.7 Upper offline transaction count limit exceeded',
    '3.6 Lower cumulative offline amount limit exceeded',
    '3.5 Upper cumulative offline amount limit exceeded',
    '4.8-5 /# script command processed/# script commands processed',
    '4.4 Script processing failed',
    '4.3 Offline data authentication failed on previous transaction',
    '4.2 Go online on next transaction',
    '4.1 Unable to go online',
  ],
};

const tables: Readonly<Record<Iad['format'], Table>> = {
  'VIS 0/1/3': vis,
  PBOC: vis,
  // The results of these schemes have no public table; the table of another scheme would mislead.
  'VIS 2/4': { bytes: 5, rows: [] },
  Interac: { bytes: 5, rows: [] },
  'M/Chip': mChip,
  CCD: ccd,
};

/** The results in words, in order. Throws `emv.malformed` for a length other than the form's. */
export const cvrWords = ({ format, cvr }: { format: Iad['format']; cvr: Uint8Array }): string[] => {
  const { bytes, rows } = tables[format];
  if (cvr.length !== bytes) {
    throw new Fault('emv.malformed', { what: 'Card verification results', why: `${cvr.length} bytes, not ${bytes}` });
  }
  return rows.map((row) => rowWords(row, cvr)).filter((text) => text !== '');
};

const rowWords = (row: string, cvr: Uint8Array): string => {
  const space = row.indexOf(' ');
  const words = row.slice(space + 1).split('/');
  const [byte = '', bits = ''] = row.slice(0, space).split('.');
  const [high = 0, low = high] = bits.split('-').map(Number);
  const value = ((cvr[Number(byte) - 1] ?? 0) >> (low - 1)) & ((1 << (high - low + 1)) - 1);
  if (high === low) return value === 1 ? (words[0] ?? '') : '';
  // A count uses its last words for all higher values; a choice has words only for its listed values.
  const text = words[value] ?? (words.at(-1)?.includes('#') ? words.at(-1) : undefined);
  return (text ?? '').replace('#', String(value));
};
