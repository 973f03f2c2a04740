/** Issuer Application Data (tag 9F10), parsed by scheme: key index, cryptogram version, the card's own results. */
import { Fault } from '../base/fault.ts';

/** `dki`, `kdi` and `cci` say which issuer key was used, `cvn` which cryptogram version; `idd` is the issuer's own. */
export type Iad =
  /** Visa's and Amex's older form; `idd` begins with its length byte. */
  | { format: 'VIS 0/1/3'; dki: Uint8Array; cvn: Uint8Array; cvr: Uint8Array; idd?: Uint8Array }
  /** UnionPay's and JCB's: as above, plus one byte, the algorithm. */
  | { format: 'PBOC'; dki: Uint8Array; cvn: Uint8Array; cvr: Uint8Array; algorithm: Uint8Array; idd?: Uint8Array }
  /** Visa's newer form of 32 bytes. */
  | { format: 'VIS 2/4'; cvn: Uint8Array; dki: Uint8Array; cvr: Uint8Array; idd: Uint8Array }
  /** Mastercard; `dacIdn` is the data authentication code or ICC dynamic number. */
  | {
      format: 'M/Chip';
      kdi: Uint8Array;
      cvn: Uint8Array;
      cvr: Uint8Array;
      dacIdn: Uint8Array;
      counters: Uint8Array;
      /** The application transaction counter of the last online transaction, in the longer forms. */
      lastOnlineAtc?: Uint8Array;
    }
  /** EMV's common core definitions (Book 3, annex C9), used by domestic schemes. */
  | { format: 'CCD'; cci: Uint8Array; dki: Uint8Array; cvr: Uint8Array; counters: Uint8Array; idd: Uint8Array }
  /** Interac's, of version 133. `cvr` begins with its length, 04; no public source says what its bits are. */
  | { format: 'Interac'; dki: Uint8Array; cvn: Uint8Array; cvr: Uint8Array; idd: Uint8Array };

/** Lengths of Mastercard's forms, and of their counters; the rest is the last online ATC. */
const mChipCounters: ReadonlyMap<number, number> = new Map([
  [18, 8],
  [20, 8],
  [26, 16],
  [28, 16],
]);

/** The upper half of all cryptogram versions of M/Chip. */
const M_CHIP_VERSION = 0x10;

/** Interac's form: its length, its first byte, the only known version, the length of its results. */
const INTERAC = { length: 22, lead: 0x15, cvn: 0x85, cvrLead: 0x04 } as const;

const LEAST = 7;
const MOST = 32;

/**
 * The parts of the value, as views of it. The form is identified by its length and the length bytes inside it. Throws
 * `emv.malformed` for fewer than 7 or more than 32 bytes, and for a form of none of these schemes.
 */
export const parseIad = (iad: Uint8Array): Iad => {
  if (iad.length < LEAST || iad.length > MOST) {
    throw refuse(`${iad.length} bytes, it has ${LEAST} to ${MOST}`);
  }
  const [lead, cvn, , cvrLead] = iad;
  if (iad.length === 32 && lead === 0x1f) return vis2(iad);
  if (iad.length === 32 && lead === 0x0f && iad[16] === 0x0f) return ccd(iad);
  // The card's results begin with their length, 03; with the leading length this distinguishes it from Mastercard's
  // form.
  if (lead === 0x06 && cvrLead === 0x03 && restFits(iad, 7)) {
    return { format: 'VIS 0/1/3', ...shortForm(iad), ...discretionary(iad, 7) };
  }
  if (lead === 0x07 && cvrLead === 0x03 && restFits(iad, 8)) {
    return { format: 'PBOC', ...shortForm(iad), algorithm: iad.subarray(7, 8), ...discretionary(iad, 8) };
  }
  if (iad.length === INTERAC.length && lead === INTERAC.lead && iad[2] === INTERAC.cvn && cvrLead === INTERAC.cvrLead) {
    return { format: 'Interac', ...shortForm(iad), cvr: iad.subarray(3, 8), idd: iad.subarray(8) };
  }
  const counters = mChipCounters.get(iad.length);
  if (counters !== undefined && ((cvn ?? 0) & 0xf0) === M_CHIP_VERSION) return mChip(iad, 10 + counters);
  throw refuse('it has the form of no scheme we know');
};

const refuse = (reason: string): Fault => new Fault('emv.malformed', { what: 'Issuer application data', why: reason });

/** Whether nothing follows the fixed part, or discretionary data of exactly the length it claims. */
const restFits = (iad: Uint8Array, fixed: number): boolean =>
  iad.length === fixed || iad.length === fixed + 1 + (iad[fixed] ?? 0);

const discretionary = (iad: Uint8Array, fixed: number): { idd?: Uint8Array } =>
  iad.length > fixed ? { idd: iad.subarray(fixed) } : {};

const shortForm = (iad: Uint8Array): { dki: Uint8Array; cvn: Uint8Array; cvr: Uint8Array } => ({
  dki: iad.subarray(1, 2),
  cvn: iad.subarray(2, 3),
  cvr: iad.subarray(3, 7),
});

const vis2 = (iad: Uint8Array): Iad => ({
  format: 'VIS 2/4',
  cvn: iad.subarray(1, 2),
  dki: iad.subarray(2, 3),
  cvr: iad.subarray(3, 8),
  idd: iad.subarray(8),
});

const ccd = (iad: Uint8Array): Iad => ({
  format: 'CCD',
  cci: iad.subarray(1, 2),
  dki: iad.subarray(2, 3),
  cvr: iad.subarray(3, 8),
  counters: iad.subarray(8, 16),
  idd: iad.subarray(17),
});

const mChip = (iad: Uint8Array, countersEnd: number): Iad => ({
  format: 'M/Chip',
  kdi: iad.subarray(0, 1),
  cvn: iad.subarray(1, 2),
  cvr: iad.subarray(2, 8),
  dacIdn: iad.subarray(8, 10),
  counters: iad.subarray(10, countersEnd),
  lastOnlineAtc: iad.length > countersEnd ? iad.subarray(countersEnd) : undefined,
});
