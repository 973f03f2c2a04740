/** Finding payments (spec 2.24): every filter of v1 and v3, limits, pages, and linked payments. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  idOf,
  otherEntityId,
  type Parameters,
  payment,
  type Reply,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';
import { bankAccount, saleWith, virtualAccount } from './accounts.ts';

let gateway: TestGateway;
/** The shop's payments by their names here. */
const created = new Map<string, Reply>();

/** One each minute from 12:00:00: name, request, and the payment it follows. */
const day: readonly (readonly [name: string, parameters: Parameters, parent?: string])[] = [
  ['sale', payment({ merchantTransactionId: 'order-0001' })],
  ['authorised', payment({ paymentType: 'PA', merchantTransactionId: 'order-0002' })],
  ['captured', { paymentType: 'CP', amount: '4.00', currency: 'EUR' }, 'authorised'],
  ['refunded', { paymentType: 'RF', amount: '1.00', currency: 'EUR', merchantTransactionId: 'order-0002' }, 'captured'],
  ['debit', saleWith(bankAccount, { merchantTransactionId: 'order-0001' })],
  ['wallet', saleWith(virtualAccount)],
  ['declined', payment({ merchantTransactionId: 'order-0003' })],
];

beforeAll(async () => {
  gateway = await testGateway();
  // In the middle of a second: a period ends with the end of its last second.
  await gateway.clock.advance(500);
  for (const [name, form, of] of day) {
    const parent = of === undefined ? undefined : created.get(of);
    if (name === 'declined') gateway.acquirer.next({ resultCode: '800.100.155' });
    const path = parent === undefined ? 'v1/payments' : `v1/payments/${idOf(parent)}`;
    created.set(name, await gateway.post(path, form));
    await gateway.clock.advance(60_000);
  }
  const other = { entityId: otherEntityId, merchantTransactionId: 'order-0001' };
  await gateway.post('v1/payments', payment(other), { authorization: 'Bearer other-token' });
});
afterAll(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

type Found = { id: string; result: { code: string } };
const namesOf = (found: unknown): string[] | undefined => {
  const names = new Map([...created].map(([name, reply]) => [idOf(reply), name]));
  return Array.isArray(found) ? (found as Found[]).map(({ id }) => names.get(id) ?? 'a stranger') : undefined;
};

/** `12:03:00` on that day. */
const time = (from: string, to: string): Parameters => ({
  'date.from': `2026-01-02 ${from}`,
  'date.to': `2026-01-02 ${to}`,
});
const wholeDay = time('00:00:00', '23:59:59');
const linked = { includeLinkedTransactions: 'true' };
const all = day.map(([name]) => name);

const questions: readonly (readonly [title: string, query: Parameters, found: readonly string[]])[] = [
  ['a reference', { merchantTransactionId: 'order-0001' }, ['sale', 'debit']],
  ['a reference of a follow-up too', { merchantTransactionId: 'order-0002' }, ['authorised', 'refunded']],
  ['a declined one', { merchantTransactionId: 'order-0003' }, ['declined']],
  ['a whole day, the newest first', wholeDay, all.toReversed()],
  ['a minute, including its last second', time('12:01:00', '12:02:00'), ['captured', 'authorised']],
  ['a second', time('12:03:00', '12:03:00'), ['refunded']],
  ['a type', { ...wholeDay, paymentTypes: 'DB' }, ['declined', 'wallet', 'debit', 'sale']],
  ['types', { ...wholeDay, paymentTypes: 'RF,CP' }, ['refunded', 'captured']],
  ['a method', { ...wholeDay, paymentMethods: 'DD' }, ['debit']],
  ['methods', { ...wholeDay, paymentMethods: 'VA,DD' }, ['wallet', 'debit']],
  ['a type by a method', { ...wholeDay, paymentTypes: 'CP,CB', paymentMethods: 'CC' }, ['captured']],
  ['a type of a reference', { merchantTransactionId: 'order-0002', paymentTypes: 'RF' }, ['refunded']],
  [
    'a reference with its chain',
    { merchantTransactionId: 'order-0002', ...linked },
    ['authorised', 'captured', 'refunded'],
  ],
  [
    'a part of a chain with the rest of it',
    { ...time('12:02:00', '12:02:00'), ...linked },
    ['authorised', 'captured', 'refunded'],
  ],
  [
    '1 for true',
    { merchantTransactionId: 'order-0002', includeLinkedTransactions: '1' },
    ['authorised', 'captured', 'refunded'],
  ],
  ['0 for false', { merchantTransactionId: 'order-0002', includeLinkedTransactions: '0' }, ['authorised', 'refunded']],
  ['chains of two, one after the other', { merchantTransactionId: 'order-0001', ...linked }, ['sale', 'debit']],
];

describe.each(['v1', 'v3'])('%s', (version) => {
  const runQuery = (query: Parameters) => gateway.get(`${version}/query`, query);

  test.each(questions)('%s', async (_, query, found) => {
    const reply = await runQuery(query);
    expect(reply).toMatchObject({ status: 200, code: '000.000.100' });
    expect(namesOf(reply.body['payments'])).toEqual(found);
    expect(namesOf(reply.body['records'])).toEqual(version === 'v3' ? found : undefined);
  });

  test('each is the same as by its own id', async () => {
    const { payments } = (await runQuery(wholeDay)).body as { payments: Found[] };
    for (const found of payments) {
      const { ndc: _, buildNumber: __, ...alone } = (await gateway.get(`${version}/query/${found.id}`)).body;
      expect(found).toEqual(alone);
    }
  });

  test.each<[string, Parameters]>([
    ['a reference of nobody', { merchantTransactionId: 'nobody' }],
    ['only a reference of another channel', { merchantTransactionId: 'order-0001', paymentTypes: 'CD' }],
    ['an hour without payments', time('13:00:00', '14:00:00')],
    ['an unused method', { ...wholeDay, paymentMethods: 'ET' }],
  ])('%s finds nothing, which is not a missing resource', async (_, query) => {
    const reply = await runQuery(query);
    expect(reply).toMatchObject({ status: 400, code: '700.400.580' });
    expect(reply.body).not.toHaveProperty('payments');
  });

  test.each<[string, Parameters, string]>([
    ['a reference and a time', { merchantTransactionId: 'order-0001', ...wholeDay }, 'merchantTransactionId'],
    ['half a time', { 'date.from': '2026-01-02 00:00:00' }, 'date.to'],
    ['a time backwards', time('13:00:00', '12:00:00'), 'date.to'],
    ['an invalid time', { 'date.from': 'today', 'date.to': '2026-01-02 00:00:00' }, 'date.from'],
    ['a limit too low', { ...wholeDay, limit: '99' }, 'limit'],
    ['a limit too high', { ...wholeDay, limit: '501' }, 'limit'],
    ['a type of nobody', { ...wholeDay, paymentTypes: 'DB,XX' }, 'paymentTypes'],
    ['a method of nobody', { ...wholeDay, paymentMethods: 'DD;VA' }, 'paymentMethods'],
    ['a stranger', { ...wholeDay, colour: 'red' }, 'colour'],
  ])('refuses %s by name', async (_, query, name) => {
    const reply = await runQuery(query);
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect(reply.body['result']).toMatchObject({ parameterErrors: [{ name }] });
  });

  test('a short id finds one payment, alone and among others of its time', async () => {
    const shortId = String(created.get('wallet')?.body['shortId']);
    expect(namesOf((await runQuery({ shortId })).body['payments'])).toEqual(['wallet']);
    expect((await runQuery({ shortId: '0000.0000.0001' })).code).toBe('700.400.580');
    const reply = await runQuery({ ...wholeDay, shortId });
    expect(namesOf(reply.body['payments'])).toEqual(['wallet']);
    expect((await runQuery({ merchantTransactionId: 'order-0001', shortId })).code).toBe('700.400.580');
  });

  test('an id finds a payment with the requested part of its chain', async () => {
    const path = `${version}/query/${idOf(created.get('captured') ?? fail())}`;
    expect((await gateway.get(path)).text).toBe(created.get('captured')?.text);
    const chain = await gateway.get(path, linked);
    expect(namesOf(chain.body['payments'])).toEqual(['authorised', 'captured', 'refunded']);
    expect(namesOf(chain.body['records'])).toEqual(
      version === 'v3' ? ['authorised', 'captured', 'refunded'] : undefined,
    );
    const partialReply = await gateway.get(path, { ...linked, paymentTypes: 'PA,RF', paymentMethods: 'CC' });
    expect(namesOf(partialReply.body['payments'])).toEqual(['authorised', 'refunded']);
    expect(namesOf((await gateway.get(path, { ...linked, paymentMethods: 'DD' })).body['payments'])).toEqual([]);
  });
});

const fail = (): never => {
  throw new Error('the day has no such payment');
};

test('a payment without a reference is found only by its time', async () => {
  expect(created.get('wallet')?.body).not.toHaveProperty('merchantTransactionId');
  expect(await gateway.get('v1/query')).toMatchObject({ code: '200.300.404' });
});

test('v3 without filters returns everything, and only v3 has pages', async () => {
  expect(namesOf((await gateway.get('v3/query')).body['payments'])).toEqual(all.toReversed());
  expect(await gateway.get('v1/query', { ...wholeDay, pageNo: '1' })).toMatchObject({ code: '200.300.404' });
});

test('applies limits and pages', async () => {
  const busy = await testGateway();
  const reference = { merchantTransactionId: 'order-0001' };
  const ids: string[] = [];
  for (let count = 0; count < 250; count += 1) ids.push(idOf(await busy.post('v1/payments', payment(reference))));
  const page = async (query: Parameters) => {
    const { body, code } = await busy.get('v3/query', { ...reference, ...query });
    const found = body['payments'] as Found[] | undefined;
    return [code, found?.map(({ id }) => ids.indexOf(id)), body['pages']] as const;
  };
  const span = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  expect(await page({})).toEqual(['000.000.100', span(0, 100), undefined]);
  expect(await page({ limit: '500' })).toEqual(['000.000.100', span(0, 250), undefined]);
  expect(await page({ pageNo: '1' })).toEqual(['000.000.100', span(0, 100), 3]);
  expect(await page({ pageNo: '3' })).toEqual(['000.000.100', span(200, 250), 3]);
  expect(await page({ pageNo: '2', limit: '200' })).toEqual(['000.000.100', span(200, 250), 2]);
  expect(await page({ pageNo: '4' })).toEqual(['700.400.580', undefined, undefined]);
  const { body } = await busy.get('v1/query', time('00:00:00', '23:59:59'));
  expect((body['payments'] as Found[]).map(({ id }) => ids.indexOf(id))).toEqual(span(150, 250).toReversed());
  await busy.store.close();
});
