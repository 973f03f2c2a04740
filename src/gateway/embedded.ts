/** The whole gateway in one process: its store, its vault, the acquirers, the host API. */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { Acquirer } from './acquirers/acquirer.ts';
import { acquirerByTestMode } from './acquirers/by-test-mode.ts';
import { openSimulator } from './acquirers/simulator/simulator.ts';
import type { UpstreamAcquirer } from './acquirers/upstream/upstream.ts';
import type { Channel } from './channel.ts';
import type { Clockwork } from './clockwork.ts';
import type { Observer } from './http/observer.ts';
import { type GatewayApp, gatewayApp } from './http/server.ts';
import type { Gateway } from './operations/endpoint.ts';
import { proveSecret, secretOf } from './secret.ts';
import { openStore, type StoreOptions } from './store/open.ts';
import type { Store } from './store/store.ts';
import { openKeyring } from './vault/keyring.ts';
import { purgeDaily } from './vault/purge.ts';
import { openVault, proveVault } from './vault/vault.ts';

export type EmbeddedOptions = {
  /** A folder, made if missing; or ':memory:', which forgets all on closing. */
  dataDir: string;
  /** postgres://…: payments stand there and not in the folder. Its keys stay in the folder, or are given. */
  database?: string;
  /** 64 hex digits: the vault's key instead of a file's, the same on all machines of one database. */
  vaultKey?: string;
  channels: readonly Channel[];
  clock: Clock;
  ids: Ids;
  random: Random;
  patienceMs?: number;
  report?: (error: unknown) => void;
  observers?: readonly Observer[];
  storeOptions?: StoreOptions;
};

export type Embedded = GatewayApp & { store: Store };

/**
 * Opens the store, ends what an earlier process left open, and is then ready. `close` also closes the store.
 * Throws `folder.unusable` when there can be no such folder, `gateway.state` when the data in it cannot be used, and
 * the vault's own faults.
 */
export const openGateway = async (options: EmbeddedOptions): Promise<Embedded> => {
  const { dataDir, database, vaultKey: given, clock, random } = options;
  const keyring = openKeyring({ at: { dataDir }, given, random, clock });
  const vault = openVault(keyring, random);
  const secret = secretOf({ dataDir, given: given === undefined ? undefined : keyring.lookup, random });
  const where = database ?? (dataDir === ':memory:' ? dataDir : join(dataDir, 'gateway.db'));
  const store = await openStore(where, options.storeOptions);
  try {
    await proveSecret(store, secret);
    await proveVault(store, vault);
    const decided: Decided = { tell: async () => {} };
    const { close, ...acquirers } = await acquirersOf(options, { store, decided });
    const app = gatewayApp({ ...options, ...acquirers, store, vault, secret });
    // A payment has its ending before the shopper is back in the shop.
    decided.tell = async (id) => void (await app.gateway.processing.look(id));
    await app.ready;
    const clockworks = clockworksOf(options, app.gateway);
    return {
      ...app,
      store,
      async close() {
        await Promise.all(clockworks.map((each) => each.end()));
        await app.close();
        await close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** Whom a page of the simulated bank tells that a payment has its ending. */
type Decided = { tell: (id: string) => Promise<void> };

/** What goes on by itself from here on, until each is told to end. */
const clockworksOf = ({ clock, report = () => {} }: EmbeddedOptions, { store }: Gateway): readonly Clockwork[] => [
  purgeDaily({ store, clock, report }),
];

type Around = { store: Store; decided: Decided };

/** The simulators, and for testMode=EXTERNAL each channel's own processor, loaded only where there is one. */
const acquirersOf = async ({ channels, clock, random }: EmbeddedOptions, { store, decided }: Around) => {
  const { memory } = store;
  const { acquirer: simulator, pages } = openSimulator({ memory, clock, random, decided: (id) => decided.tell(id) });
  const upstreams = new Map<string, UpstreamAcquirer>();
  for (const { entityId, upstream } of channels) {
    if (upstream === undefined) continue;
    const { upstreamAcquirer } = await import('./acquirers/upstream/upstream.ts');
    upstreams.set(entityId, upstreamAcquirer({ upstream, entityId, memory, clock }));
  }
  const upstreamOf = (entityId: string): Acquirer | undefined => upstreams.get(entityId);
  return {
    acquirer: acquirerByTestMode({ simulator, upstreamOf, memory }),
    pages,
    close: async () => void (await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))),
  };
};
