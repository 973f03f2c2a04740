/** A batch by name and by address: each terminal counts its own, so where there are several it goes with them. */
import type { BatchRow } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import type { Words } from '../../../words/tables.ts';

type Named = Pick<BatchRow, 'batch' | 'terminalId' | 'counter'>;

/** Whether these are of more terminals than one. */
export const areOfSeveral = (rows: readonly Named[]): boolean =>
  new Set(rows.map(({ terminalId }) => terminalId)).size > 1;

/** `T2`, or the acquirer's number of a terminal that is here no more. */
export const terminalOf = ({ counter, terminalId }: Named): string => counter ?? terminalId;

/** What is said of a batch, with its terminal before it where that is needed: `T2 · Close batch 1`. */
export const ofTerminal = (words: string, row: Named, isOfSeveral: boolean): string =>
  isOfSeveral ? `${terminalOf(row)} · ${words}` : words;

export const addressOf = ({ batch, terminalId }: Named): string =>
  `/manager/batches/${batch}/${encodeURIComponent(terminalId)}`;

type Naming = { t: Pick<Words['manager'], 'batches'>; number(value: number): string };

/** How many sales were made; of those that came to nothing it says that they were begun. */
export const madeOf = ({ sales, made = sales }: Pick<BatchRow, 'sales' | 'made'>, { t, number }: Naming): string =>
  made === sales ? number(made) : fill(t.batches.madeOf, { made: number(made), begun: number(sales) });
