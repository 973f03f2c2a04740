/** What a sale is called everywhere, and the colour of its state. */
import type { MantineColor } from '@mantine/core';
import type { SaleRow, State } from '../../api/contract/sales.ts';
import type { Words } from '../../locales/screens.ts';

export type SaleOutcome = Pick<SaleRow, 'operation' | 'reason'> & { state: State; ending?: SaleRow['ending'] };

/** The gateway answered in another mode than the till's: no card was declined, and the next one would fail too. */
export const isSetUpError = (reason: SaleOutcome['reason']): boolean =>
  reason === 'testAnswer' || reason === 'liveAnswer';

/**
 * The text for a sale: its state's name; for one that was provably never made, that it charged nothing; for one that
 * failed because of the till's set-up, that.
 */
export const stateWord = (shared: Words['shared'], { state, ending, operation, reason }: SaleOutcome): string => {
  if (isSetUpError(reason)) return shared.setUpError;
  if (ending !== 'notSent') return shared.states[state];
  return operation === 'sale' || operation === 'completion' ? shared.notCharged : shared.notDone;
};

/** One colour for each state, named as in the theme, the same on every screen. */
export const stateColours: Readonly<Record<State, MantineColor>> = {
  idle: 'gray',
  busy: 'blue',
  approved: 'green',
  declined: 'red',
  unknown: 'yellow',
  offline: 'violet',
  person: 'amber',
};

/** Joins texts for a screen reader, which pauses at the end of a sentence. Some already end with a full stop. */
export const joinSentences = (texts: readonly string[]): string =>
  texts.map((text) => (/[.!?؟]$/.test(text) ? text : `${text}.`)).join(' ');
