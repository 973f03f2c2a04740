/**
 * The destroyed key of a settled record still stands in the write-ahead log, until that is folded into the file. After
 * a pass of the queue that is done at once; here it is done soon after any other end: a void, a person's word.
 */
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { Outbox } from '../queue/outbox.ts';

/** Long enough for the step to end that destroyed it, and for a receipt to be on its way. */
const SOON_MS = 1_000;

export type WipedOutbox = { outbox: Outbox; stop(): void };

/** `report` hears of a log that could not be folded: it is tried again after the next key, pass or start. */
export const withKeysWiped = (
  outbox: Outbox,
  { journal, clock, report }: { journal: Journal; clock: Clock; report(error: unknown): void },
): WipedOutbox => {
  let unschedule: (() => void) | undefined;
  /** The steps before the last key was destroyed. */
  let before = 0;
  const wipe = (): void => {
    unschedule = undefined;
    if (journal.tidiedAt > before) return;
    try {
      journal.tidy();
    } catch (error) {
      report(error);
    }
  };
  const soon = (): void => {
    before = journal.steps;
    // Whichever folding comes first takes the key with it.
    journal.keysGone();
    unschedule ??= clock.after(SOON_MS, wipe);
  };
  return {
    outbox: {
      ...outbox,
      settle(id) {
        outbox.settle(id);
        soon();
      },
      withdraw(id) {
        outbox.withdraw(id);
        soon();
      },
    },
    stop() {
      unschedule?.();
      unschedule = undefined;
    },
  };
};
