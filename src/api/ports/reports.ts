/** How X and Z reports are wanted, and the sales that they are made of. */
import type { BookLine } from '../../reconciliation/report.ts';
import type { Operation } from '../../till/machine/facts.ts';
import type { Amount } from './wire.ts';

/** One sale of a batch. `amount`: what it asked for. */
export type BatchLine = {
  sale: string;
  receipt: number;
  operation: Operation;
  amount: Amount;
  ending: BookLine['ending'];
  brand: string;
  /** What a close waits for. */
  open?: BookLine['open'];
};

/** How a report is wanted. */
export type ReportWish = {
  /** BCP 47: its paper is in the first of these that there are words for, or in the shop's. */
  languages?: readonly string[];
  /** Width of the paper, mm; 80 if left out. */
  paper?: 58 | 80;
  /** With all that the till keeps of it. */
  record?: boolean;
};
