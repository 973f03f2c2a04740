/** Destroys stored accounts whose time is over: in small transactions, while gateways go on working. */
import type { Clock } from '../../base/clock.ts';
import type { Registration, Store } from '../store/store.ts';

/** How many are read at a time. */
const BATCH = 100;

/** The query that finds them, beside what every store has. */
export type Expiring = Pick<Store, 'atomically'> & {
  /** Active registrations kept until this time (ms) or earlier, the longest overdue first, so many. */
  expiredRegistrations(until: number, limit: number): Promise<readonly Registration[]>;
};

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
