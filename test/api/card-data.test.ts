/**
 * Card data in any input of the local API is refused before it reaches a service, and is in no answer.
 */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const { pan } = testCards['visa-credit'];

/** Services that accept everything, and the requests that reached them. */
const calls: string[] = [];
const service = (name: string): unknown =>
  new Proxy(
    {},
    {
      get: (_, call) => () => {
        calls.push(`${name}.${String(call)}`);
        return {};
      },
    },
  );
const sessions = scriptedSessions('manager');
const names = ['selling', 'books', 'store', 'devices', 'paper', 'goingLive', 'machine', 'events'] as const;
const services = Object.fromEntries(names.map((name) => [name, service(name)])) as unknown as ApiPorts;
const app = localApi({ ...services, sessions }, { hosts: () => [HOST] });

type Ask = { method: string; path: string; body?: unknown; key?: string };
const ask = async ({ method, path, body, key = 'key-of-sale-1' }: Ask) => {
  calls.length = 0;
  const answer = await app.request(`http://${HOST}/api/${path}`, {
    method,
    headers: {
      ...{ host: HOST, cookie: 'tillgate-8800=x', 'x-csrf-token': 'a-word', 'idempotency-key': key },
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const code = text.startsWith('{') ? (JSON.parse(text) as { problem?: { code: string } }).problem?.code : undefined;
  return { code, text, reached: [...calls] };
};

const amount = { amount: '12.50', currency: 'EUR' };
const file = (name: string) => {
  const form = new FormData();
  form.append('file', new File(['x'], name));
  return form;
};

/** Every input for text, with a request that fills it. */
const doors: readonly (readonly [what: string, (text: string) => Ask])[] = [
  ['the name of a person', (name) => ({ method: 'POST', path: 'staff', body: { name, role: 'cashier', pin: '4711' } })],
  ['the name at the sign-in', (name) => ({ method: 'POST', path: 'session', body: { name, pin: '4711' } })],
  ['the name of a key', (name) => ({ method: 'POST', path: 'pos-keys', body: { name } })],
  ['the origin of a key', (text) => ({ method: 'POST', path: 'pos-keys', body: { name: 'POS', origins: [text] } })],
  ['a search', (text) => ({ method: 'GET', path: `sales?${new URLSearchParams({ search: text })}` })],
  ['a cashier', (text) => ({ method: 'GET', path: `sales?${new URLSearchParams({ cashier: text })}` })],
  ['who did it', (text) => ({ method: 'GET', path: `audit?${new URLSearchParams({ by: text })}` })],
  ['a claim', (text) => ({ method: 'POST', path: 'claims', body: { text } })],
  [
    'a reason',
    (reason) => ({ method: 'POST', path: 'open-items/1', body: { action: 'sayCharged', reason, evidence: 'slip' } }),
  ],
  [
    'what was seen',
    (evidence) => ({ method: 'POST', path: 'open-items/1', body: { action: 'sayCharged', reason: 'x', evidence } }),
  ],
  ['a note', (note) => ({ method: 'POST', path: 'reconciliations/1/differences/1', body: { choice: 'short', note } })],
  ['a limit', (text) => ({ method: 'PUT', path: 'limits', body: { changes: { total: text } } })],
  ['the name of a limit', (text) => ({ method: 'PUT', path: 'limits', body: { changes: { [text]: '1' } } })],
  ['the configuration', (text) => ({ method: 'PUT', path: 'configuration', body: { text: `{"name":"${text}"}` } })],
  ['a printer', (name) => ({ method: 'POST', path: 'printers', body: { name, address: 'tcp://x', width: 80 } })],
  ['the name of a file', (name) => ({ method: 'POST', path: 'reconciliations', body: file(`${name}.csv`) })],
];

const spellings = {
  plain: pan,
  'in groups': pan.replace(/\d{4}(?=\d)/g, '$& '),
  wide: [...pan].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(''),
  'a security code': 'CVV 123',
  'a track': `;${pan}=31122011?`,
};

test.each(doors)('%s', async (_, request) => {
  expect((await ask(request('as it should'))).code).not.toBe('text.cardData');
  for (const [spelling, text] of Object.entries(spellings)) {
    const { code, text: message, reached: by } = await ask(request(text));
    expect([spelling, code, by]).toEqual([spelling, 'text.cardData', []]);
    expect(message).not.toContain(text);
  }
});

test('card data in an idempotency key is refused', async () => {
  const body = { operation: 'sale', amount };
  const { code, reached: by } = await ask({ method: 'POST', path: 'sales', body, key: `sale-${pan}` });
  expect([code, by]).toEqual(['text.cardData', []]);
});

test('serial numbers and gift card numbers are accepted', async () => {
  const rows: Ask[] = [
    { method: 'POST', path: 'devices/meet', body: { address: `mms+hid:0801:2020:${pan}` } },
    { method: 'POST', path: 'sales', body: { operation: 'giftCard', amount, giftCard: { number: pan } } },
  ];
  for (const row of rows) expect((await ask(row)).code).not.toBe('text.cardData');
});
