/** With one Idempotency-Key a request gets its first answer again, byte for byte, whatever it was. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  entityId,
  idOf,
  type Parameters,
  payment,
  type Reply,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';
import { type Step, scriptedAcquirer } from '../../support/gateway/scripted-acquirer.ts';

let folder: string;
let gateway: TestGateway;
const acquirer = () => gateway.acquirer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  gateway = await testGateway({ path: join(folder, 'gateway.db') });
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
  rmSync(folder, { recursive: true });
});

const key = { 'idempotency-key': 'a-key' };
const unknown = `v1/payments/${'f'.repeat(32)}`;
const refund: Parameters = { paymentType: 'RF', amount: '1.00', currency: 'EUR' };
const redirect = { url: 'https://bank.test/', method: 'GET', parameters: [], preconditions: [] } as const;

type Row = { path?: string; sent: Parameters; step?: Step; status: number; code: string };
const rows: Readonly<Record<string, Row>> = {
  approved: { sent: payment(), status: 200, code: '000.100.110' },
  declined: { sent: payment(), step: { resultCode: '800.100.155' }, status: 400, code: '800.100.155' },
  pending: { sent: payment(), step: { resultCode: '000.200.000', redirect }, status: 200, code: '000.200.000' },
  'refused before the acquirer': { sent: payment({ amount: '0.00' }), status: 400, code: '100.550.300' },
  'refused for its card': { sent: payment({ 'card.number': '4200000000000001' }), status: 400, code: '100.100.101' },
  'refused by name': { sent: payment({ colour: 'red' }), status: 400, code: '200.300.404' },
  'of an unknown payment': { path: unknown, sent: refund, status: 404, code: '700.400.520' },
  'a follow-up refused by name': {
    path: unknown,
    sent: { ...refund, amount: '1', paymentType: 'XX' },
    status: 400,
    code: '200.300.404',
  },
  'a registration': {
    path: 'v1/registrations',
    sent: payment({ paymentType: 'RG' }),
    status: 200,
    code: '000.100.110',
  },
  'a registration refused': {
    path: 'v1/registrations',
    sent: payment({ 'card.expiryYear': '2020' }),
    status: 400,
    code: '100.100.303',
  },
};

/** Another process with the same file and the same acquirer. */
const restartGateway = async (): Promise<TestGateway> => {
  const previousAcquirer = gateway.acquirer;
  await gateway.app.close();
  await gateway.store.close();
  gateway = await testGateway({ path: join(folder, 'gateway.db'), acquirer: previousAcquirer });
  await gateway.app.ready;
  return gateway;
};

describe.each(Object.entries(rows))('%s', (_, { path = 'v1/payments', sent: form, step, status, code }) => {
  const send = (extra: Parameters = {}): Promise<Reply> => gateway.post(path, { ...form, ...extra }, key);
  const sendFirst = async (): Promise<Reply> => {
    if (step !== undefined) acquirer().next(step);
    const first = await send();
    expect(first).toMatchObject({ status, code });
    return first;
  };

  test('gets the same bytes again, later and after a restart', async () => {
    const first = await sendFirst();
    await gateway.clock.advance(86_400_000);
    expect(await send()).toMatchObject({ status, text: first.text });
    await restartGateway();
    expect(await send()).toMatchObject({ status, text: first.text });
    expect(acquirer().authorised.length).toBeLessThanOrEqual(1);
  });

  test('many at once are one', async () => {
    if (step !== undefined) acquirer().next(step);
    const replies = await Promise.all(Array.from({ length: 30 }, () => send()));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]).toMatchObject({ status, code });
    expect(acquirer().authorised.length).toBeLessThanOrEqual(1);
  });

  test('another body with its key is refused, and nothing is done for it', async () => {
    const first = await sendFirst();
    const requestCount = acquirer().authorised.length;
    const otherParameters: Record<string, string>[] = [
      { amount: '11.00' },
      { merchantMemo: 'another' },
      { nonsense: 'x' },
    ];
    for (const extra of otherParameters) {
      expect(await send(extra)).toMatchObject({ status: 400, code: '800.110.100' });
    }
    const otherPath = path === 'v1/payments' ? 'v1/registrations' : 'v1/payments';
    expect(await gateway.post(otherPath, form, key)).toMatchObject({ status: 400, code: '800.110.100' });
    expect(acquirer().authorised).toHaveLength(requestCount);
    expect((await send()).text).toBe(first.text);
  });

  test('is another request on another channel', async () => {
    const first = await sendFirst();
    const other = { authorization: 'Bearer other-token', ...key };
    const entity = { entityId: '00000000000000000000000000000002' };
    const reply = await gateway.post(path, { ...form, ...entity }, other);
    expect(reply.code).toBe(code === '000.200.000' || code === '800.100.155' ? '000.100.110' : code);
    expect(reply.text).not.toBe(first.text);
    expect((await gateway.post(path, { ...form, ...entity }, other)).text).toBe(reply.text);
  });
});

test('without a key each request counts, and so does each refusal', async () => {
  const form = payment({ amount: '0.00' });
  expect(idOf(await gateway.post('v1/payments', form))).not.toBe(idOf(await gateway.post('v1/payments', form)));
});

test('a refund with a key is made once, and its repeat succeeds although nothing more is left', async () => {
  const sale = await gateway.post('v1/payments', payment());
  const send = (headers: Parameters) =>
    gateway.post(`v1/payments/${idOf(sale)}`, { ...refund, amount: '10.00' }, headers);
  const first = await send(key);
  expect(first.code).toBe('000.100.110');
  expect((await send(key)).text).toBe(first.text);
  expect((await send({ 'idempotency-key': 'b-key' })).code).toBe('700.400.200');
  expect(acquirer().referred).toHaveLength(1);
});

test('an unauthenticated request stores no answer: the key stays free', async () => {
  const wrong = { ...key, authorization: 'Bearer nobody' };
  expect((await gateway.post('v1/payments', payment(), wrong)).status).toBe(403);
  expect((await gateway.post('v1/payments', payment({ entityId: 'A'.repeat(32) }), key)).status).toBe(400);
  expect((await gateway.post('v1/payments', payment({ entityId }), key)).code).toBe('000.100.110');
});

test('the repeat of a pending payment follows it: pending while it waits, then its ending', async () => {
  const open = await testGateway({ acquirer: scriptedAcquirer() });
  open.acquirer.next({ resultCode: '000.200.000', redirect });
  const send = () => open.post('v1/payments', payment(), key);
  const first = await send();
  expect((await send()).text).toBe(first.text);
  // The acquirer still returns a redirect, but no shopper needs it any more.
  open.acquirer.decide(idOf(first), { resultCode: '000.100.110', redirect });
  const reply = await send();
  expect(reply).toMatchObject({ status: 200, code: '000.100.110', body: { id: idOf(first) } });
  expect(reply.body).not.toHaveProperty('redirect');
  expect((await send()).text).toBe(reply.text);
  await open.store.close();
});
