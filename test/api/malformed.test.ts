/** Invalid requests: refused with the names of the wrong fields, without effect, and without a stack trace. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import { Fault } from '../../src/base/fault.ts';
import { scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const beginCalls: unknown[] = [];

const services = {
  sessions: scriptedSessions(),
  selling: {
    async begin(request: unknown) {
      beginCalls.push(request);
      return {};
    },
    counters() {
      throw new TypeError('undefined is not a function, card 4111111111111111');
    },
    line() {
      throw new Fault('journal.unwritable', { why: 'the disk is full' });
    },
  },
} as unknown as ApiPorts;
const app = localApi(services, { hosts: () => [HOST] });

const headers = { host: HOST, cookie: 'tillgate-8800=x', 'x-csrf-token': 'a-word', 'content-type': 'application/json' };
const sell = async (body: unknown, key: string | undefined = 'key-of-sale-1') => {
  beginCalls.length = 0;
  const answer = await app.request(`http://${HOST}/api/sales`, {
    method: 'POST',
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { problem } = (await answer.json()) as { problem?: { code: string; fields?: { name: string }[] } };
  return { status: answer.status, code: problem?.code, fields: problem?.fields?.map(({ name }) => name) };
};

const amount = { amount: '12.50', currency: 'EUR' };

test('an idempotency key is needed', async () => {
  for (const key of ['', 'short', 'with space', 'ü-letters-are-none', 'x'.repeat(65), "'; DROP TABLE sale; --"]) {
    expect(await sell({ amount }, encodeURI(key).slice(0, 70))).toMatchObject({
      status: 400,
      code: 'request.malformed',
      fields: ['Idempotency-Key'],
    });
    expect(beginCalls).toEqual([]);
  }
  for (const key of ['12345678', 'A-Z_a-z-0', 'x'.repeat(64)]) expect((await sell({ amount }, key)).status).toBe(201);
});

test.each<[what: string, body: unknown, fields: string[]]>([
  ['no amount', {}, ['amount']],
  ['a number for an amount', { amount: { amount: 12.5, currency: 'EUR' } }, ['amount.amount']],
  ['a comma', { amount: { amount: '1.234,56', currency: 'EUR' } }, ['amount.amount']],
  ['wide digits', { amount: { amount: '１２', currency: 'EUR' } }, ['amount.amount']],
  ['a minus', { amount: { amount: '-5.00', currency: 'EUR' } }, ['amount.amount']],
  ['an exponent', { amount: { amount: '1e3', currency: 'EUR' } }, ['amount.amount']],
  ['too much', { amount: { amount: '99999999999.00', currency: 'EUR' } }, ['amount.amount']],
  ['no such currency text', { amount: { amount: '1.00', currency: 'euro' } }, ['amount.currency']],
  ['an unknown field', { amount, discount: '1.00' }, ['discount']],
  [
    'several at once',
    { amount: { amount: 'x', currency: 'y' }, counter: 'A' },
    ['amount.amount', 'amount.currency', 'counter'],
  ],
  ['a list', [], ['body']],
])('%s', async (_, body, fields) => {
  expect(await sell(body)).toEqual({ status: 400, code: 'request.malformed', fields });
  expect(beginCalls).toEqual([]);
});

test('text that is not JSON is refused', async () => {
  for (const body of ['{"amount":', 'amount=12.50', '\u0000'])
    expect(await sell(body)).toMatchObject({ status: 400, code: 'request.malformed' });
  expect(beginCalls).toEqual([]);
});

test('optional fields can be left out', async () => {
  await sell({ amount });
  expect(beginCalls).toStrictEqual([{ operation: 'sale', amount }]);
});

test('a body that is too large is not read', async () => {
  expect(await sell({ amount, counter: 'x'.repeat(5_000_000) })).toMatchObject({
    status: 413,
    code: 'request.tooLarge',
  });
});

test('an internal error shows no stack trace and no card number', async () => {
  const answer = await app.request(`http://${HOST}/api/counters`, { headers });
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ problem: { code: 'program.failed' } });
  expect(text).not.toMatch(/\bat .*\.ts|4111111111111111/);
});

test('a fault says what it means for the money', async () => {
  const answer = await app.request(`http://${HOST}/api/line`, { headers });
  const { problem } = (await answer.json()) as { problem: Record<string, string> };
  expect(problem).toMatchObject({ code: 'journal.unwritable' });
  expect(problem['money']).toBeTruthy();
  expect(problem['next']).toBeTruthy();
});
