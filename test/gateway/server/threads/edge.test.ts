/** A gateway in two threads answers and reports like one in one thread, and says when it cannot any more. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../../../src/base/clock.ts';
import { systemIds as ids, systemRandom as random } from '../../../../src/base/ids.ts';
import { openGateway } from '../../../../src/gateway/server/embedded.ts';
import type { RequestFacts } from '../../../../src/gateway/server/http/observer.ts';
import { openThreadedGateway, type ThreadedGateway } from '../../../../src/gateway/server/threads/edge.ts';
import { entityId, otherEntityId, payment, token } from '../../../support/gateway/gateway.ts';

const channels = [
  { entityId, token, name: 'Corner Shop' },
  { entityId: otherEntityId, token: 'other', lenient: true, throttle: { perSecond: 0.001, burst: 2 } },
];

const merchantId = '00000000000000000000000000000003';
/** The second channel is lenient, and soon throttled, but not through the merchant's entity. */
const entities = [{ entityId: merchantId, token: 'merchant', rules: [{ currency: 'EUR', channel: otherEntityId }] }];

let openedGateways: { close(): Promise<void> }[] = [];
let folders: string[] = [];
afterEach(async () => {
  for (const each of openedGateways) await each.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
  openedGateways = [];
  folders = [];
});

type Observed = { fetch: ThreadedGateway['fetch']; facts: RequestFacts[]; faults: unknown[] };
type Threaded = Observed & { gateway: ThreadedGateway };

const createObservers = () => {
  const facts: RequestFacts[] = [];
  const faults: unknown[] = [];
  const observers = [{ onAnswer: (each: RequestFacts) => void facts.push(each) }];
  return { facts, faults, observers, report: (error: unknown) => void faults.push(error) };
};

const openSingle = async (): Promise<Observed> => {
  const { facts, faults, ...observed } = createObservers();
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels,
    merchants: entities,
    clock,
    ids,
    random,
    ...observed,
  });
  openedGateways.push(gateway);
  return { fetch: gateway.fetch, facts, faults };
};

const openThreaded = async (dataDir = ':memory:'): Promise<Threaded> => {
  const { facts, faults, ...observed } = createObservers();
  const gateway = await openThreadedGateway({ dataDir, channels, merchants: entities, clock, ids, ...observed });
  openedGateways.push(gateway);
  return { gateway, fetch: gateway.fetch, facts, faults };
};

const form = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters).toString();
const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';
const bearer = { authorization: `Bearer ${token}` };
const post = (body: string | Uint8Array<ArrayBuffer>, headers = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { ...bearer, 'content-type': FORM, ...headers },
});
const merchants = { authorization: 'Bearer merchant' };
const merchantPayment = (extra: Readonly<Record<string, string>>) =>
  form({ ...payment(), entityId: merchantId, ...extra });
const paymentOf = (extra: Readonly<Record<string, string>> = {}) => form({ entityId, ...payment(), ...extra });

const requests: readonly (readonly [title: string, path: string, init: RequestInit])[] = [
  ['a payment', '/v1/payments', post(paymentOf())],
  ['a payment, with a slash at the end of the path', '/v1/payments/', post(paymentOf())],
  ['a payment with a key', '/v1/payments', post(paymentOf(), { 'idempotency-key': 'k-1' })],
  ['the same again', '/v1/payments', post(paymentOf(), { 'idempotency-key': 'k-1' })],
  ['a reused key with another body', '/v1/payments', post(paymentOf({ amount: '3.00' }), { 'idempotency-key': 'k-1' })],
  ['a refusal with a key', '/v1/payments', post(paymentOf({ amount: 'x' }), { 'idempotency-key': 'k-2' })],
  ['wrong parameters, one twice', '/v1/payments', post(`${paymentOf({ amount: 'x', nonsense: '1' })}&currency=EUR`)],
  ['names with a meaning in the language', '/v1/payments', post(paymentOf({ __proto__: '1', constructor: '2' }))],
  ['a card number in the wrong place', '/v1/payments', post(paymentOf({ 'customer.givenName': '4200000000000000' }))],
  ['a decline', '/v1/payments', post(paymentOf({ 'customParameters[forceResultCode]': '800.100.152' }))],
  [
    'a lenient channel',
    '/v1/payments',
    post(form({ ...payment(), entityId: otherEntityId, nonsense: '1' }), { authorization: 'Bearer other' }),
  ],
  ['a merchant’s entity, by its rules', '/v1/payments', post(merchantPayment({ nonsense: '1' }), merchants)],
  [
    'a merchant’s entity without a matching rule',
    '/v1/payments',
    post(merchantPayment({ currency: 'USD' }), merchants),
  ],
  ['a query of all channels', `/v1/query?entityId=${merchantId}&shortId=none`, { headers: merchants }],
  ['an entity that differs from the token’s', '/v1/payments', post(form({ ...payment(), entityId: otherEntityId }))],
  ['no token', '/v1/payments', { method: 'POST', body: paymentOf(), headers: { 'content-type': FORM } }],
  ['an unknown token', '/v1/payments', post(paymentOf(), { authorization: 'Bearer nobody' })],
  ['no form', '/v1/payments', post('{}', { 'content-type': 'application/json' })],
  ['no UTF-8', '/v1/payments', post(new Uint8Array([0x61, 0x3d, 0xff]))],
  ['too long a body', '/v1/payments', post(`a=${'x'.repeat(1024 * 1024)}`)],
  ['another method', '/v1/payments', { method: 'PUT', body: 'x' }],
  ['a query', `/v1/query?entityId=${entityId}&merchantTransactionId=none`, { headers: bearer }],
  ['an unknown payment', `/v1/payments/${'0'.repeat(32)}?entityId=${entityId}`, { headers: bearer }],
  ['an impossible id', `/v1/payments/%00?entityId=${entityId}`, { headers: bearer }],
  ['a checkout', '/v1/checkouts', post(form({ entityId, amount: '1.00', currency: 'EUR', paymentType: 'DB' }))],
  ['an unknown checkout', `/v1/checkouts/${'0'.repeat(32)}/payment`, {}],
  ['a malformed shopper’s form', `/v1/checkouts/${'0'.repeat(32)}/payment`, { method: 'POST', body: 'a=%' }],
  ['a page', '/docs', {}],
  ['the codes', '/v1/resultcodes', {}],
  ['HEAD of the result codes', '/v1/resultcodes', { method: 'HEAD' }],
  ['no path', '/nothing/here', {}],
  ['a long body for an unknown path', '/nothing/here', { method: 'POST', body: 'x'.repeat(1024 * 1024) }],
];

/** The text without the parts that differ between gateways or moments. */
const stableText = (text: string): string =>
  text
    .replace(/[0-9a-f]{32}|[0-9A-F]{32}/g, 'ID')
    .replace(/\d{4}\.\d{4}\.\d{4}/g, 'SHORT')
    .replace(/randomField\d+/g, 'FIELD')
    .replace(/ConnectorTxID1":"\w+/g, 'TX')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME');

const answerOf = async (app: Observed, [text, path, init]: (typeof requests)[number]) => {
  const response = await app.fetch(new Request(`http://127.0.0.1:8080${path}`, init));
  const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, stableText(value)]));
  delete headers['content-length'];
  return { says: text, status: response.status, headers, text: stableText(await response.text()) };
};

const factsOf = ({ facts }: Observed) =>
  facts.map(({ durationMs: _, bytes: __, ...rest }) => JSON.parse(stableText(JSON.stringify(rest))));

/** Shared by several tests: starting a thread takes longer than the tests themselves. */
let sharedGateway: Threaded;
beforeAll(async () => {
  sharedGateway = await openThreaded();
  openedGateways = [];
});
afterAll(() => sharedGateway.gateway.close());

test('every kind of request gets the same answer and the same report as in one thread', async () => {
  const [single, two] = [await openSingle(), sharedGateway];
  for (const request of requests) expect(await answerOf(two, request)).toEqual(await answerOf(single, request));
  // The report of the core's own answers comes a turn later.
  await two.gateway.ping();
  const order = (facts: unknown[]) => facts.map((each) => JSON.stringify(each)).sort();
  expect(order(factsOf(two))).toEqual(order(factsOf(single)));
  expect([single.faults, two.faults]).toEqual([[], []]);
});

test('a shopper is sent to the gateway’s external address, whichever thread reads the request', async () => {
  const base = 'https://pay.example/shop';
  const postTo = async (path: string, fields: Readonly<Record<string, string>>) => {
    const init = post(form(fields));
    const answer = await sharedGateway.fetch(new Request(`http://127.0.0.1:8080${path}`, init), base);
    return (await answer.json()) as { id: string; redirect?: { url: string } };
  };
  const price = {
    entityId,
    amount: '1.00',
    currency: 'EUR',
    paymentType: 'DB',
    shopperResultUrl: 'https://shop.test/',
  };
  const bank = { paymentBrand: 'SOFORTUEBERWEISUNG' };
  const paid = await postTo('/v1/payments', { ...price, ...bank });
  const { id } = await postTo('/v1/checkouts', price);
  const submitted = await postTo(`/v1/checkouts/${id}/payment`, bank);
  for (const { redirect } of [paid, submitted])
    expect(redirect?.url).toMatch(/^https:\/\/pay\.example\/shop\/v1\/simulators\/bank\/\w{32}$/);
});

test('a method that the platform has no requests for is refused like any other', async () => {
  const { fetch } = sharedGateway;
  const request = new Request('http://127.0.0.1:8080/v1/payments', { method: 'POST', body: '' });
  Object.defineProperty(request, 'method', { value: 'TRACE' });
  expect(await fetch(request)).toMatchObject({ status: 405 });
});

test('hundreds of simultaneous requests each get their own answer', async () => {
  const { fetch } = sharedGateway;
  const names = Array.from({ length: 300 }, (_, index) => `order-${index + 1000}`);
  const answers = await Promise.all(
    names.map(async (merchantTransactionId) => {
      const sent = post(paymentOf({ merchantTransactionId }));
      const response = await fetch(new Request('http://127.0.0.1/v1/payments', sent));
      return ((await response.json()) as { merchantTransactionId: string }).merchantTransactionId;
    }),
  );
  expect(answers).toEqual(names);
});

test('a gateway that cannot open says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threads-'));
  folders.push(folder);
  writeFileSync(join(folder, 'gateway.db'), 'no database');
  await expect(openThreadedGateway({ dataDir: folder, channels, clock, ids })).rejects.toMatchObject({
    code: 'gateway.state',
  });
});

test('after closing it answers only with internal errors', async () => {
  const { gateway, fetch, faults } = await openThreaded();
  await gateway.close();
  openedGateways = [];
  await expect(gateway.ping()).rejects.toMatchObject({ code: 'gateway.state' });
  expect(await fetch(new Request('http://127.0.0.1/v1/payments', post(paymentOf())))).toMatchObject({ status: 500 });
  expect(faults).toMatchObject([{ code: 'gateway.state' }]);
});
