/** A gateway for tests: in memory, with a scripted acquirer, a clock that stands still, and ids that count up. */

import { systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import { type GatewayApp, gatewayApp } from '../../../src/gateway/server/http/server.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { type VirtualClock, virtualClock } from '../time/virtual-clock.ts';
import { type ScriptedAcquirer, scriptedAcquirer } from './scripted-acquirer.ts';

export const entityId = '8a8294174e735d0c014e78beb6b9154b';
export const otherEntityId = '00000000000000000000000000000002';
export const token = 'OGE4Mjk0MTc0ZTczNWQwYzAxNGU3OGJlYjZjMTE1NGZ8Y1RqQVJa';

export type Body = { readonly [name: string]: unknown };
export type Reply = { status: number; body: Body; code: string; text: string; headers: Headers };
export type Parameters = Readonly<Record<string, string>>;

export type TestGateway = {
  app: GatewayApp;
  store: Store;
  acquirer: ScriptedAcquirer;
  clock: VirtualClock;
  reported: unknown[];
  /** Sends with token, content type and entityId. */
  post(path: string, parameters: Parameters, headers?: Parameters): Promise<Reply>;
  get(path: string, query?: Parameters): Promise<Reply>;
  remove(path: string, query?: Parameters, headers?: Parameters): Promise<Reply>;
  /** Sends exactly this. */
  raw(path: string, init: RequestInit): Promise<Reply>;
};

type Parts = {
  path?: string;
  acquirer?: ScriptedAcquirer;
  clock?: VirtualClock;
  store?: Store;
  /** Settings of the channel besides its name. */
  channel?: Partial<Channel>;
};

let gateways = 0;

export const testGateway = async (parts: Parts = {}): Promise<TestGateway> => {
  const { path = ':memory:', acquirer = scriptedAcquirer(), clock = virtualClock() } = parts;
  const store = parts.store ?? (await openStore(path));
  const reported: unknown[] = [];
  gateways += 1;
  const app = gatewayApp({
    store,
    acquirer,
    clock,
    ids: countingIds(gateways),
    channels: [
      { entityId, token, name: 'Corner Shop', ...parts.channel },
      { entityId: otherEntityId, token: 'other-token' },
    ],
    secret: new Uint8Array(32).fill(7),
    vault: openVault(openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock }), systemRandom),
    patienceMs: 30_000,
    report: (error) => reported.push(error),
  });
  const raw = async (target: string, init: RequestInit) => replyOf(await app.fetch(request(target, init)));
  const authorization = `Bearer ${token}`;
  return {
    app,
    store,
    acquirer,
    clock,
    reported,
    raw,
    post: (target, parameters, headers) =>
      raw(target, {
        method: 'POST',
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    get: (target, query) =>
      raw(`${target}?${new URLSearchParams({ entityId, ...query })}`, { method: 'GET', headers: { authorization } }),
    remove: (target, query, headers) =>
      raw(`${target}?${new URLSearchParams({ entityId, ...query })}`, {
        method: 'DELETE',
        headers: { authorization, ...headers },
      }),
  };
};

/** A card sent in clear, for the smallest payment. */
export const plainCard: Parameters = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};

export const payment = (parameters: Parameters = {}): Parameters => ({
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  ...plainCard,
  ...parameters,
});

/** A sale at a terminal, as the till sends it. */
export const posSale = (parameters: Parameters = {}): Parameters => ({
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  merchantTransactionId: 'till-7-000042',
  'pos.entryMode': 'ICC',
  'pos.terminalId': '70001234',
  'pos.transactionSequenceNumber': '42',
  'pos.encryptedSred.data': '9C1D0E5A77B3A2F89C1D0E5A77B3A2F8',
  'pos.encryptedSred.ksn': 'FFFF9876543210E00002',
  'pos.iccDataRequest': '9F02060000000010009C0100',
  ...parameters,
});

export const idOf = (reply: Reply): string => String(reply.body['id']);

const request = (target: string, init: RequestInit): Request =>
  new Request(`http://gateway.test/${target}`, {
    ...init,
    ...(init.body instanceof ReadableStream && { duplex: 'half' }),
  });

/** The answer, read to its end. */
export const replyOf = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const body = JSON.parse(text) as Body;
  const result = body['result'] as { code?: string } | undefined;
  return { status: response.status, body, text, code: result?.code ?? '', headers: response.headers };
};

const countingIds = (first: number) => {
  let last = first * 1_000_000;
  return {
    next() {
      last += 1;
      return last.toString(16).padStart(32, '0');
    },
  };
};
