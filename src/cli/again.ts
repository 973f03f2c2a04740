/** `--again`: the yes to the till's question whether the customer was just charged. */
import type { Command } from 'commander';
import { refuseLikely, type WantedSale } from '../selling/likely-sales.ts';
import { receiptNumber } from './arguments.ts';
import type { CommandTill } from './till-options.ts';

export type AgainFlags = { again?: string[] };

export const withAgain = (command: Command): Command =>
  command.option(
    '--again <receipt...>',
    'sales of the same amount whose ending is not known: they were of another customer',
  );

/** The receipts that `--again` names. Throws `command.malformed`. */
export const againOf = ({ again = [] }: AgainFlags): number[] => again.map(receiptNumber);

/** The yes as a fact of the sale. Throws `sale.likely` where a sale is asked about that it does not name. */
export const notChargedYet = (
  running: CommandTill,
  wanted: WantedSale,
  again: readonly number[],
): { again: readonly number[] } => ({ again: refuseLikely(running, wanted, { again }) });
