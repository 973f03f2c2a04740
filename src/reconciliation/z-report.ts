/** The Z report: what a batch came to at its close. Each names the hash of the one before: none can be missing. */
import { createHash } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import type { Mode } from '../base/mode.ts';
import type { BusinessDay } from './business-day.ts';
import type { OpenMoney, ReportedUnpaid } from './open-money.ts';
import type { Report } from './report.ts';

/** What till and gateway have of one brand. Signed, in the currency's decimals. */
export type BrandTotals = {
  readonly brand: string;
  readonly currency: string;
  readonly till: string;
  readonly gateway: string;
  /** How many sales the two tell differently. */
  readonly differing: number;
};

/** A sale of which till and gateway do not tell the same, or of which the gateway said nothing. */
export type Difference = {
  readonly receipt: number;
  readonly till: string;
  readonly gateway: string;
  readonly why: string;
};

/** A payment that the gateway has under this terminal's id, and the till's journal has not. */
export type UnknownHere = {
  /** The gateway's id of it. */
  readonly payment: string;
  readonly paymentType: string;
  /** Empty where the gateway tells none. */
  readonly amount: string;
  /** `yyyy-MM-dd HH:mm:ss+0000`, as the gateway has it. */
  readonly at: string;
};

/** What the terminal's own end of day printed, and whether the till's sum of its sales stands there. */
export type TerminalDay = {
  readonly lines: readonly string[];
  readonly till: string;
  readonly agrees: boolean;
  /** Its first answer never came, so it was asked once more: this may be the paper of an empty day. */
  readonly askedAgain?: true;
};

/** A sale of which more was given back than it had, as an older program could write it. */
export type Unbalanced = { readonly receipt: number; readonly amount: string };

/** A sale that was open at an earlier Z: where its money is by now. */
export type Settled = {
  readonly receipt: number;
  readonly batch: number;
  readonly amount: string;
  readonly place: string;
};

export type ZBody = ReportedUnpaid & {
  /** Whether these sums were moved. Absent from reports of tills that did not know yet. */
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
  /** Not part of any sum of this report. */
  readonly unknownHere?: readonly UnknownHere[];
  /** Left open by an override. */
  readonly open: readonly OpenMoney[];
  readonly override?: { readonly by: string; readonly reason: string; readonly signature: string };
  readonly settled: readonly Settled[];
  readonly terminal?: TerminalDay;
  readonly unbalanced?: readonly Unbalanced[];
  /** So many numbers before its own are left out: a copy of this till's journal may have given them. */
  readonly skipped?: number;
  /** Of its sales so many were taken over from the gateway: they may stand in reports that this journal has not. */
  readonly learned?: number;
  /** Since the last start the gateway had not been asked whether it knows more of this till than its journal. */
  readonly notCompared?: true;
  /** Hash of the Z report before, or 64 zeros. */
  readonly previous: string;
};
export type ZReport = ZBody & { readonly hash: string };

export const FIRST = '0'.repeat(64);

export const sealed = (body: ZBody): ZReport => ({ ...body, hash: hashOf(body) });

/** Throws `books.zBroken` for one that was changed, or does not follow on the one before. */
export const verifyZ = (reports: Iterable<ZReport>): void => {
  let previous = FIRST;
  let number = 0;
  for (const { hash, ...body } of reports) {
    const refuse = (why: string): Fault => new Fault('books.zBroken', { number: body.number, why });
    number += 1 + (body.skipped ?? 0);
    if (body.number !== number) throw refuse(`it stands where number ${number} belongs`);
    if (body.previous !== previous) throw refuse('it does not follow on the one before');
    if (hashOf(body) !== hash) throw refuse('it was changed after it was written');
    previous = hash;
  }
};

/** SHA-256 over the body with its names in order: the same whoever wrote or read it. */
export const hashOf = (body: unknown): string => createHash('sha256').update(canonical(body)).digest('hex');

/** JSON with the names of each object sorted, and nothing else in it. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`)
    .join(',')}}`;
};
