/** Charging a stored account: parameters sent with it, those stored for later, and those never stored. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  idOf,
  type Parameters,
  payment,
  plainCard,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';
import { scanForCardData } from '../../support/leaks/leak-scan.ts';
import { bankAccount, saleWith } from './accounts.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const yes = '000.100.110';
const charge: Parameters = { amount: '3.00', currency: 'EUR', paymentType: 'DB' };
const store = async (account: Parameters): Promise<string> => idOf(await gateway.post('v1/registrations', account));
const charged = (id: string, more: Parameters = {}) =>
  gateway.post(`v1/registrations/${id}/payments`, { ...charge, ...more });

test.each<[string, Parameters, Parameters, string | undefined, string]>([
  ['none stored, none sent', {}, {}, undefined, yes],
  ['one stored', { 'card.holder': 'Jane Jones' }, {}, 'Jane Jones', yes],
  ['none stored, one sent to override it', {}, { 'card.holder': 'John Doe', overrideHolder: 'true' }, 'John Doe', yes],
  ['the same with 1 for true', {}, { 'card.holder': 'John Doe', overrideHolder: '1' }, 'John Doe', yes],
  [
    'one stored, another sent to override it: only an empty one is overridden',
    { 'card.holder': 'Jane Jones' },
    { 'card.holder': 'John Doe', overrideHolder: 'true' },
    'Jane Jones',
    yes,
  ],
  ['one sent without overriding', {}, { 'card.holder': 'John Doe' }, undefined, '200.300.404'],
  [
    'one sent with overriding denied',
    {},
    { 'card.holder': 'John Doe', overrideHolder: 'false' },
    undefined,
    '200.300.404',
  ],
])('the holder, %s', async (_, stored, sent, holder, code) => {
  const id = await store({ ...plainCard, ...stored });
  const reply = await charged(id, sent);
  expect(reply.code).toBe(code);
  if (code !== yes) return;
  expect(gateway.acquirer.authorised.at(-1)?.card?.holder).toBe(holder);
  expect(reply.body['card']).toEqual({
    bin: '420000',
    last4Digits: '0000',
    expiryMonth: '05',
    expiryYear: '2034',
    holder,
  });
  // The holder that was sent applied to that payment only.
  await charged(id);
  expect(gateway.acquirer.authorised.at(-1)?.card?.holder).toBe(stored['card.holder']);
});

test('a security code goes to the acquirer with its payment, and no further', async () => {
  const id = await store({ ...plainCard, 'card.cvv': '987' });
  await charged(id, { 'card.cvv': '321' });
  await charged(id);
  const bought = await gateway.post('v1/payments', payment({ 'card.cvv': '654', createRegistration: 'true' }));
  await charged(String(bought.body['registrationId']));
  expect(gateway.acquirer.authorised.map(({ card }) => card?.cvv)).toEqual(['321', undefined, '654', undefined]);
  expect(gateway.acquirer.authorised.map(({ parameters }) => parameters['card.cvv'])).toEqual([
    '321',
    undefined,
    '654',
    undefined,
  ]);
});

test.each<[string, Parameters]>([
  ['a card number', { 'card.number': '4111111111111111' }],
  ['an expiry', { 'card.expiryMonth': '06' }],
  ['a bank account', { 'bankAccount.iban': 'AT611904300234573201' }],
  ['a terminal', { 'pos.entryMode': 'ICC' }],
])('refuses %s sent with a stored account', async (_, sent) => {
  expect(await charged(await store(plainCard), sent)).toMatchObject({ status: 400, code: '200.300.404' });
  expect(gateway.acquirer.authorised).toEqual([]);
});

test('a brand that is sent must fit the stored account', async () => {
  const card = await store(plainCard);
  expect((await charged(card, { paymentBrand: 'VISADEBIT' })).code).toBe(yes);
  expect((await charged(card, { paymentBrand: 'MASTER' })).code).toBe('100.100.700');
  expect((await charged(card, { paymentBrand: 'DIRECTDEBIT_SEPA' })).code).toBe('100.100.700');
  expect((await charged(await store(bankAccount), { paymentBrand: 'VISA' })).code).toBe('100.100.700');
});

test('a stored account can be credited and authorised too, with the usual follow-ups', async () => {
  const id = await store(plainCard);
  const authorised = await charged(id, { paymentType: 'PA' });
  const captured = await gateway.post(`v1/payments/${idOf(authorised)}`, { ...charge, paymentType: 'CP' });
  expect(captured).toMatchObject({ code: yes, body: { paymentBrand: 'VISA' } });
  expect((await charged(id, { paymentType: 'CD' })).code).toBe(yes);
  expect((await charged(id, { paymentType: 'RF' })).code).toBe('200.300.404');
});

const initial: Parameters = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'UNSCHEDULED',
};
const repeated: Parameters = {
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.type': 'UNSCHEDULED',
};
const REFERENCE = 'standingInstruction.initialTransactionId';
const named = { details: { CardholderInitiatedTransactionID: '286251730000042' } };

test('the scheme’s reference of the first payment is sent with all later ones', async () => {
  gateway.acquirer.next(named);
  const first = await gateway.post('v1/payments', payment({ ...initial, createRegistration: 'true' }));
  expect(first.body['standingInstruction']).toEqual({
    mode: 'INITIAL',
    source: 'CIT',
    type: 'UNSCHEDULED',
    initialTransactionId: '286251730000042',
  });
  const id = String(first.body['registrationId']);
  await charged(id, repeated);
  await charged(id, { ...repeated, [REFERENCE]: 'sent-0001' });
  const messages = gateway.acquirer.authorised.map(({ parameters }) => parameters[REFERENCE]);
  expect(messages).toEqual([undefined, '286251730000042', 'sent-0001']);
});

test('a reference from elsewhere is stored with the account', async () => {
  const id = await store({ ...plainCard, ...repeated, [REFERENCE]: 'elsewhere-1' });
  await charged(id, repeated);
  expect(gateway.acquirer.authorised[0]?.parameters[REFERENCE]).toBe('elsewhere-1');
});

test.each<[string, 'answer' | 'shopper']>([
  ['its answer was lost', 'answer'],
  ['the shopper decided later', 'shopper'],
])('the account is stored with an approval that arrives late: %s', async (_, late) => {
  const redirect = { url: 'https://b.test/', method: 'GET', parameters: [], preconditions: [] } as const;
  gateway.acquirer.next(
    late === 'shopper' ? { resultCode: '000.200.000', redirect } : { ...named, lostPart: 'answer' },
  );
  gateway.acquirer.setDeaf('deaf');
  const key = { 'idempotency-key': 'a-key' };
  const sale = saleWith(bankAccount, { createRegistration: 'true' });
  const first = await gateway.post('v1/payments', sale, key);
  expect(first.status).toBe(late === 'shopper' ? 200 : 500);
  const [authorisation] = gateway.acquirer.authorised;
  gateway.acquirer.setDeaf('hearing');
  if (late === 'shopper') gateway.acquirer.decide(authorisation?.id ?? '', { resultCode: yes, ...named });
  const reply = await gateway.get(`v1/payments/${authorisation?.id}`);
  expect(reply.code).toBe(yes);
  await charged(String(reply.body['registrationId']), repeated);
  expect(gateway.acquirer.authorised[1]?.parameters).toMatchObject({
    'bankAccount.iban': 'AT611904300234573201',
    [REFERENCE]: '286251730000042',
  });
});

test('a payment that is declined, even late, stores nothing', async () => {
  gateway.acquirer.next({ resultCode: '000.200.000' });
  const sale = saleWith(bankAccount, { createRegistration: 'true' });
  const pending = await gateway.post('v1/payments', sale);
  gateway.acquirer.decide(idOf(pending), { resultCode: '100.396.101' });
  const reply = await gateway.get(`v1/payments/${idOf(pending)}`);
  expect(reply).toMatchObject({ status: 400, code: '100.396.101' });
  const { registrationId = '', facts } = (await gateway.store.payment(idOf(pending))) ?? {};
  expect(facts).not.toHaveProperty('stores');
  expect(await charged(registrationId)).toMatchObject({ status: 404, code: '100.150.200' });
});

test('a stored number is readable in no file of the store, during and after its operation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const disk = await testGateway({ path: join(folder, 'gateway.db') });
  const [pan, iban, cvv] = ['4761739001010010', 'AT611904300234573201', '9876'];
  const card = { ...plainCard, 'card.number': pan, 'card.cvv': cvv };
  const stored = await disk.post('v1/registrations', card);
  await disk.post('v1/registrations', { ...bankAccount, 'bankAccount.iban': iban });
  await disk.post(`v1/registrations/${idOf(stored)}/payments`, { ...charge, 'card.cvv': cvv });
  await disk.post('v1/payments', payment({ ...card, createRegistration: 'true' }));
  disk.acquirer.next({ resultCode: '000.200.000' });
  await disk.post('v1/payments', payment({ ...card, createRegistration: 'true' }));
  expect(disk.acquirer.authorised[0]?.card).toMatchObject({ number: pan, cvv });

  const look = () => {
    const names = readdirSync(folder);
    expect(scanForCardData({ roots: [folder], needles: [pan, iban] })).toEqual([]);
    for (const name of names) expect(readFileSync(join(folder, name)).includes(`"${cvv}"`)).toBe(false);
    return names;
  };
  // The scan works: it finds the last four digits.
  expect(look()).toContain('gateway.db-wal');
  const bytes = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(bytes().some((text) => text.includes('0010'))).toBe(true);
  await disk.remove(`v1/registrations/${idOf(stored)}`);
  look();
  await disk.app.close();
  await disk.store.close();
  look();
  rmSync(folder, { recursive: true });
});
