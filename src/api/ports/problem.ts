/** What every refusal and failure of the local API is told by. */
import type { WrongField } from '../../base/field-wants.ts';
import type { SaleRow } from './selling.ts';
import type { Said } from './wire.ts';

/** A refusal or failure: what happened, what it means for the money, what to do next. */
export type Problem = Said & {
  money: string;
  next: string;
  remedy: 'retry' | 'inquire' | 'queue' | 'halt' | 'refuse';
  /** Of a malformed request: each wrong field by its name, and what it has to be. */
  fields?: WrongField[];
  /** Of `sale.likely`: the sales that may have been charged. A yes names the receipt of each. */
  sales?: SaleRow[];
};
