/** Webhooks over the host API: registering, testing, rotating, resending, removing; and access. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, otherEntityId, payment } from '../../support/gateway/gateway.ts';
import { openReceiver, type Receiver, secret } from './receiver.ts';
import { openRig, type Rig } from './rig.ts';

const next = 'f'.repeat(64);
let rig: Rig;
let receiver: Receiver;
let status: number;
beforeEach(async () => {
  status = 200;
  rig = await openRig();
  receiver = await openReceiver({ secrets: [secret, next], answer: () => status });
});
afterEach(async () => {
  await rig.gateway.close();
  await receiver.close();
  expect(rig.reported).toEqual([]);
});

const create = (parameters: Record<string, string> = {}) =>
  rig.post('v1/webhooks', { 'webhook.url': receiver.url, 'webhook.secret': secret, ...parameters });

test('a webhook with its own secret is tested at once, and never shows the secret', async () => {
  const reply = await create({ 'webhook.name': 'Shop', 'webhook.wrapper': 'JSON' });
  expect(reply.body).toMatchObject({ state: 'active', name: 'Shop', wrapper: 'JSON', result: { code: '000.000.100' } });
  expect(receiver.received[0]?.notification).toEqual({
    type: 'test',
    action: 'webhook activation',
    payload: { result: { code: '000.100.110', description: expect.stringContaining('Integrator Test Mode') } },
  });
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
  const listed = await rig.get('v1/webhooks');
  expect(listed.body['webhooks']).toMatchObject([{ id: idOf(reply), state: 'active' }]);
  expect(reply.text + listed.text).not.toContain(secret);
});

test('on a live channel the activation test has the live code', async () => {
  await rig.gateway.close();
  const upstream = { baseUrl: 'https://processor.example/', entityId: otherEntityId, token: 'processor-token' };
  rig = await openRig({ channel: { mode: 'live', upstream } });
  expect((await create()).body).toMatchObject({ state: 'active' });
  expect(receiver.received[0]?.notification).toMatchObject({ payload: { result: { code: '000.000.000' } } });
});

test('a webhook without one gets a secret, once, and stays inactive until its test has passed', async () => {
  const reply = await rig.post('v1/webhooks', { 'webhook.url': receiver.url });
  expect(reply.body).toMatchObject({ state: 'inactive', secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect((await rig.get(`v1/webhooks/${idOf(reply)}`)).body['secret']).toBeUndefined();
  expect(receiver.received).toEqual([]);
});

test('a failed test gives the reason, and leaves it inactive', async () => {
  status = 500;
  const reply = await create();
  expect(reply.body).toMatchObject({
    state: 'inactive',
    test: { passed: false, says: expect.stringContaining('500') },
  });
  await receiver.stopListening();
  const repeat = await rig.post(`v1/webhooks/${idOf(reply)}`, { 'webhook.action': 'ACTIVATE' });
  expect(repeat.body).toMatchObject({ state: 'inactive', test: { says: expect.stringContaining('No connection') } });
  await receiver.listenAgain();
  status = 204;
  expect((await rig.post(`v1/webhooks/${idOf(reply)}`, { 'webhook.action': 'ACTIVATE' })).body).toMatchObject({
    state: 'active',
  });
});

test('a new secret is used when its test has passed, and the old one is no longer needed', async () => {
  const { body } = await create();
  const id = String(body['id']);
  await rig.post(`v1/webhooks/${id}`, { 'webhook.action': 'ROTATE', 'webhook.secret': next });
  await rig.post('v1/payments', payment());
  await rig.waitUntil(() => receiver.received.length === 2);
  expect(receiver.received[1]?.headers['x-key-id']).toBe(body['keyId']);
  await rig.post(`v1/webhooks/${id}`, { 'webhook.action': 'ACTIVATE' });
  await rig.post('v1/payments', payment());
  await rig.waitUntil(() => receiver.received.length === 4);
  const [, , testNotification, paidNotification] = receiver.received;
  expect(testNotification?.headers['x-key-id']).not.toBe(body['keyId']);
  expect(paidNotification?.headers['x-key-id']).toBe(testNotification?.headers['x-key-id']);
});

test('settings can change, attempts are described, events are resent, and removal is final', async () => {
  const { body } = await create({ 'webhook.types': 'PAYMENT' });
  const path = `v1/webhooks/${String(body['id'])}`;
  status = 404;
  await rig.post('v1/payments', payment());
  await rig.waitUntil(async () => ((await rig.get(path)).body['attempts'] as unknown[]).length === 1);
  const [attempt] = (await rig.get(path)).body['attempts'] as { eventId: string; says: string }[];
  expect(attempt).toMatchObject({ status: 404, attempt: 1, says: expect.stringContaining('is the path right?') });
  status = 200;
  const resendReply = await rig.post(path, { 'webhook.action': 'RESEND', 'webhook.eventId': attempt?.eventId ?? '' });
  expect(resendReply.body['resent']).toBe(1);
  await rig.waitUntil(async () => ((await rig.get(path)).body['events'] as { delivered: number }).delivered === 1);
  expect((await rig.post(path, { 'webhook.fields': 'NON_CUSTOMER_DATA' })).body['fields']).toBe('NON_CUSTOMER_DATA');
  expect((await rig.remove(path)).body).toMatchObject({ state: 'removed' });
  expect((await rig.get(path)).status).toBe(404);
  const receivedCount = receiver.received.length;
  await rig.post('v1/payments', payment());
  expect((await rig.get('v1/webhooks')).body['webhooks']).toEqual([]);
  expect(receiver.received).toHaveLength(receivedCount);
});

test.each([
  [{ 'webhook.url': 'javascript:alert(1)//xx' }, 'webhook.url'],
  [{ 'webhook.url': 'ftp://shop.example.com/' }, 'webhook.url'],
  [{ 'webhook.url': 'https://user:pass@shop.example.com/' }, 'webhook.url'],
  [{ 'webhook.secret': 'abc' }, 'webhook.secret'],
  [{ 'webhook.types': 'PAYMENT,NEWS' }, 'webhook.types'],
  [{ 'webhook.wrapper': 'XML' }, 'webhook.wrapper'],
  [{ 'webhook.hook': 'x' }, 'webhook.hook'],
])('refuses %j by name', async (parameters, name) => {
  const refusal = await create(parameters);
  expect(refusal.status).toBe(400);
  expect(refusal.body['result']).toMatchObject({ code: '200.300.404', parameterErrors: [{ name }] });
  expect(refusal.text).not.toContain('abc"');
});

test('refuses a duplicate address, and hides another channel’s webhook', async () => {
  const reply = await create();
  expect((await create()).body['result']).toMatchObject({ parameterErrors: [{ name: 'webhook.url' }] });
  const stranger = { entityId: otherEntityId };
  expect((await rig.get(`v1/webhooks/${idOf(reply)}`, stranger)).status).toBe(404);
  expect((await rig.post(`v1/webhooks/${idOf(reply)}`, { ...stranger, 'webhook.action': 'ROTATE' })).status).toBe(404);
  expect((await rig.get('v1/webhooks', stranger)).body['webhooks']).toEqual([]);
});

test('private addresses need permission', async () => {
  const strictRig = await openRig({ allowPrivateUrls: false });
  const refusal = await strictRig.post('v1/webhooks', { 'webhook.url': receiver.url });
  expect(refusal.body['result']).toMatchObject({ parameterErrors: [{ name: 'webhook.url' }] });
  await strictRig.gateway.close();
});

test('a channel can have as many webhooks as its settings allow, and another when one is removed', async () => {
  await rig.gateway.close();
  rig = await openRig({ channel: { limits: { webhooks: 3 } } });
  const createNamed = (name: string, extra: Record<string, string> = {}) =>
    rig.post('v1/webhooks', { 'webhook.url': `${receiver.url}${name}`, ...extra });
  // The webhooks are created in parallel: the limit counts those that are written.
  const created = await Promise.all(['a', 'b', 'c', 'd'].map((name) => createNamed(name)));
  expect(created.map(({ status: got }) => got).sort()).toEqual([200, 200, 200, 400]);
  const refusal = await createNamed('e');
  expect(refusal).toMatchObject({ status: 400, code: '200.300.404' });
  expect(refusal.body['result']).toMatchObject({
    parameterErrors: [
      {
        name: 'webhook.url',
        message: 'exceeds the limit: this channel has 3 webhooks; remove one first',
      },
    ],
  });
  // Another channel has its own limit.
  expect(await createNamed('e', { entityId: otherEntityId })).toMatchObject({ status: 200 });
  const [first] = (await rig.get('v1/webhooks')).body['webhooks'] as { id: string }[];
  await rig.remove(`v1/webhooks/${first?.id}`);
  expect(await createNamed('e')).toMatchObject({ status: 200 });
  expect(await createNamed('f')).toMatchObject({ status: 400 });
});

test('by default a channel can have five hundred', async () => {
  for (let count = 0; count < 500; count += 1)
    expect(await rig.post('v1/webhooks', { 'webhook.url': `${receiver.url}${count}` })).toMatchObject({ status: 200 });
  expect(await rig.post('v1/webhooks', { 'webhook.url': `${receiver.url}500` })).toMatchObject({ status: 400 });
});
