/** The echo of a request: lists, maps, and names that mean something special elsewhere. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nestedOf } from '../../../src/gateway/spec/json.ts';
import { idOf, type Parameters, payment, type TestGateway, testGateway } from '../../support/gateway/gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

/** The answer to a payment with these parameters, equal to the answers by its id and in a list. */
const echoOf = async (form: Parameters): Promise<Record<string, unknown>> => {
  const reply = await gateway.post('v1/payments', payment({ merchantTransactionId: 'order-0001', ...form }));
  expect(reply).toMatchObject({ status: 200, code: '000.100.110' });
  expect((await gateway.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
  const { payments } = (await gateway.get('v1/query', { merchantTransactionId: 'order-0001' })).body;
  const { ndc: _, buildNumber: __, ...listed } = reply.body;
  expect(JSON.stringify((payments as unknown[])[0])).toBe(JSON.stringify(listed));
  return { ...reply.body };
};

test('a cart of a thousand items is returned in order, however it was sent', async () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({ name: `item ${index}`, quantity: String(index + 1) }));
  const pairs = items.flatMap(({ name, quantity }, index) => [
    [`cart.items[${index}].name`, name],
    [`cart.items[${index}].quantity`, quantity],
  ]);
  expect(await echoOf(Object.fromEntries(pairs.toReversed()))).toMatchObject({ cart: { items } });
});

test('gaps in a list are closed, and bracketed names under a list belong to it', async () => {
  const { cart, airline, marketPlace } = await echoOf({
    'cart.items[7].name': 'third',
    'cart.items[0].name': 'first',
    'cart.items[3].name': 'second',
    'cart.items[3].price': '2.50',
    'airline.passengers[4].name': 'JONES/JANE MS',
    'airline.passengers[4].legs[2].flightNumber': 'OS229',
    'airline.passengers[4].legs[9].flightNumber': 'OS230',
    'airline.passengers[1].name': 'DOE/JOHN MR',
    'airline.agentCode': '06200042',
    'marketPlace.sellers[999].id': 'seller-7',
  });
  expect({ cart, airline, marketPlace }).toEqual({
    cart: { items: [{ name: 'first' }, { name: 'second', price: '2.50' }, { name: 'third' }] },
    airline: {
      agentCode: '06200042',
      passengers: [
        { name: 'DOE/JOHN MR' },
        { name: 'JONES/JANE MS', legs: [{ flightNumber: 'OS229' }, { flightNumber: 'OS230' }] },
      ],
    },
    marketPlace: { sellers: [{ id: 'seller-7' }] },
  });
});

test('a map’s key is one name, including dots and digits', async () => {
  const entries: Parameters = {
    SHOPPER_name: 'a',
    'a.b.c': 'b',
    '123': 'c',
    '...': 'd',
    constructor: 'e',
    toString: 'f',
    hasOwnProperty: 'g',
    length: 'h',
  };
  const named = (map: string) =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [`${map}[${key}]`, value]));
  const body = await echoOf({ ...named('customParameters'), ...named('risk.parameters') });
  expect(body).toMatchObject({ customParameters: entries, risk: { parameters: entries } });
  expect(gateway.acquirer.authorised[0]?.customParameters).toEqual(entries);
});

test('__proto__ is an ordinary key, and changes nothing', async () => {
  const form = Object.fromEntries([['customParameters[__proto__]', 'x']]);
  const reply = await gateway.post('v1/payments', payment(form));
  expect(reply.text).toContain('"customParameters":{"__proto__":"x"}');
  expect((await gateway.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test.each<[string, Parameters, string]>([
  ['neither', {}, 'short id and shop'],
  ['a descriptor', { descriptor: 'Summer sale' }, 'Summer sale'],
  ['a merchant’s name', { 'merchant.name': 'Corner Shop Graz' }, 'Corner Shop Graz'],
  ['both', { descriptor: 'Summer sale', 'merchant.name': 'Corner Shop Graz' }, 'Corner Shop Graz'],
])('the statement line with %s', async (_, form, line) => {
  const body = await echoOf(form);
  expect(body['descriptor']).toBe(line === 'short id and shop' ? `${body['shortId']} Corner Shop` : line);
});

test('a value is returned as sent', async () => {
  const lineText = 'Grüße, 50 % + "1" & <b>\\ 🙂';
  const body = await echoOf({ 'customParameters[note]': lineText, 'billing.street1': lineText });
  expect(body).toMatchObject({ customParameters: { note: lineText }, billing: { street1: lineText } });
});

const step = fc.stringMatching(/^[a-z]{1,3}$/);
const entry = fc.tuple(fc.stringMatching(/^[A-Za-z0-9._]{3,8}$/), fc.string());

test('flat names are found in the nested form, each with its value', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 20 }),
      fc.uniqueArray(step, { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(entry, { selector: ([key]) => key, maxLength: 8 }),
      (...[indexes, fields, entries]) => {
        const flat = Object.fromEntries([
          ...indexes.flatMap((index) => fields.map((field) => [`cart.items[${index}].${field}`, `${index} ${field}`])),
          ...entries.map(([key, value]) => [`customParameters[${key}]`, value]),
        ]);
        const nested = JSON.parse(JSON.stringify(nestedOf(flat))) as Record<string, unknown>;
        const items = indexes
          .toSorted((a, b) => a - b)
          .map((index) => Object.fromEntries(fields.map((field) => [field, `${index} ${field}`])));
        expect(nested).toEqual({
          cart: items.length === 0 ? undefined : { items },
          customParameters: entries.length === 0 ? undefined : JSON.parse(JSON.stringify(Object.fromEntries(entries))),
        });
      },
    ),
  );
});
