/** The till.json settings of a store that sells offline. */
import { systemIds } from '../../../src/base/ids.ts';
import { changeConfig } from '../../../src/folder/config.ts';
import type { OfflineConfig } from '../../../src/folder/offline-config.ts';

/** The simulated terminals' kernel does not authenticate card data offline, and says so. */
export const storeLimits: OfflineConfig = {
  chip: { upTo: '50.00' },
  deferred: { upTo: '0.00' },
  total: '500.00',
  count: 50,
  withoutDataAuthentication: true,
};

/** Sets them in this till's folder, creating its till.json if there is none. */
export const setStoreLimits = (folder: string, limits: OfflineConfig = storeLimits): void => {
  changeConfig(folder, systemIds, (config) => ({ ...config, offline: limits }));
};
