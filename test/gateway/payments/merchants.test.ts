/** A merchant's entity with three channels: requests go by its rules, by what they name, or to all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import type { Channel, Merchant } from '../../../src/gateway/channel.ts';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { type Embedded, openGateway } from '../../../src/gateway/server/embedded.ts';
import { idOf, type Parameters, payment, type Reply, replyOf } from '../../support/gateway/gateway.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const idFor = (end: string): string => end.padStart(32, '0');
const MERCHANT = idFor('aa');
const [euros, dollars, cards, stranger] = ['e1', 'd2', 'c3', 'f4'].map(idFor) as [string, string, string, string];
const token = 'merchant-token';

const channels: Channel[] = [
  { entityId: euros, token: 'euros-token', name: 'Euros' },
  { entityId: dollars, token: 'dollars-token', name: 'Dollars', lenient: true },
  { entityId: cards, token: 'cards-token', name: 'Austria' },
  { entityId: stranger, token: 'stranger-token' },
];

const merchant: Merchant = {
  entityId: MERCHANT,
  token,
  name: 'Corner Shops',
  rules: [
    { currency: 'EUR', countries: ['AT', 'DE'], brands: ['MASTER', 'VISA'], channel: cards },
    { currency: 'EUR', channel: euros },
    { currency: 'USD', brands: ['VISA'], channel: dollars },
  ],
};

const clock = virtualClock(Date.UTC(2026, 0, 2, 12));
let gateway: Embedded;
const openEmbeddedGateway = (rules = merchant.rules, dataDir = ':memory:'): Promise<Embedded> =>
  openGateway({
    ...{ dataDir, clock, ids: systemIds, random: systemRandom, allowPrivateUrls: true },
    channels,
    merchants: [{ ...merchant, rules }],
    report: (error) => expect(error).toBeUndefined(),
  });
beforeEach(async () => {
  gateway = await openEmbeddedGateway();
});
afterEach(() => gateway.close());

type RequestOptions = { entityId?: string; token?: string; headers?: Parameters };

const send = async (line: string, parameters: Parameters = {}, options: RequestOptions = {}): Promise<Reply> => {
  const [method = '', path = ''] = line.split(' ');
  const form = new URLSearchParams({ entityId: options.entityId ?? MERCHANT, ...parameters }).toString();
  const headers = {
    authorization: `Bearer ${options.token ?? token}`,
    'content-type': 'application/x-www-form-urlencoded',
    ...options.headers,
  };
  const address = `http://gateway.test${path}`;
  return replyOf(
    await gateway.fetch(
      method === 'POST'
        ? new Request(address, { method, headers, body: form })
        : new Request(`${address}?${form}`, { method, headers }),
    ),
  );
};

const channelOf = ({ body }: Reply): unknown => (body['authentication'] as { entityId?: string } | undefined)?.entityId;
const usd = { currency: 'USD' };
const austrian = { 'billing.country': 'AT' };

describe('a new payment follows the rules, in order', () => {
  test.each<[string, Parameters, string]>([
    ['POST /v1/payments', payment(), euros],
    ['POST /v1/payments', payment(austrian), cards],
    ['POST /v1/payments', payment({ ...austrian, paymentBrand: 'VISA' }), cards],
    ['POST /v1/payments', payment({ 'billing.country': 'FR' }), euros],
    ['POST /v1/payments', payment({ ...austrian, 'card.number': '377777777777770' }), euros],
    ['POST /v1/payments', payment(usd), dollars],
    ['POST /v1/registrations', { ...payment(austrian), amount: '', paymentType: '' }, cards],
    ['POST /v1/checkouts', { amount: '10.00', currency: 'EUR', paymentType: 'DB', ...austrian }, euros],
    [
      'POST /v1/checkouts',
      { amount: '10.00', currency: 'EUR', paymentType: 'DB', ...austrian, paymentBrand: 'VISA' },
      cards,
    ],
  ])('%s %j', async (line, form, entityId) => {
    const reply = await send(line, form);
    expect([reply.status, channelOf(reply)]).toEqual([200, entityId]);
    expect(reply.body['ndc']).toMatch(line.endsWith('checkouts') ? /-/ : new RegExp(`^${entityId}-`));
  });

  test('a request that matches no rule is refused by name, and nothing is done', async () => {
    const reply = await send('POST /v1/payments', payment({ currency: 'CHF', merchantTransactionId: 'order-0007' }));
    expect([reply.status, reply.code]).toEqual([400, '600.200.500']);
    const { parameterErrors } = reply.body['result'] as { parameterErrors: unknown };
    const message = 'matches none of the merchant’s rules, together with the others';
    expect(parameterErrors).toEqual([
      { name: 'currency', value: 'CHF', message },
      { name: 'paymentBrand', value: 'VISA', message },
      { name: 'billing.country', value: null, message },
    ]);
    expect((await send('GET /v1/query', { merchantTransactionId: 'order-0007' })).code).toBe('700.400.580');
  });

  test('errors of the request itself are reported first', async () => {
    const reply = await send('POST /v1/payments', payment({ currency: 'chf', amount: 'ten' }));
    expect(reply.code).toBe('200.300.404');
    expect(reply.text).toContain('"amount"');
  });

  test('each channel applies its own strictness', async () => {
    const odd = { 'shipping.givenName': 'Jane' };
    expect((await send('POST /v1/payments', payment(odd))).code).toBe('200.300.404');
    expect((await send('POST /v1/payments', payment({ ...odd, ...usd }))).status).toBe(200);
  });
});

test('follow-ups and reads work with the merchant’s id or the channel’s, and no other', async () => {
  const sale = await send('POST /v1/payments', payment({ ...usd, createRegistration: 'true' }));
  const stored = String(sale.body['registrationId']);
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'USD' };
  const accessCases: [RequestOptions, number][] = [
    [{}, 200],
    [{ entityId: dollars }, 200],
    [{ entityId: dollars, token: 'dollars-token' }, 200],
    [{ entityId: euros }, 404],
    [{ entityId: stranger, token: 'stranger-token' }, 404],
    [{ entityId: stranger }, 403],
    [{ token: 'dollars-token' }, 403],
  ];
  for (const [options, status] of accessCases) {
    const lines: [string, Parameters][] = [
      [`GET /v1/payments/${idOf(sale)}`, {}],
      [`GET /v3/query/${idOf(sale)}`, {}],
      [`POST /v1/payments/${idOf(sale)}`, refund],
      [`POST /v1/registrations/${stored}/payments`, { amount: '2.00', currency: 'EUR', paymentType: 'DB' }],
      [`GET /v1/registrations/${stored}`, {}],
    ];
    for (const [line, form] of lines)
      expect([line, options, (await send(line, form, options)).status]).toEqual([line, options, status]);
  }
  const nobodys = await send(`GET /v1/payments/${'0'.repeat(32)}`);
  expect([nobodys.status, nobodys.code]).toEqual([404, '700.400.580']);
});

test('queries find the payments of all channels, and name the channel', async () => {
  const order = { merchantTransactionId: 'order-0001' };
  for (const extra of [{}, usd, austrian]) {
    await send('POST /v1/payments', payment({ ...order, ...extra }));
    await clock.advance(1_000);
  }
  await send('POST /v1/payments', payment(order), { entityId: stranger, token: 'stranger-token' });
  const found = async (line: string, query: Parameters, options: RequestOptions = {}) =>
    (
      (await send(line, query, options)).body['payments'] as {
        authentication?: { entityId: string };
        channelName?: string;
      }[]
    ).map(({ authentication, channelName }) => [authentication?.entityId, channelName]);
  const names = [
    [euros, 'Euros'],
    [dollars, 'Dollars'],
    [cards, 'Austria'],
  ];
  const period = { 'date.from': '2026-01-02 00:00:00', 'date.to': '2026-01-02 23:59:59' };
  for (const version of ['v1', 'v3']) {
    expect(await found(`GET /${version}/query`, order)).toEqual(names);
    expect(await found(`GET /${version}/query`, period)).toEqual(names.toReversed());
    expect(await found(`GET /${version}/query`, order, { entityId: euros })).toHaveLength(1);
  }
});

test('a checkout belongs to its channel: submitted by the shopper, read by the merchant', async () => {
  const created = await send('POST /v1/checkouts', {
    amount: '10.00',
    currency: 'USD',
    paymentType: 'DB',
    paymentBrand: 'VISA',
  });
  const path = `/v1/checkouts/${idOf(created)}/payment`;
  const { entityId: _, ...card } = { entityId: '', ...payment() };
  const reply = await send(
    `POST ${path}`,
    { ...card, amount: '', currency: '', paymentType: '' },
    { entityId: dollars },
  );
  expect([reply.status, reply.body['amount']]).toEqual([200, '10.00']);
  expect(channelOf(await send(`GET ${path}`))).toBe(dollars);
});

test('a repeat goes where the first request went, even if the rules have changed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'merchants-'));
  const terminalFields = { 'pos.terminalId': '70001234', 'pos.transactionSequenceNumber': '42' };
  const sale = payment({
    ...terminalFields,
    'pos.entryMode': 'MANUAL',
    merchantTransactionId: 'till-7-000042',
    ...austrian,
  });
  const key = { headers: { 'idempotency-key': 'order-7' } };
  const ids: string[][] = [];
  for (const rules of [merchant.rules, merchant.rules.toReversed()]) {
    await gateway.close();
    gateway = await openEmbeddedGateway(rules, dataDir);
    const paid = [await send('POST /v1/payments', payment(austrian), key), await send('POST /v1/payments', sale)];
    expect(paid.map(channelOf)).toEqual([cards, cards]);
    ids.push(paid.map(idOf));
  }
  expect(ids[1]).toEqual(ids[0]);
  expect(channelOf(await send('POST /v1/payments', payment(austrian)))).toBe(euros);
  await gateway.close();
  gateway = await openEmbeddedGateway(merchant.rules);
  rmSync(dataDir, { recursive: true });
});

test('reports name the channel: sums, records and files', async () => {
  for (const extra of [{}, usd, austrian]) await send('POST /v1/payments', payment(extra));
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  await clock.advance(86_400_000);
  const { store } = gateway;
  for (const channel of channels.slice(0, 3))
    await hurry({ store, clock, terms: termsOf({ ...channel, merchant: MERCHANT }) });
  const days = { 'date.from': day, 'date.to': day };
  const sums = await send('GET /reports/v1/reconciliations/aggregations', days);
  const all = sums.body['aggregations'] as { id: string; merchantAccount: { id: string; name: string } }[];
  expect(all.map(({ merchantAccount }) => merchantAccount)).toEqual([
    { id: euros, name: 'Euros' },
    { id: dollars, name: 'Dollars' },
    { id: cards, name: 'Austria' },
  ]);
  for (const { id, merchantAccount } of all) {
    const detail = await send(`GET /reports/v2/reconciliations/aggregations/${id}`);
    expect(detail.body['reconciliations']).toMatchObject([{ merchantEntityId: MERCHANT, merchantAccount }]);
  }
  const file = await settlementFileOf(store, { entityId: dollars, merchant: MERCHANT, date: day });
  expect(file).toContain(`;${MERCHANT};`);
  expect(file).toContain(`;${dollars};Dollars;`);
});

test('webhooks belong to the channels', async () => {
  const hook = { 'webhook.url': 'https://shop.test/hook' };
  expect((await send('POST /v1/webhooks', hook)).code).toBe('600.200.500');
  expect((await send('GET /v1/webhooks', {}, { entityId: euros })).status).toBe(200);
});
