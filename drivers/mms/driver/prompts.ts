/** The texts of the device for the till's prompts, and what the texts of a unit without a display mean for the till. */
import type { Prompt, TerminalEvent } from '../../terminal.ts';
import { texts } from '../protocol/commands.ts';

export const promptTexts: Readonly<Record<Prompt, number>> = {
  welcome: texts.welcome,
  processing: texts.processing,
  approved: texts.approved,
  declined: texts.declined,
  cancelled: texts.cancelled,
  removeCard: texts.removeCard,
};

const meanings: readonly (readonly [RegExp, TerminalEvent])[] = [
  [/\bREMOVE\b/i, 'removeCard'],
  [/\bPIN\b/i, 'enterPin'],
  [/USE CHIP/i, 'useChip'],
  [/USE MAG/i, 'useStripe'],
  [/\bAUTHORI[SZ]ING\b/i, 'authorising'],
  [/\b(TAP|INSERT|SWIPE|PRESENT)\b/i, 'presentCard'],
];

/** What the till shows for these lines, which the device wants shown; undefined for a text that needs no act. */
export const eventOf = (lines: readonly string[]): TerminalEvent | undefined =>
  meanings.find(([pattern]) => pattern.test(lines.join(' ')))?.[1];
