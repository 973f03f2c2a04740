/** What webhooks need from time to time: forgetting what is over, and secrets under the keys of today. */
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/vault.ts';
import { rewrapped, turned } from './secrets.ts';

const EVERY_MS = 60 * 60 * 1000;
/** While there is more to forget, the next step comes so soon: others want the store too. */
const AGAIN_MS = 1_000;
/** So many rows at a time. */
const STEP = 500;

type Tended = { store: Pick<Store, 'webhooks'>; vault: Vault };

/** To be called often; does something when it is time. */
export const upkeep = ({ store, vault, clock }: Tended & { clock: Clock }): (() => Promise<void>) => {
  let next = 0;
  let nextKeys = 0;
  return async () => {
    const now = clock.monotonic();
    if (now >= nextKeys) {
      nextKeys = now + EVERY_MS;
      await tendSecrets({ store, vault, clock });
    }
    if (now < next) return;
    const forgotten = await store.webhooks.purge({ now: clock.now(), limit: STEP });
    next = now + (forgotten > 0 ? AGAIN_MS : EVERY_MS);
  };
};

/** Puts all secrets under the vault's current key, and ends those whose successor is in use. How many it changed. */
export const tendSecrets = async ({ store, vault, clock }: Tended & { clock: Pick<Clock, 'now'> }): Promise<number> => {
  let changed = 0;
  for (const { id } of await store.webhooks.list()) {
    const done = await store.webhooks.change(id, (webhook) => {
      const current = turned(webhook, clock.now());
      return rewrapped(current, vault) ?? (current === webhook ? undefined : current);
    });
    if (done !== undefined) changed += 1;
  }
  return changed;
};
