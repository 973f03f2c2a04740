/**
 * Payments that wait for a shopper who never comes: their acquirers are asked from time to time, until the payments
 * end.
 */
import type { Clock } from '../../base/clock.ts';
import { type BackgroundJob, startRounds } from '../background-jobs.ts';
import type { Store } from '../store/store.ts';
import type { Processing } from './processing.ts';

/** The longest time for which a card may wait, encrypted; other payments wait longer, and asking early does no harm. */
const FIRST_MS = 15 * 60_000;
const EVERY_MS = 60_000;
/** By then all of the gateway's own payments have ended; any other is a processor's, and may wait for days. */
const LONG_MS = 60 * 60_000;

type DeadlineOptions = {
  store: Pick<Store, 'unfinished'>;
  processing: Processing;
  clock: Clock;
  report: (e: unknown) => void;
};

/**
 * Queries each payment that has waited long. A query asks the acquirer, which ends undecided payments: a payment made
 * at the last moment is found, not timed out. Any number of gateways may do so.
 */
export const pendingDeadlines = ({ store, processing, clock, report }: DeadlineOptions): BackgroundJob => {
  /** For payments that wait for days: the time of the next query. */
  let nextChecks: ReadonlyMap<string, number> = new Map();
  return startRounds({
    clock,
    everyMs: EVERY_MS,
    report,
    async runRound() {
      const now = clock.now();
      const pending = (await store.unfinished(now - FIRST_MS)).filter(({ facts }) => facts.answer !== undefined);
      const updatedChecks = new Map<string, number>();
      for (const { id, at } of pending) {
        const nextCheckAt = nextChecks.get(id) ?? 0;
        if (now < nextCheckAt) {
          updatedChecks.set(id, nextCheckAt);
          continue;
        }
        if (now - at > LONG_MS) updatedChecks.set(id, now + LONG_MS);
        await processing.lookUp(id).catch(report);
      }
      nextChecks = updatedChecks;
      return undefined;
    },
  });
};
