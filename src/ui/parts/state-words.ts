/** What a sale is called wherever it is shown, and in which colour its state stands. */
import type { MantineColor } from '@mantine/core';
import type { SaleRow, State } from '../../api/ports/selling.ts';
import type { Words } from '../../locales/screens.ts';

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

/** One state, one colour: a name of the theme's, the same on every screen. */
export const stateColours: Readonly<Record<State, MantineColor>> = {
  idle: 'gray',
  busy: 'blue',
  approved: 'green',
  declined: 'red',
  unknown: 'yellow',
  offline: 'violet',
  person: 'amber',
};
