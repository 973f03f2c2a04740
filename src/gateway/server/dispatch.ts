/**
 * Selects the channel for a request with a merchant's entityId. A new payment follows the merchant's rules, a request
 * that names something goes to the channel that has it, and a search covers all channels.
 */
import { codes } from '../../base/result-codes.ts';
import { brandOfPan } from '../../emv/brands.ts';
import { type Channel, channelFieldsOf, type DispatchRule } from '../channel.ts';
import {
  type Endpoint,
  endOf,
  type Gateway,
  type Incoming,
  strictnessOf,
  testModeRefusal,
  traitsOf,
} from '../payments/endpoint.ts';
import { claimsOf } from '../payments/repeats.ts';
import { type Answer, refuseWith } from '../payments/response.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import type { Sent } from '../spec/parameters/parser.ts';
import type { Store } from '../store/store.ts';

type Dispatch = NonNullable<Channel['dispatch']>;

/** The endpoint's answer, from the channel that the request is for. */
export const answerDispatched = async (endpoint: Endpoint, gateway: Gateway, incoming: Incoming): Promise<Answer> => {
  const { dispatch } = incoming.channel;
  if (dispatch === undefined) return endpoint.answer(gateway, incoming);
  const { path } = endpoint.operation;
  if (ofAll.has(path)) return endpoint.answer(gateway, incoming);
  if (path === WEBHOOKS) return refuseWith({ code: codes.notConfigured, why: noWebhooks }, endOf(incoming));
  const owner = await ownerOf(gateway.store, { path, incoming });
  const channel =
    owner === undefined
      ? ((await channelOfEarlierRequest(gateway.store, incoming, dispatch)) ?? channelByRules(dispatch, incoming.sent))
      : // The owner is not revealed: for any channel it is as unknown as one that does not exist.
        (dispatch.channels.find(({ entityId }) => entityId === owner) ?? dispatch.channels[0]);
  return channel === undefined
    ? refuseUnmatched(endpoint, incoming, dispatch)
    : answerForChannel(gateway, endpoint, { incoming, channel });
};

const ofAll: ReadonlySet<string> = new Set(['/v1/query', '/v3/query', '/reports/v1/reconciliations/aggregations']);
const WEBHOOKS = '/v1/webhooks';
const noWebhooks = 'Each channel of a merchant has its own webhooks: send the entityId of one of them.';

type ChannelRequest = { incoming: Incoming; channel: Channel };

/** As if the channel's own entityId had been sent; the answer names the channel. */
const answerForChannel = async (
  gateway: Gateway,
  endpoint: Endpoint,
  { incoming, channel }: ChannelRequest,
): Promise<Answer> => {
  const { parsed: _, ...rest } = incoming;
  const sent = Object.assign(Object.create(null), incoming.sent, { entityId: channel.entityId }) as Sent;
  const testModeError = testModeRefusal(endpoint, channel, sent);
  const answer =
    testModeError === undefined
      ? await endpoint.answer(gateway, { ...rest, channel, sent })
      : refuseWith(testModeError, endOf({ ...rest, channel }));
  return { ...answer, body: { ...answer.body, ...channelFieldsOf(channel) } };
};

type Owner = (store: Store, id: string) => Promise<string | undefined>;

const registrations: Owner = async (store, id) => (await store.registration(id))?.entityId;

/** The owner of a resource, by the path that names it. */
const owners: readonly (readonly [path: RegExp, owner: Owner])[] = [
  [
    /^\/v1\/payments\/|^\/v[13]\/query\/|^\/v1\/threeDSecure\//,
    async (store, id) => (await store.payment(id))?.entityId,
  ],
  [/^\/v1\/checkouts\//, async (store, id) => (await store.checkouts.byId(id))?.entityId],
  [/^\/v1\/registrations\//, registrations],
  [
    /^\/scheduling\//,
    async (store, id) => (await store.schedules.schedule(id))?.entityId ?? (await registrations(store, id)),
  ],
  [
    /^\/reports\//,
    async ({ settlements }, id) => (await settlements.byId((await settlements.sum(id))?.settlementId ?? ''))?.entityId,
  ],
  [/^\/v1\/webhooks\//, async (store, id) => (await store.webhooks.byId(id))?.entityId],
];

const NOBODY = '';

/**
 * The owner of the named resource; undefined for a request that starts something new. A plan belongs to its
 * registration's channel.
 */
const ownerOf = async (
  store: Store,
  { path, incoming: { id, sent } }: { path: string; incoming: Incoming },
): Promise<string | undefined> => {
  if (path === '/scheduling/v1/schedules') return (await registrations(store, sent['registrationId'] ?? '')) ?? NOBODY;
  const owner = path.includes('/:id') ? owners.find(([pattern]) => pattern.test(path))?.[1] : undefined;
  return owner === undefined ? undefined : ((await owner(store, id ?? '')) ?? NOBODY);
};

/** The channel that took a request with this identity before: rules that changed since must not charge it again. */
const channelOfEarlierRequest = async (
  store: Store,
  { sent, key }: Incoming,
  { channels }: Dispatch,
): Promise<Channel | undefined> => {
  const { paymentType = '', ...rest } = sent;
  for (const channel of channels) {
    const keys = claimsOf({ ...rest, paymentType, entityId: channel.entityId }, () => '', key).map(
      (claim) => claim.key,
    );
    if (keys.length === 0) return undefined;
    if ((await store.transact([], (session) => session.findClaimed(keys))) !== undefined) return channel;
  }
  return undefined;
};

/** The request's values that rules test. The country is that of the billing address, otherwise of the bank account. */
const factsOf = (sent: Sent) => {
  const pan = sent['card.number'] ?? sent['tokenAccount.number'];
  const wallet = Object.entries(walletBrands).find(([name]) => sent[name] !== undefined)?.[1];
  return {
    currency: sent['currency'],
    brand: sent['paymentBrand'] ?? wallet ?? (pan === undefined ? undefined : brandOfPan(pan)),
    country: sent['billing.country'] ?? sent['bankAccount.country'] ?? sent['bankAccount.iban']?.slice(0, 2),
  };
};

const walletBrands: Readonly<Record<string, string>> = {
  'applePay.paymentToken': 'APPLEPAY',
  'googlePay.paymentToken': 'GOOGLEPAY',
  'samsungPay.paymentToken': 'SAMSUNGPAY',
};

const channelByRules = ({ rules, channels }: Dispatch, sent: Sent): Channel | undefined => {
  const facts = factsOf(sent);
  const rule = rules.find((each) => isMatching(each, facts));
  return rule && channels.find(({ entityId }) => entityId === rule.channel);
};

const isMatching = ({ currency, brands, countries }: DispatchRule, key: ReturnType<typeof factsOf>): boolean =>
  (currency === undefined || currency === key.currency) &&
  (brands === undefined || (key.brand !== undefined && brands.includes(key.brand))) &&
  (countries === undefined || (key.country !== undefined && countries.includes(key.country)));

/** Errors of the request itself are reported first; otherwise the values that no rule matches, by name. */
const refuseUnmatched = (endpoint: Endpoint, incoming: Incoming, { rules }: Dispatch): Answer => {
  const { channel } = incoming;
  const parsed = endpoint.parse?.(incoming.sent, strictnessOf(channel), traitsOf(channel));
  const errors = [...incoming.errors, ...(parsed !== undefined && 'errors' in parsed ? parsed.errors : [])];
  if (errors.length > 0) return refuseWith({ code: codes.parameterInvalid, parameterErrors: errors }, endOf(incoming));
  const { currency, brand, country } = factsOf(incoming.sent);
  const ruleValues: readonly (readonly [name: string, value: string | undefined, rule: keyof DispatchRule])[] = [
    ['currency', currency, 'currency'],
    ['paymentBrand', brand, 'brands'],
    ['billing.country', country, 'countries'],
  ];
  const parameterErrors: ParameterError[] = ruleValues
    .filter(([, , rule]) => rules.some((each) => each[rule] !== undefined))
    .map(([name, value = null]) => ({
      name,
      value,
      message: 'matches none of the merchant’s rules, together with the others',
    }));
  const reason = 'None of the merchant’s rules leads this request to a channel. Nothing was done.';
  return refuseWith({ code: codes.notConfigured, why: reason, parameterErrors }, endOf(incoming));
};
