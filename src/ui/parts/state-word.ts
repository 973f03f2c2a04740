/** The one word that a sale is called by, wherever it is shown. */
import type { SaleRow, State } from '../../api/ports/selling.ts';
import type { Words } from '../../words/tables.ts';

export type Shown = { state: State; ending?: SaleRow['ending']; operation: SaleRow['operation'] };

/** The word of a sale: its state's, and of one that was proved never to have been made that it charged nothing. */
export const stateWord = (shared: Words['shared'], { state, ending, operation }: Shown): string => {
  if (ending !== 'notSent') return shared.states[state];
  return operation === 'sale' || operation === 'completion' ? shared.notCharged : shared.notDone;
};
