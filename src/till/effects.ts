/**
 * What a sale does to the world: asks the terminal, the gateway, the card. Each errand ends with the event it led to.
 */
import { wordsOf } from '../base/fault.ts';
import { authorise } from './gateway/host-errands.ts';
import type { SaleEvent } from './machine/events.ts';
import type { Effect, Sale } from './machine/sale.ts';
import { overwriteHeld, type Run } from './run-context.ts';
import { awaitCard, cancelCard, completeChip, partWithCard, readCard, release } from './terminal/card-errands.ts';
import { attendTerminal } from './terminal/terminal-errands.ts';

/** An effect of the machine, or the courtesy at the end: the terminal's screen and the card's return. */
export type Errand = Effect | { do: 'partWithCard' };

/** Never rejects: an errand that fails in a way nobody foresaw ends as its worst case. */
export const perform = async (run: Run, errand: Errand, now: Sale): Promise<SaleEvent | undefined> => {
  try {
    return await attend(run, errand, now);
  } catch (error) {
    run.parts.report(error);
    return worstOf(errand, wordsOf(error));
  }
};

const attend = async (run: Run, errand: Errand, now: Sale): Promise<SaleEvent | undefined> => {
  switch (errand.do) {
    case 'awaitCard':
      return awaitCard(run);
    case 'readCard':
      return readCard(run, now);
    case 'cancelCard':
      await cancelCard(run);
      return undefined;
    case 'authorise':
      return authorise(run, now);
    case 'completeChip':
      return completeChip(run, errand.verdict);
    case 'releaseCard':
      await release(run);
      return undefined;
    case 'partWithCard':
      // The sale has ended, and what is to be stored of it was written down: the card may stay in the slot for long.
      overwriteHeld(run);
      await partWithCard(run, now);
      return undefined;
    default:
      return attendTerminal(run, errand, now);
  }
};

const worstOf = (errand: Errand, why: string): SaleEvent | undefined => {
  if (errand.do === 'readCard') return { on: 'cardNotRead', why: 'terminalFailed', words: why };
  if (errand.do === 'authorise') return { on: 'hostSilent', why };
  if (errand.do === 'noteTerminal') return { on: 'terminalUnready', why };
  if (errand.do === 'payAtTerminal' || errand.do === 'askTerminal') return { on: 'terminalSilent', why };
  return errand.do === 'completeChip' ? { on: 'chipGone', why } : undefined;
};
