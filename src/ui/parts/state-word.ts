/** The one word that a sale is called by, wherever it is shown. */
import type { SaleRow, State } from '../../api/ports/selling.ts';
import type { Words } from '../../words/tables.ts';

export type SaleOutcome = Pick<SaleRow, 'operation' | 'reason'> & { state: State; ending?: SaleRow['ending'] };

/** The gateway answered in the other mode than the till's: no card declined this, and the next one fares no better. */
export const isSetUpError = (reason: SaleOutcome['reason']): boolean =>
  reason === 'testAnswer' || reason === 'liveAnswer';

/**
 * The word of a sale: its state's, of one that was proved never to have been made that it charged nothing, and of one
 * that failed for the till's own set-up that.
 */
export const stateWord = (shared: Words['shared'], { state, ending, operation, reason }: SaleOutcome): string => {
  if (isSetUpError(reason)) return shared.setUpError;
  if (ending !== 'notSent') return shared.states[state];
  return operation === 'sale' || operation === 'completion' ? shared.notCharged : shared.notDone;
};
