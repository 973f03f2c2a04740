/**
 * Maintenance of stored accounts, in small transactions while gateways keep working: expired accounts are destroyed,
 * the others re-wrapped under the current key.
 */
import { type Clock, DAY_MS } from '../../base/clock.ts';
import { isFault } from '../../base/fault.ts';
import { type BackgroundJob, startRounds } from '../background-jobs.ts';
import type { Registration } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from './vault.ts';

/** The number of records read at a time. */
const BATCH = 100;
/** With more broken records than this something else is wrong, and continuing would only find more. */
const BROKEN_MAX = 1000;

export type Rotation = {
  store: Pick<Store, 'transact' | 'sealedUnderOther'>;
  vault: Vault;
  /** Called after each batch, with the total number done. */
  onProgress?: (done: number) => void;
};

export type RotationResult = {
  rewrapped: number;
  /** Ids of registrations that cannot be decrypted: they stay unchanged. */
  broken: readonly string[];
};

/**
 * Re-wraps the data keys of all active registrations without decrypting any account. If it is interrupted, its progress
 * is kept, and the next run continues. Two runs at once do no harm. Throws `vault.keyUnknown` if a record's key is not
 * available: with that key nothing would be wrong.
 */
export const rotateVault = async ({
  store,
  vault,
  onProgress = () => undefined,
}: Rotation): Promise<RotationResult> => {
  const broken = new Set<string>();
  let rewrapped = 0;
  while (broken.size < BROKEN_MAX) {
    // Broken ones are found again and again, and must not crowd out the others.
    const found = await store.sealedUnderOther(vault.keyId(), BATCH + broken.size);
    const batch = found.filter(({ id }) => !broken.has(id));
    if (batch.length === 0) break;
    for (const { id } of batch) {
      const outcome = await rewrapOne(store, vault, id);
      if (outcome === 'broken') broken.add(id);
      if (outcome === 'done') rewrapped += 1;
    }
    onProgress(rewrapped);
  }
  return { rewrapped, broken: [...broken] };
};

type Outcome = 'done' | 'needless' | 'broken';

/**
 * Reads it again under the lock name of all changes to a registration: since the batch was read it may have been
 * deleted, changed or re-wrapped.
 */
const rewrapOne = async (store: Rotation['store'], vault: Vault, id: string): Promise<Outcome> =>
  store.transact([`registration ${id}`], async (session) => {
    const registration = await session.registration(id);
    const sealed = registration?.state === 'active' ? registration.sealed : undefined;
    if (registration === undefined || sealed === undefined || sealed.keyId === vault.keyId()) return 'needless';
    const renewed = rewrapped(vault, { ...registration, sealed });
    if (renewed === undefined) return 'broken';
    await session.changeRegistration({ ...registration, sealed: renewed });
    return 'done';
  });

const rewrapped = (vault: Vault, registration: Registration & Required<Pick<Registration, 'sealed'>>) => {
  try {
    return vault.rewrap(registration.sealed, registration);
  } catch (error) {
    if (isFault(error, 'vault.broken')) return undefined;
    throw error;
  }
};

// Destroys expired stored accounts, in small transactions while gateways keep working.

/** The part of the store that a purge needs. */
export type ExpiringStore = Pick<Store, 'transact' | 'expiredRegistrations'>;

/**
 * Marks each of them deleted and removes its encrypted account: without the wrapped data key the account is gone
 * forever. Returns how many. A registration extended meanwhile stays; two purges at once do no harm.
 */
export const purgeExpired = async ({ store, clock }: { store: ExpiringStore; clock: Clock }): Promise<number> => {
  const now = clock.now();
  let purged = 0;
  for (;;) {
    const purgedBefore = purged;
    for (const { id } of await store.expiredRegistrations(now, BATCH)) if (await purgeOne(store, id, now)) purged += 1;
    // Nothing is left, or another purge is doing the rest.
    if (purged === purgedBefore) return purged;
  }
};

const purgeOne = (store: ExpiringStore, id: string, now: number): Promise<boolean> =>
  store.transact([`registration ${id}`], async (session) => {
    const registration = await session.registration(id);
    if (registration === undefined || registration.state !== 'active' || registration.keptUntil > now) return false;
    const { sealed: _, ...rest } = registration;
    await session.changeRegistration({ ...rest, state: 'deleted' });
    return true;
  });

type Purging = { store: ExpiringStore; clock: Clock; report: (error: unknown) => void };

/** Purges now and once a day, until it is told to end; a failed purge is reported and retried the next day. */
export const purgeDaily = ({ store, clock, report }: Purging): BackgroundJob =>
  startRounds({
    clock,
    everyMs: DAY_MS,
    report,
    async runRound() {
      await purgeExpired({ store, clock });
      return undefined;
    },
  });
