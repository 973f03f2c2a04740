/**
 * The Z report: the figures of a batch at its close. Each report contains the hash of the previous one, so none can be
 * missing.
 */
import { createHash } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import type { Mode } from '../base/mode.ts';
import type { BusinessDay } from './business-day.ts';
import type { OpenMoney, ReportedUnpaid } from './open-money.ts';
import type { Report } from './report.ts';

/** The totals of till and gateway for one brand. Signed, with the currency's decimals. */
export type BrandTotals = {
  readonly brand: string;
  readonly currency: string;
  readonly till: string;
  readonly gateway: string;
  /** The number of sales on which the two differ. */
  readonly differing: number;
};

/** A sale on which till and gateway differ, or about which the gateway gave no answer. */
export type Difference = {
  readonly receipt: number;
  readonly till: string;
  readonly gateway: string;
  readonly why: string;
};

/** A payment that the gateway has under this terminal's id and that the till's journal lacks. */
export type ExtraPayment = {
  /** The gateway's id for it. */
  readonly payment: string;
  readonly paymentType: string;
  /** Empty when the gateway gives none. */
  readonly amount: string;
  /** `yyyy-MM-dd HH:mm:ss+0000`, as the gateway gives it. */
  readonly at: string;
};

/** What the terminal's own end of day printed, and whether it contains the till's sum of its sales. */
export type TerminalDay = {
  readonly lines: readonly string[];
  readonly till: string;
  readonly agrees: boolean;
  /** The terminal's first answer never came, so the till asked again: this may be the report of an empty day. */
  readonly askedAgain?: true;
};

/** A sale for which more was given back than was charged, as an older version could write it. */
export type Unbalanced = { readonly receipt: number; readonly amount: string };

/** A sale that was open at an earlier Z report, and where its money is now. */
export type SettledSale = {
  readonly receipt: number;
  readonly batch: number;
  readonly amount: string;
  readonly place: string;
};

export type ZBody = ReportedUnpaid & {
  /** Whether these sums were real money. Absent in old reports. */
  readonly mode?: Mode;
  readonly number: number;
  readonly terminalId: string;
  readonly batch: number;
  readonly day: BusinessDay;
  /** `yyyy-MM-dd HH:mm:ss`, UTC, by the till's clock. */
  readonly openedAt: string;
  readonly closedAt: string;
  readonly report: Report;
  readonly brands: readonly BrandTotals[];
  readonly differences: readonly Difference[];
  /** Not part of any sum in this report. */
  readonly unknownHere?: readonly ExtraPayment[];
  /** The money that an override left open. */
  readonly open: readonly OpenMoney[];
  readonly override?: { readonly by: string; readonly reason: string; readonly signature: string };
  readonly settled: readonly SettledSale[];
  readonly terminal?: TerminalDay;
  readonly unbalanced?: readonly Unbalanced[];
  /** How many numbers before its own are skipped: a copy of this till's journal may have used them. */
  readonly skipped?: number;
  /** How many of its sales were learned from the gateway: reports missing from this journal may contain them. */
  readonly learned?: number;
  /** Since the last start the gateway has not been asked whether it knows more about this till than the journal. */
  readonly notCompared?: true;
  /** The hash of the previous Z report, or 64 zeros. */
  readonly previous: string;
};
export type ZReport = ZBody & { readonly hash: string };

export const FIRST = '0'.repeat(64);

export const sealed = (body: ZBody): ZReport => ({ ...body, hash: hashOf(body) });

/** Throws `books.zBroken` for a report that was changed, or does not follow the previous one. */
export const verifyZ = (reports: Iterable<ZReport>): void => {
  let previous = FIRST;
  let number = 0;
  for (const { hash, ...body } of reports) {
    const refuse = (reason: string): Fault => new Fault('books.zBroken', { number: body.number, why: reason });
    number += 1 + (body.skipped ?? 0);
    if (body.number !== number) throw refuse(`it is in the place of number ${number}`);
    if (body.previous !== previous) throw refuse('it does not follow the previous one');
    if (hashOf(body) !== hash) throw refuse('it was changed after it was written');
    previous = hash;
  }
};

/** SHA-256 of the body in canonical form, which is the same for every writer and reader. */
export const hashOf = (body: unknown): string => createHash('sha256').update(canonical(body)).digest('hex');

/** JSON with sorted object keys and no white space. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join(',')}}`;
};
