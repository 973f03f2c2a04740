/** A fault at a boundary of the program: a row of the fault table with the facts of the case filled in. */
import { type FaultCode, type FaultRow, faults, type Remedy } from './faults.ts';
import { formatEnglish } from './placeholders.ts';

export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly remedy: Remedy;
  /** What it means for the money, in a sentence. */
  readonly money: string;
  /** What a person does now, in a sentence. */
  readonly next: string;
  readonly facts: Readonly<Record<string, string | number>>;

  constructor(code: FaultCode, facts: Record<string, string | number> = {}, cause?: unknown) {
    const row: FaultRow = faults[code];
    super(formatEnglish(row.says, facts), cause === undefined ? undefined : { cause });
    this.code = code;
    this.remedy = row.remedy;
    this.money = formatEnglish(row.money, facts);
    this.next = formatEnglish(row.next, facts);
    this.facts = facts;
  }
}

/** A fault about sales: one row for each, to be shown. */
export class SalesFault extends Fault {
  readonly sales: readonly object[];

  constructor(code: FaultCode, facts: Record<string, string | number>, sales: readonly object[]) {
    super(code, facts);
    this.sales = sales;
  }
}

/** Whether this is a fault and, if codes are given, one with such a code. */
export const isFault = (error: unknown, ...codes: FaultCode[]): error is Fault =>
  error instanceof Fault && (codes.length === 0 || codes.includes(error.code));

/** The message of anything that was thrown, without a stack. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
