/** A whole gateway in memory with a clock that a test moves, and checkouts in it, seen from both sides. */
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import { entityId, otherEntityId, type Parameters, type Reply, replyOf, token } from '../../support/gateway/gateway.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';

export const otherToken = 'other-token';
export const OK = '000.100.110';
export const pendingCode = '000.200.000';
export const MINUTE = 60_000;

export type Counter = {
  gateway: Embedded;
  clock: VirtualClock;
  faults: unknown[];
  /** The shop's requests: with its token and entityId. */
  shop: {
    post(path: string, fields?: Parameters, headers?: Parameters): Promise<Reply>;
    get(path: string, query?: Parameters): Promise<Reply>;
  };
  /** A browser's requests: without a token. */
  shopper: {
    post(path: string, sentParameters?: Parameters, headers?: Parameters): Promise<Reply>;
    get(path: string): Promise<Reply>;
  };
  /** The requests of another channel of the same gateway. */
  stranger: { get(path: string): Promise<Reply>; post(path: string, sentParameters: Parameters): Promise<Reply> };
  raw(path: string, init: RequestInit): Promise<Response>;
  /** A new checkout's id. */
  checkout(extra?: Parameters): Promise<string>;
};

export const order: Parameters = { amount: '12.50', currency: 'EUR', paymentType: 'DB' };
export const shopperResultUrl = 'https://shop.test/thanks?order=7';

/** Typed by the shopper. */
export const card: Parameters = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};
/** The simulated issuer declines it. */
export const poorCard: Parameters = { ...card, 'card.number': '4200000000000001' };

type Parts = { channel?: Partial<Channel>; clock?: VirtualClock; database?: string; vaultKey?: string };

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const bodyOf = (fields: Parameters): string => new URLSearchParams(fields).toString();

export const openCounter = async (parts: Parts = {}): Promise<Counter> => {
  const { channel = {}, clock = virtualClock(), database, vaultKey } = parts;
  const faults: unknown[] = [];
  const gateway = await openGateway({
    dataDir: ':memory:',
    database,
    vaultKey,
    channels: [
      { entityId, token, name: 'Corner Shop', ...channel },
      { entityId: otherEntityId, token: otherToken },
    ],
    clock,
    ids: systemIds,
    random: systemRandom,
    report: (error) => faults.push(error),
    allowPrivateUrls: true,
  });
  const raw = (path: string, init: RequestInit) => gateway.fetch(new Request(`https://pay.test/${path}`, init));
  const clientAs = (merchant: { token: string; entityId: string } | undefined) => {
    const ownParameters: Parameters = merchant === undefined ? {} : { entityId: merchant.entityId };
    const headers: Parameters = merchant === undefined ? {} : { authorization: `Bearer ${merchant.token}` };
    return {
      post: async (path: string, fields: Parameters = {}, extra: Parameters = {}) =>
        replyOf(
          await raw(path, {
            method: 'POST',
            body: bodyOf({ ...ownParameters, ...fields }),
            headers: { ...headers, ...form, ...extra },
          }),
        ),
      get: async (path: string, query: Parameters = {}) => {
        const text = bodyOf({ ...ownParameters, ...query });
        return replyOf(await raw(text === '' ? path : `${path}?${text}`, { method: 'GET', headers }));
      },
    };
  };
  const shop = clientAs({ token, entityId });
  return {
    gateway,
    clock,
    faults,
    shop,
    shopper: clientAs(undefined),
    stranger: clientAs({ token: otherToken, entityId: otherEntityId }),
    raw,
    async checkout(extra = {}) {
      const reply = await shop.post('v1/checkouts', { ...order, ...extra });
      if (reply.code !== '000.200.100') throw new Error(`no checkout: ${reply.text}`);
      return String(reply.body['id']);
    },
  };
};

export const payPath = (id: string): string => `v1/checkouts/${id}/payment`;

/** The parameters refused by name, with their messages. */
export const errorsOf = ({ body }: Reply): Readonly<Record<string, string>> => {
  const { parameterErrors = [] } = body['result'] as { parameterErrors?: { name: string; message: string }[] };
  return Object.fromEntries(parameterErrors.map(({ name, message }) => [name, message]));
};

export const detailOf = ({ body }: Reply): string =>
  (body['resultDetails'] as { ExtendedDescription?: string } | undefined)?.ExtendedDescription ?? '';
