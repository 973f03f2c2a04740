/** The whole gateway in one process: its store, its vault, the acquirers, the host API. */
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Ids, Random } from '../../base/ids.ts';
import { acquirerByTestMode } from '../acquirers/by-test-mode.ts';
import { openSimulator } from '../acquirers/simulator/simulator.ts';
import type { UpstreamAcquirer } from '../acquirers/upstream/upstream.ts';
import type { BackgroundJob } from '../background-jobs.ts';
import { assignMerchants, type Channel, isLive, type Merchant } from '../channel.ts';
import { callShops } from '../checkout/calls.ts';
import { openStore, type StoreOptions } from '../database/open.ts';
import { openOutgoing } from '../outgoing/outgoing.ts';
import type { Acquirer } from '../payments/acquirer.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { pendingDeadlines } from '../payments/pending-deadlines.ts';
import { settleDaily } from '../reports/delivery.ts';
import { runSchedules } from '../schedules/runner.ts';
import { proveSecret, secretOf } from '../secret.ts';
import type { Store } from '../store/store.ts';
import { openThreeDSecure } from '../threeds/open.ts';
import { openKeyring } from '../vault/keyring.ts';
import { purgeDaily } from '../vault/upkeep.ts';
import { openVault, proveVault, type Vault } from '../vault/vault.ts';
import { webhookDelivery } from '../webhooks/delivery.ts';
import { callNotificationUrls } from '../webhooks/notification-url.ts';
import { widgetPages } from '../widget/pages.ts';
import type { Observer } from './http/observer.ts';
import { type GatewayApp, gatewayApp } from './http/server.ts';

export type EmbeddedOptions = {
  /** A folder, created if missing; or ':memory:', which forgets everything on closing. */
  dataDir: string;
  /** postgres://…: holds the payments instead of the folder. The keys stay in the folder, or are given. */
  database?: string;
  /** 64 hex digits: the vault's key in place of a file, the same on all machines of one database. */
  vaultKey?: string;
  channels: readonly Channel[];
  merchants?: readonly Merchant[];
  clock: Clock;
  ids: Ids;
  random: Random;
  patienceMs?: number;
  /** Webhooks and shoppers' addresses may be in the own network, on any port. */
  allowPrivateUrls?: boolean;
  report?: (error: unknown) => void;
  observers?: readonly Observer[];
  storeOptions?: StoreOptions;
};

/** `secret` is the key of request fingerprints. */
export type Embedded = GatewayApp & { store: Store; secret: Uint8Array };

/**
 * Opens the store, ends what an earlier process left open, and is then ready. `close` also closes the store. Throws
 * `folder.unusable` if the folder cannot be created, `gateway.busy` if another gateway uses it, `gateway.state` if its
 * data cannot be used, and the vault's own faults.
 */
export const openGateway = async (input: EmbeddedOptions): Promise<Embedded> => {
  const options = { ...input, channels: assignMerchants(input.channels, input.merchants ?? []) };
  const { dataDir, database, vaultKey, clock, random } = options;
  const keyring = openKeyring({ at: { dataDir }, given: vaultKey, random, clock });
  const vault = openVault(keyring, random);
  const secret = secretOf({ dataDir, given: vaultKey === undefined ? undefined : keyring.lookup, random });
  const location = database ?? (dataDir === ':memory:' ? dataDir : join(dataDir, 'gateway.db'));
  const store = await openStore(location, options.storeOptions);
  try {
    await proveSecret(store, secret);
    await proveVault(store, vault);
    const decisionEvents = openDecisions();
    const { close, ...acquirers } = await acquirersOf(options, { store, vault, notifyDecision: decisionEvents.notify });
    const outgoing = openOutgoing({ clock, allowPrivate: options.allowPrivateUrls === true });
    const pages = [...acquirers.pages, ...widgetPages];
    const app = gatewayApp({ ...options, ...acquirers, pages, store, vault, secret, outgoing });
    // A payment has its ending before the shopper is back in the shop.
    decisionEvents.onDecision(async (id) => {
      await app.gateway.processing.lookUp(id);
      app.gateway.checkoutSignal.wake();
    });
    await app.ready;
    const jobs = backgroundJobsOf(options, app.gateway);
    return {
      ...app,
      store,
      secret,
      async close() {
        await Promise.all(jobs.map((each) => each.end()));
        await outgoing.close();
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

type DecisionListener = (paymentId: string) => Promise<void>;

/** Passes on that a page of the simulated bank or of a processor has ended a payment; the listener then queries it. */
const openDecisions = (): { notify: DecisionListener; onDecision(listener: DecisionListener): void } => {
  const listeners: DecisionListener[] = [];
  return {
    async notify(paymentId) {
      for (const listener of listeners) await listener(paymentId);
    },
    onDecision: (listener) => void listeners.push(listener),
  };
};

/** The default timeout of the host API. */
const PATIENCE_MS = 30_000;

/** The background jobs that run until they are told to end. */
const backgroundJobsOf = (
  { clock, ids, channels, patienceMs = PATIENCE_MS, report = () => {} }: EmbeddedOptions,
  gateway: Gateway,
): readonly BackgroundJob[] => {
  const { store, outgoing, checkoutSignal } = gateway;
  return [
    purgeDaily({ store, clock, report }),
    pendingDeadlines({ ...gateway, report }),
    callShops({ store, clock, outgoing, signal: checkoutSignal, report }),
    webhookDelivery({ ...gateway, names: namesOf(channels), report }),
    callNotificationUrls({ store, clock, outgoing, channels, signal: checkoutSignal, report }),
    ...settleDaily({ store, clock, ids, channels, report }),
    runSchedules({ gateway, channels, patienceMs, report }),
  ];
};

const namesOf = (channels: readonly Channel[]) => {
  const names = new Map(channels.map(({ entityId, name }) => [entityId, name]));
  return (entityId: string) => names.get(entityId);
};

type GatewayContext = { store: Store; vault: Vault; notifyDecision: DecisionListener };

/** Each channel's own processor, and the page to which its shoppers return: loaded only if there is one. */
const upstreamsOf = async (
  { channels, clock, report = () => {} }: EmbeddedOptions,
  { memory, notifyDecision }: Pick<Store, 'memory'> & { notifyDecision: DecisionListener },
) => {
  const upstreams = new Map<string, UpstreamAcquirer>();
  if (channels.every(({ upstream }) => upstream === undefined)) return { upstreams, pages: [] };
  const { upstreamAcquirer } = await import('../acquirers/upstream/upstream.ts');
  const { returnPage } = await import('../acquirers/upstream/shopper-return.ts');
  for (const { entityId, upstream } of channels) {
    if (upstream !== undefined) upstreams.set(entityId, upstreamAcquirer({ upstream, entityId, memory, clock }));
  }
  return { upstreams, pages: [returnPage({ memory, onDecision: notifyDecision, report })] };
};

/** The simulators, and the processors. */
const acquirersOf = async (options: EmbeddedOptions, { store, vault, notifyDecision }: GatewayContext) => {
  const { channels, clock, random, report = () => {} } = options;
  const { memory } = store;
  const { acquirer: simulator, pages } = openSimulator({ memory, clock, random, onDecision: notifyDecision });
  const { upstreams, pages: returns } = await upstreamsOf(options, { memory, notifyDecision });
  const live = new Set(channels.filter(isLive).map(({ entityId }) => entityId));
  const upstreamOf = (entityId: string): Acquirer | undefined => upstreams.get(entityId);
  const movers = acquirerByTestMode({ simulator, upstreamOf, isLive: (entityId) => live.has(entityId), memory });
  const secured = openThreeDSecure({
    acquirer: movers,
    memory,
    vault,
    clock,
    random,
    channels,
    onDecision: notifyDecision,
    report,
  });
  return {
    acquirer: secured.acquirer,
    pages: [...pages, ...secured.pages, ...returns],
    close: async () => void (await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))),
  };
};
