/** Every kind of account on its way to the acquirer, and the errors found before anybody is asked. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../../src/gateway/channel.ts';
import { type Parameters, plainCard, type TestGateway, testGateway } from '../../support/gateway/gateway.ts';
import { bankAccount, giftCard, saleWith, terminal, tokenAccount, virtualAccount, wallets } from './accounts.ts';

const brands: Channel['brands'] = [
  { name: 'SHOPCARD', account: 'card' },
  { name: 'SHOPWALLET', account: 'virtualAccount' },
];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway({ channel: { brands } });
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

type Row = { account: Parameters; kind: string; brand?: string; found?: string; card?: string };

const decryptedCard = '4200000000000000';
const rows: Readonly<Record<string, Row>> = {
  'a card whose brand is determined': {
    account: plainCard,
    kind: 'card',
    brand: 'VISA',
    found: 'VISA',
    card: decryptedCard,
  },
  'a card with its brand': {
    account: { ...plainCard, paymentBrand: 'VISA' },
    kind: 'card',
    brand: 'VISA',
    card: decryptedCard,
  },
  'a card with a product of its brand': {
    account: { ...plainCard, paymentBrand: 'VISADEBIT' },
    kind: 'card',
    brand: 'VISADEBIT',
    card: decryptedCard,
  },
  'a number of the channel’s own brand only': {
    account: { ...plainCard, paymentBrand: 'SHOPCARD', 'card.number': '9999999999999995' },
    kind: 'card',
    brand: 'SHOPCARD',
    card: '9999999999999995',
  },
  'a bank account': { account: bankAccount, kind: 'bankAccount', brand: 'DIRECTDEBIT_SEPA' },
  'a virtual account': { account: virtualAccount, kind: 'virtualAccount', brand: 'PAYPAL' },
  'an account of the channel’s own brand': {
    account: { ...virtualAccount, paymentBrand: 'SHOPWALLET' },
    kind: 'virtualAccount',
    brand: 'SHOPWALLET',
  },
  'a token': { account: tokenAccount, kind: 'tokenAccount', brand: 'VISA', found: 'VISA' },
  'a gift card': { account: giftCard, kind: 'giftCard', brand: 'GIFTCARD' },
  'a terminal’s card, encrypted': { account: terminal, kind: 'pos' },
  'a terminal’s card, typed': {
    account: { ...plainCard, 'pos.entryMode': 'MANUAL', 'pos.terminalId': '70001234' },
    kind: 'card',
    brand: 'VISA',
    found: 'VISA',
    card: decryptedCard,
  },
  'a bank transfer whose bank the shopper names later': {
    account: { paymentBrand: 'PREPAYMENT' },
    kind: 'bankAccount',
    brand: 'PREPAYMENT',
  },
  ...Object.fromEntries(
    Object.entries(wallets).flatMap(([kind, { token, decrypted }]) => [
      [`${kind}, as a token`, { account: token, kind, brand: kind.toUpperCase() }],
      [
        `${kind}, decrypted`,
        { account: decrypted, kind, brand: kind.toUpperCase(), found: 'VISA', card: decryptedCard },
      ],
      [
        `${kind}, decrypted, with the card’s brand`,
        { account: { ...decrypted, paymentBrand: 'VISA' }, kind, brand: 'VISA', card: decryptedCard },
      ],
    ]),
  ),
};

test.each(Object.entries(rows))(
  '%s reaches the acquirer completely',
  async (_, { account, kind, brand, found, card }) => {
    const reply = await gateway.post('v1/payments', saleWith(account));
    expect(reply).toMatchObject({ status: 200, code: '000.100.110' });
    expect([reply.body['paymentBrand'], reply.body['brandResult']]).toEqual([brand, found]);
    const [authorisation, ...others] = gateway.acquirer.authorised;
    expect(others).toEqual([]);
    expect(authorisation).toMatchObject({
      account: kind,
      paymentType: 'DB',
      amount: { minor: 1000n, currency: 'EUR' },
    });
    expect([authorisation?.paymentBrand, authorisation?.card?.number]).toEqual([brand, card]);
    expect(authorisation?.pos?.entryMode).toBe(account['pos.entryMode']);
    expect(authorisation?.parameters).toMatchObject(saleWith(account));
  },
);

test('the answer contains no secrets of the account', async () => {
  for (const { account } of Object.values(rows)) {
    const { text } = await gateway.post('v1/payments', saleWith(account));
    for (const name of Object.keys(account)) {
      if (/\.(number|iban|accountId|paymentToken|data)$/.test(name)) expect(text).not.toContain(account[name]);
    }
  }
});

describe.each([
  ['v1/payments', 'paid with'],
  ['v1/registrations', 'stored'],
])('%s: what cannot be %s', (path) => {
  test.each<[string, Parameters, string]>([
    ['a wrong check digit', { ...plainCard, 'card.number': '4200000000000001' }, '100.100.101'],
    ['a token with a wrong check digit', { ...tokenAccount, 'tokenAccount.number': '4111111111111112' }, '100.100.101'],
    ['an expired card', { ...plainCard, 'card.expiryMonth': '12', 'card.expiryYear': '2025' }, '100.100.303'],
    ['an expired token', { ...tokenAccount, 'tokenAccount.expiryYear': '2020' }, '100.100.303'],
    ['an IBAN with wrong check digits', { ...bankAccount, 'bankAccount.iban': 'AT621904300234573201' }, '100.100.101'],
    ['an IBAN with a wrong length', { ...bankAccount, 'bankAccount.iban': 'AT61190430023457320' }, '100.100.101'],
    ['an unknown brand', { ...plainCard, paymentBrand: 'NOBODY' }, '600.200.500'],
    ['a brand named like an inherited property', { ...plainCard, paymentBrand: '__proto__' }, '600.200.500'],
    ['a number without a brand', { ...plainCard, 'card.number': '0000000000000000' }, '100.100.500'],
    ['a number of another brand', { ...plainCard, paymentBrand: 'MASTER' }, '100.100.700'],
    ['a token of another brand', { ...tokenAccount, paymentBrand: 'AMEX' }, '100.100.700'],
    [
      'an account that the channel’s own brand does not accept',
      { ...plainCard, paymentBrand: 'SHOPWALLET' },
      '100.100.700',
    ],
  ])('%s', async (_, account, code) => {
    const reply = await gateway.post(path, saleWith(account));
    expect(reply).toMatchObject({ status: 400, code });
    expect(reply.body['resultDetails']).toMatchObject({ ExtendedDescription: expect.stringMatching(/\.$/) });
    expect(gateway.acquirer.authorised).toEqual([]);
    expect(reply.body['registration']).toBeUndefined();
  });
});

test('another channel’s own brand is unknown here', async () => {
  const other = await testGateway();
  const sale = saleWith({ ...virtualAccount, paymentBrand: 'SHOPWALLET' });
  expect(await other.post('v1/payments', sale)).toMatchObject({ status: 400, code: '600.200.500' });
  await other.store.close();
});

test('authorise-then-capture is one message to the acquirer, and the answer keeps its type', async () => {
  const reply = await gateway.post('v1/payments', saleWith(plainCard, { paymentType: 'PA.CP' }));
  expect(reply.body).toMatchObject({ paymentType: 'PA.CP', amount: '10.00' });
  expect(gateway.acquirer.authorised.map(({ paymentType }) => paymentType)).toEqual(['DB']);
});
