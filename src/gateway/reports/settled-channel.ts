/** A channel that is settled from now on: payments of any other leave nothing behind for settlement. */
import type { Store } from '../store/store.ts';

/** The first time it also takes what moved money before. */
export const beginSettling = async (
  store: Pick<Store, 'settlements' | 'atomically'>,
  entityId: string,
): Promise<void> => {
  if (await store.settlements.settles(entityId)) return;
  await store.atomically([], ({ settlements }) => settlements.addChannel(entityId));
};
