/** A terminal's encrypted card is stored by its payment if the channel can decrypt it, and refused otherwise. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { storedCardOf } from '../../../src/gateway/payments/account.ts';
import { factsAfter } from '../../../src/gateway/payments/ending.ts';
import { openGateway } from '../../../src/gateway/server/embedded.ts';
import { entityId, type Parameters, posSale, replyOf, token } from '../../support/gateway/gateway.ts';
import { scanForCardData } from '../../support/leaks/leak-scan.ts';
import { type Presented, present } from '../acquirers/shop-counter.ts';

let gateway: Awaited<ReturnType<typeof openGateway>>;
afterEach(() => gateway.close());

const upstream = { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'far' };
const open = async (channel: object = {}, dataDir = ':memory:') => {
  gateway = await openGateway({
    ...{ dataDir, clock: systemClock, ids: systemIds, random: systemRandom },
    channels: [{ entityId, token, ...channel }],
  });
};

const send = async (method: string, path: string, parameters: Parameters = {}) => {
  const form = new URLSearchParams({ entityId, ...parameters });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  return replyOf(
    method === 'GET'
      ? await gateway.fetch(new Request(`http://gateway.test/${path}?${form}`, { headers }))
      : await gateway.fetch(new Request(`http://gateway.test/${path}`, { method, body: `${form}`, headers })),
  );
};

const sale = (name: TestCardName, options: Presented = {}, extra: Parameters = {}): Parameters => {
  const { pos } = present(name, { minor: 1_000n, ...options });
  const { 'pos.iccDataRequest': _, ...form } = posSale();
  return {
    ...form,
    'pos.entryMode': pos?.entryMode ?? '',
    'pos.encryptedSred.data': pos?.encryptedSred?.data ?? '',
    'pos.encryptedSred.ksn': pos?.encryptedSred?.ksn ?? '',
    ...(pos?.iccDataRequest === undefined ? {} : { 'pos.iccDataRequest': pos.iccDataRequest }),
    createRegistration: 'true',
    ...extra,
  };
};

const charge = { amount: '3.00', currency: 'EUR', paymentType: 'DB' };

test.each([
  ['visa-no-cvm', 'chip', 'VISA', '0143'],
  ['mastercard-tap', 'tap', 'MASTER', '0010'],
  ['visa-stripe', 'swipe', 'VISA', '0000'],
] as const)(
  '%s by %s is stored, shown masked, and charged without the card',
  async (name, entryMode, brand, last4Digits) => {
    await open();
    const reply = await send('POST', 'v1/payments', sale(name, { by: entryMode }));
    expect([reply.status, reply.code]).toEqual([200, '000.100.110']);
    const registrationId = String(reply.body['registrationId']);
    const stored = await send('GET', `v1/registrations/${registrationId}`);
    expect(stored.body).toMatchObject({ paymentBrand: brand, card: { last4Digits } });
    expect(reply.text + stored.text).not.toContain(testCard(name).pan);
    expect((await send('POST', `v1/registrations/${registrationId}/payments`, charge)).code).toBe('000.100.110');
  },
);

test('a declined payment stores nothing', async () => {
  await open();
  const declined = await send('POST', 'v1/payments', sale('visa-stolen'));
  expect([declined.status, declined.body['registrationId']]).toEqual([400, undefined]);
});

const cannotStore = {
  status: 400,
  code: '200.300.404',
  body: {
    result: {
      parameterErrors: [
        {
          name: 'createRegistration',
          value: 'true',
          message:
            'cannot be true here: this channel cannot open the terminal’s encrypted card data. Nothing was charged',
        },
      ],
    },
  },
};

test('a channel with a processor cannot decrypt the card: refused before anybody is asked', async () => {
  await open({ upstream });
  expect(await send('POST', 'v1/payments', sale('visa-no-cvm', {}, { testMode: 'EXTERNAL' }))).toMatchObject(
    cannotStore,
  );
  expect((await send('GET', 'v1/query', { merchantTransactionId: 'till-7-000042' })).code).toBe('700.400.580');
  // The channel's simulators can decrypt the card.
  expect((await send('POST', 'v1/payments', sale('visa-no-cvm'))).code).toBe('000.100.110');
});

test('a live channel never decrypts a card', async () => {
  await open({ upstream, mode: 'live' });
  expect(await send('POST', 'v1/payments', sale('visa-no-cvm'))).toMatchObject(cannotStore);
});

test('data that no key here decrypts are refused in the same way', async () => {
  await open();
  const unreadableSred = { 'pos.encryptedSred.data': '00'.repeat(24) };
  expect(await send('POST', 'v1/payments', sale('visa-no-cvm', {}, unreadableSred))).toMatchObject(cannotStore);
});

test('chip data alone contain no card to store', async () => {
  await open();
  const { 'pos.encryptedSred.data': _, 'pos.encryptedSred.ksn': __, ...form } = sale('visa-no-cvm');
  expect((await send('POST', 'v1/payments', form)).body['result']).toMatchObject({
    parameterErrors: [{ name: 'createRegistration' }],
  });
});

test('the decrypted number is readable in no file of the gateway, during and after its operation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-card-'));
  await open({}, folder);
  const { pan } = testCard('visa-no-cvm');
  const reply = await send('POST', 'v1/payments', sale('visa-no-cvm'));
  const [chargeReply, declined] = [
    await send('POST', `v1/registrations/${reply.body['registrationId']}/payments`, charge),
    await send('POST', 'v1/payments', sale('visa-stolen')),
  ];
  expect([reply, chargeReply, declined].map(({ status }) => status)).toEqual([200, 200, 400]);
  const needles = [pan, testCard('visa-stolen').pan];
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  await gateway.close();
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  rmSync(folder, { recursive: true });
  await open();
});

test('the name that the acquirer read is used if none was sent, and a sent one takes precedence', () => {
  const cardWithExpiry = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  const shownCard = {
    brand: 'VISA',
    bin: '420000',
    last4Digits: '0000',
    expiryMonth: '05',
    expiryYear: '2034',
  } as const;
  const holderAfter = (form: Parameters) =>
    factsAfter(
      { descriptor: '', requestId: '', acquirerId: '', echo: {}, card: storedCardOf({ ...cardWithExpiry, ...form }) },
      { resultCode: '000.000.000', details: {}, account: { ...shownCard, holder: 'Read Reader' } },
    ).card?.holder;
  expect([holderAfter({}), holderAfter({ 'card.holder': 'Sent Sender' })]).toEqual(['Read Reader', 'Sent Sender']);
});
