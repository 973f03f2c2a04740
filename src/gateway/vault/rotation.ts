/** Puts all stored accounts under the vault's current key: in small transactions, while gateways go on working. */
import { isFault } from '../../base/fault.ts';
import type { Registration } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from './vault.ts';

/** How many records are read at a time. */
const BATCH = 100;
/** With more broken records than this something else is wrong, and going on would only find more. */
const BROKEN_MAX = 1000;

export type Rotation = {
  store: Pick<Store, 'atomically' | 'sealedUnderOther'>;
  vault: Vault;
  /** Called after each batch, with how many are done in all. */
  progress?: (done: number) => void;
};

export type Rotated = {
  rewrapped: number;
  /** Ids of registrations whose seal cannot be opened: they stay as they are. */
  broken: readonly string[];
};

/**
 * Wraps the data keys of all active registrations anew; no account is opened for it. Whatever it has done stays done
 * when it is cut off, and the next one goes on from there. Two at once do no harm. Throws `vault.keyUnknown` when the
 * key of a record is not there: with that key all would be well.
 */
export const rotateVault = async ({ store, vault, progress = () => undefined }: Rotation): Promise<Rotated> => {
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
    progress(rewrapped);
  }
  return { rewrapped, broken: [...broken] };
};

type Outcome = 'done' | 'needless' | 'broken';

/**
 * Reads it again under the name that all changes of a registration run under: since the batch was read it may have
 * been deleted, changed or done.
 */
const rewrapOne = async (store: Rotation['store'], vault: Vault, id: string): Promise<Outcome> =>
  store.atomically([`registration ${id}`], async (session) => {
    const registration = await session.registration(id);
    const sealed = registration?.state === 'active' ? registration.sealed : undefined;
    if (registration === undefined || sealed === undefined || sealed.keyId === vault.keyId()) return 'needless';
    const fresh = rewrapped(vault, { ...registration, sealed });
    if (fresh === undefined) return 'broken';
    await session.changeRegistration({ ...registration, sealed: fresh });
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
