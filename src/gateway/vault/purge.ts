/** Destroys stored accounts whose time is over: in small transactions, while gateways go on working. */
import type { Clock } from '../../base/clock.ts';
import { type BackgroundJob, rounds } from '../background-jobs.ts';
import type { Store } from '../store/store.ts';

/** How many are read at a time. */
const BATCH = 100;

/** What of a store a purge needs. */
export type Expiring = Pick<Store, 'atomically' | 'expiredRegistrations'>;

/**
 * Marks each of them deleted and takes its seal away: with the wrapped data key the account is gone for ever. How many
 * that were. One that was extended since it was found stays; two purges at once do no harm.
 */
export const purgeExpired = async ({ store, clock }: { store: Expiring; clock: Clock }): Promise<number> => {
  const now = clock.now();
  let purged = 0;
  for (;;) {
    const before = purged;
    for (const { id } of await store.expiredRegistrations(now, BATCH)) if (await purgeOne(store, id, now)) purged += 1;
    // Nothing is left, or another purge is doing the rest.
    if (purged === before) return purged;
  }
};

const purgeOne = (store: Expiring, id: string, now: number): Promise<boolean> =>
  store.atomically([`registration ${id}`], async (session) => {
    const registration = await session.registration(id);
    if (registration === undefined || registration.state !== 'active' || registration.keptUntil > now) return false;
    const { sealed: _, ...rest } = registration;
    await session.changeRegistration({ ...rest, state: 'deleted' });
    return true;
  });

const DAY_MS = 24 * 60 * 60 * 1000;

type Purging = { store: Expiring; clock: Clock; report: (error: unknown) => void };

/** Purges now and once a day, until it is told to end; a purge that fails is reported, and tried again the next day. */
export const purgeDaily = ({ store, clock, report }: Purging): BackgroundJob =>
  rounds({
    clock,
    everyMs: DAY_MS,
    report,
    async round() {
      await purgeExpired({ store, clock });
      return undefined;
    },
  });
