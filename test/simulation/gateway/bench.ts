/** A gateway with the simulator behind it, over any store, and a client that reads the accounts' balances. */
import { systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { testKeys } from '../../../src/emv/test-cards.ts';
import { openHsm } from '../../../src/gateway/acquirers/simulator/hsm.ts';
import { openSimulator } from '../../../src/gateway/acquirers/simulator/simulator.ts';
import { gatewayApp } from '../../../src/gateway/server/http/server.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { entityId, otherEntityId, type Parameters, type Reply, replyOf, token } from '../../support/gateway/gateway.ts';

export type Client = {
  send(method: 'POST' | 'GET' | 'DELETE', path: string, parameters: Parameters, headers?: Parameters): Promise<Reply>;
  /** The client of the other channel. */
  stranger: Client;
};

export type Bench = {
  client: Client;
  store: Store;
  reportedErrors: unknown[];
  /** Waits for the requests under way; the store stays open. */
  close(): Promise<void>;
};

const tokens: Parameters = { [entityId]: token, [otherEntityId]: 'other-token' };
const channels = Object.entries(tokens).map(([id, each]) => ({ entityId: id, token: each }));
const vault = openVault(
  openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock: systemClock }),
  systemRandom,
);

/** All benches have the same keys, so they can share one database. */
export const openBench = async (store: Store, { patienceMs = 30_000 } = {}): Promise<Bench> => {
  const reportedErrors: unknown[] = [];
  const { acquirer } = openSimulator({ memory: store.memory, clock: systemClock, random: systemRandom });
  const app = gatewayApp({
    store,
    acquirer,
    clock: systemClock,
    ids: systemIds,
    channels,
    secret: new Uint8Array(32).fill(7),
    vault,
    patienceMs,
    report: (error) => reportedErrors.push(error),
  });
  await app.ready;
  return { client: clientOf(app.fetch), store, reportedErrors, close: app.close };
};

type Fetch = (request: Request) => Promise<Response>;

/** A client for anything that answers requests: an app in this process, or `fetch` with a base address. */
export const clientOf = (fetch: Fetch, baseUrl = 'http://gateway.test'): Client => {
  const clientFor =
    (entity: string): Client['send'] =>
    async (method, path, parameters, headers) => {
      const form = new URLSearchParams({ entityId: entity, ...parameters }).toString();
      const authorization = `Bearer ${tokens[entity]}`;
      const request =
        method === 'POST'
          ? new Request(`${baseUrl}/${path}`, {
              method,
              body: form,
              headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', ...headers },
            })
          : new Request(`${baseUrl}/${path}?${form}`, { method, headers: { authorization, ...headers } });
      return replyOf(await fetch(request));
    };
  const stranger: Client = {
    send: clientFor(otherEntityId),
    get stranger() {
      return stranger;
    },
  };
  return { send: clientFor(entityId), stranger };
};

const hsm = openHsm(testKeys);

/** What can be charged, and the simulator's name for the account with its money. */
export const accountOf = (name: string) => {
  const card = !name.startsWith('gift');
  const number = card ? name : name.slice('gift'.length);
  const key = card
    ? `simulator/account/${hsm.accountKey(number)}`
    : `simulator/purse/${hsm.accountKey(`giftCard ${number}`)}`;
  const parameters: Parameters = card
    ? { paymentBrand: 'VISA', 'card.number': number, 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
    : { paymentBrand: 'GIFTCARD', 'giftCard.number': number };
  return {
    parameters,
    /** In minor units. An unused card or gift card has the balance of every unlisted one. */
    async balance({ memory }: Pick<Store, 'memory'>): Promise<bigint> {
      const stored = await memory.get(key);
      if (stored === undefined) return card ? 1_000_000_000n : 10_000n;
      return BigInt((JSON.parse(stored) as { available: string }).available) / 10n;
    },
  };
};
