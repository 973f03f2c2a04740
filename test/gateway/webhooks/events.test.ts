/** Which events are created, and their content: from a payment's row to a receiver, over real bytes. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, idOf, otherEntityId, payment } from '../../support/gateway/gateway.ts';
import { openReceiver, type Receiver, secret } from './receiver.ts';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
let receiver: Receiver;
beforeEach(async () => {
  rig = await openRig();
  receiver = await openReceiver();
});
afterEach(async () => {
  await rig.gateway.close();
  await receiver.close();
  expect(rig.reported).toEqual([]);
});

const registered = (parameters: Record<string, string> = {}) =>
  rig.post('v1/webhooks', {
    'webhook.url': receiver.url,
    'webhook.secret': secret,
    'webhook.types': 'PAYMENT,REGISTRATION,SCHEDULE,RISK',
    ...parameters,
  });
const waitForNotifications = (wantedCount: number) => rig.waitUntil(() => receiver.received.length >= wantedCount);
const deliveryCounts = async () => {
  const [webhook] = await rig.gateway.store.webhooks.list();
  return rig.gateway.store.webhooks.eventCounts(webhook?.id ?? '');
};
/** Without the activation test. */
const events = () => receiver.received.slice(1);

test('when a payment ends, the receiver gets the merchant’s answer and more', async () => {
  expect((await registered()).body).toMatchObject({ state: 'active', test: { passed: true } });
  const reply = await rig.post(
    'v1/payments',
    payment({ merchantTransactionId: 'order-0001', 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }),
  );
  await waitForNotifications(2);
  const [event] = events();
  expect(event?.notification.payload).toMatchObject(reply.body);
  expect(event?.notification).toMatchObject({
    type: 'PAYMENT',
    sequence: 1,
    presentationAmount: '10.00',
    presentationCurrency: 'EUR',
    payload: {
      id: idOf(reply),
      presentationAmount: '10.00',
      authentication: { entityId },
      channelName: 'Corner Shop',
      source: 'OPP',
      customer: { surname: 'Jones' },
    },
  });
  expect(event?.notification.eventId).toMatch(/^[0-9a-f]{32}$/);
  expect(event?.headers).toMatchObject({ 'x-event-id': event?.notification.eventId, 'x-event-sequence': '1' });
});

test('a decline, a failure and follow-ups each have their event, in order', async () => {
  await registered();
  const authorised = await rig.post('v1/payments', payment({ paymentType: 'PA' }));
  await rig.post('v1/payments', payment({ 'customParameters[forceResultCode]': '800.100.153' }));
  await rig.post(`v1/payments/${idOf(authorised)}`, { paymentType: 'CP', amount: '4.00', currency: 'EUR' });
  await rig.post(`v1/payments/${idOf(authorised)}`, { paymentType: 'CP', amount: '40.00', currency: 'EUR' });
  await waitForNotifications(5);
  const reports = events().map(({ notification }) => notification);
  // Events of different payments may overtake each other.
  const inSequence = reports.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
  expect(inSequence.map(({ sequence, payload }) => [sequence, payload.result.code, payload['referencedId']])).toEqual([
    [1, '000.100.110', undefined],
    [2, '800.100.153', undefined],
    [3, '000.100.110', idOf(authorised)],
    [4, '700.400.100', idOf(authorised)],
  ]);
  expect(reports.filter(({ sequence }) => sequence !== 2).map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
});

test('a payment with the shopper: pending first, with its redirect, then its ending with the same id', async () => {
  await registered();
  const started = await rig.post('v1/payments', {
    amount: '10.00',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'SOFORTUEBERWEISUNG',
    'bankAccount.country': 'DE',
    shopperResultUrl: 'https://shop.example.com/back',
  });
  expect(started.code).toBe('000.200.000');
  await waitForNotifications(2);
  expect(events()[0]?.notification.payload).toMatchObject({
    id: idOf(started),
    result: { code: '000.200.000' },
    redirect: {},
  });
  const { url } = started.body['redirect'] as { url: string };
  const decide = new Request(url, { method: 'POST', body: new URLSearchParams({ decision: 'pays' }) });
  await rig.gateway.fetch(decide);
  await rig.get(`v1/payments/${idOf(started)}`);
  await waitForNotifications(3);
  const [, endedEvent] = events();
  expect(endedEvent?.notification.payload.id).toBe(idOf(started));
  expect(endedEvent?.notification.payload.result.code).not.toBe('000.200.000');
});

test('registrations: created, extended and deleted, but no event for re-wrapped keys', async () => {
  await registered();
  const stored = await rig.post('v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2026',
    'card.holder': 'Jane Jones',
  });
  await rig.post(`v1/registrations/${idOf(stored)}/extendlife`, {});
  await rig.gateway.store.transact([], async (session) => {
    const found = await session.registration(idOf(stored));
    if (found?.sealed === undefined) throw new Error('it is not there');
    await session.changeRegistration({ ...found, sealed: { ...found.sealed, keyId: 'another' } });
  });
  await rig.remove(`v1/registrations/${idOf(stored)}`);
  await waitForNotifications(4);
  const messages = ['CREATED', 'UPDATED', 'DELETED'].map((action) => `REGISTRATION ${action}`);
  expect(receiver.eventLines().slice(1)).toEqual(messages);
  expect(events()[0]?.notification.payload).toMatchObject({
    id: idOf(stored),
    card: { holder: 'Jane Jones', bin: '420000' },
  });
  expect(JSON.stringify(events())).not.toContain('4200000000000000');
});

test('without customer data nothing identifies the shopper', async () => {
  await registered({ 'webhook.fields': 'NON_CUSTOMER_DATA' });
  await rig.post(
    'v1/payments',
    payment({
      createRegistration: 'true',
      'card.holder': 'Jane Jones',
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
      'customer.email': 'jane@example.com',
      'billing.street1': 'Main Street 7',
      'billing.country': 'DE',
      'shipping.city': 'Smalltown',
      'customParameters[branch]': 'seven',
    }),
  );
  await waitForNotifications(3);
  const text = JSON.stringify(events());
  for (const privateText of ['Jane', 'jane@', 'Main Street', 'Smalltown']) expect(text).not.toContain(privateText);
  expect(text).toContain('seven');
});

test('no events for another channel, for types that were not requested, or for inactive URLs', async () => {
  await registered({ 'webhook.types': 'REGISTRATION' });
  await rig.post('v1/payments', payment());
  await rig.post('v1/payments', payment({ entityId: otherEntityId }));
  expect(await deliveryCounts()).toMatchObject({ new: 0, waiting: 0, delivered: 0 });
});

test('a rolled back change has no event', async () => {
  await registered();
  const stored = await rig.post('v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2034',
  });
  await rig.waitUntil(async () => (await deliveryCounts()).delivered === 1);
  const undone = rig.gateway.store.transact([], async (session) => {
    const found = await session.registration(idOf(stored));
    if (found === undefined) throw new Error('it is not there');
    await session.changeRegistration({ ...found, keptUntil: 1 });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await deliveryCounts()).toEqual({ new: 0, waiting: 0, delivered: 1, dead: 0 });
});
