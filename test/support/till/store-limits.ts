/** What a store that sells offline sets in till.json. */
import { systemIds } from '../../../src/base/ids.ts';
import { changeConfig } from '../../../src/folder/config.ts';
import type { OfflineConfig } from '../../../src/folder/offline-config.ts';

/** The simulated terminals' kernel authenticates no card data offline, and says so. */
export const storeLimits: OfflineConfig = {
  chip: { upTo: '50.00' },
  deferred: { upTo: '0.00' },
  total: '500.00',
  count: 50,
  withoutDataAuthentication: true,
};

/** Sets them in this till's folder; its till.json is made if there is none. */
export const setStoreLimits = (folder: string, limits: OfflineConfig = storeLimits): void => {
  changeConfig(folder, systemIds, (config) => ({ ...config, offline: limits }));
};
