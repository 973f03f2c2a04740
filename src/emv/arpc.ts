/**
 * The issuer's cryptogram in answer to the card's (ARPC), by both methods of EMV Book 2, 8.2, and the CSU of the
 * second.
 */
import { Fault } from '../base/fault.ts';
import { concat } from '../base/hex.ts';
import { retailMac } from './mac.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantKey } from './want.ts';

/**
 * ARPC by method 1: 8 bytes. `arqc` has 8 bytes, `arc` the 2 bytes of the response code: ASCII for Visa, Mastercard's
 * ARPC response code. Throws `key.malformed`, `emv.malformed`.
 */
export const arpcMethod1 = (o: { key: Uint8Array; arqc: Uint8Array; arc: Uint8Array }): Uint8Array => {
  wantKey('A key for an ARPC', o.key, [16]);
  wantBytes('The cryptogram', o.arqc, [8]);
  wantBytes('The response code', o.arc, [2]);
  const block = Uint8Array.from(o.arqc);
  block[0] = (block[0] ?? 0) ^ (o.arc[0] ?? 0);
  block[1] = (block[1] ?? 0) ^ (o.arc[1] ?? 0);
  tdes(o.key).encrypt(block, 0);
  return block;
};

/**
 * ARPC by method 2: 4 bytes. `csu` has 4 bytes, `proprietary` (proprietary authentication data) up to 8.
 * Throws `key.malformed`, `emv.malformed`.
 */
export const arpcMethod2 = (o: {
  key: Uint8Array;
  arqc: Uint8Array;
  csu: Uint8Array;
  proprietary?: Uint8Array;
}): Uint8Array => {
  const proprietary = o.proprietary ?? new Uint8Array();
  wantBytes('The cryptogram', o.arqc, [8]);
  wantBytes('The card status update', o.csu, [4]);
  if (proprietary.length > 8) {
    const reason = `it must have at most 8 bytes, not ${proprietary.length}`;
    throw new Fault('emv.malformed', { what: 'Proprietary authentication data', why: reason });
  }
  return retailMac({ key: o.key, data: concat(o.arqc, o.csu, proprietary), padding: 2, length: 4 });
};

/** What the issuer does to the card's offline counters. The order is that of the encoding. */
const counterUpdates = ['keep', 'toUpperLimits', 'reset', 'addTransaction'] as const;

/** The decoded card status update (CSU). EMV Book 3, CCD part, table CCD 10. */
export type CardStatusUpdate = {
  approves: boolean;
  counters: (typeof counterUpdates)[number];
  /** 0 to 15; undefined leaves the card's PIN try counter unchanged. */
  pinTries?: number;
  hasProprietaryData?: boolean;
  blocksCard?: boolean;
  blocksApplication?: boolean;
  goesOnlineNext?: boolean;
  byProxy?: boolean;
};

const bit = (set: boolean | undefined, mask: number): number => (set ? mask : 0);

/** The 4 bytes of a CSU. Throws `emv.malformed` for a PIN try counter that does not fit. */
export const printCsu = (csu: CardStatusUpdate): Uint8Array => {
  const tries = csu.pinTries ?? 0;
  if (!Number.isInteger(tries) || tries < 0 || tries > 15) {
    throw new Fault('emv.malformed', { what: 'A PIN try counter', why: 'it must be 0 to 15' });
  }
  const second =
    bit(csu.approves, 0x80) |
    bit(csu.blocksCard, 0x40) |
    bit(csu.blocksApplication, 0x20) |
    bit(csu.pinTries !== undefined, 0x10) |
    bit(csu.goesOnlineNext, 0x08) |
    bit(csu.byProxy, 0x04) |
    counterUpdates.indexOf(csu.counters);
  return Uint8Array.of(bit(csu.hasProprietaryData, 0x80) | tries, second, 0, 0);
};

/** Decodes a CSU. Throws `emv.malformed` unless it has 4 bytes. */
export const parseCsu = (bytes: Uint8Array): CardStatusUpdate => {
  wantBytes('The card status update', bytes, [4]);
  const [first = 0, second = 0] = bytes;
  return {
    approves: (second & 0x80) !== 0,
    counters: counterUpdates[second & 3] ?? 'keep',
    hasProprietaryData: (first & 0x80) !== 0,
    blocksCard: (second & 0x40) !== 0,
    blocksApplication: (second & 0x20) !== 0,
    pinTries: second & 0x10 ? first & 0x0f : undefined,
    goesOnlineNext: (second & 0x08) !== 0,
    byProxy: (second & 0x04) !== 0,
  };
};
