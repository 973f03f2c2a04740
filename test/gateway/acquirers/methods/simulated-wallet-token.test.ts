import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandOfPan } from '../../../../src/emv/brands.ts';
import { luhnIsValid } from '../../../../src/emv/luhn.ts';
import { networkCards } from '../../../../src/gateway/acquirers/simulator/methods/simulated-wallet-token.ts';
import { acquirer, memory } from '../shop-counter.ts';
import { codesOf, purseBalances, type RequestParts, request } from './counter.ts';
import { apple, appleData, google, jwe, samsung } from './wallet-tokens.ts';

type Wallet = 'applePay' | 'googlePay' | 'samsungPay';
const wallets: Wallet[] = ['applePay', 'googlePay', 'samsungPay'];

const authorise = (
  wallet: Wallet,
  paymentToken: string,
  { cardNetwork, ...options }: RequestParts & { cardNetwork?: string } = {},
) => acquirer().authorise(request(wallet, { paymentToken, ...(cardNetwork ? { cardNetwork } : {}) }, options));

describe('accepted shapes', () => {
  test.each<[title: string, wallet: Wallet, token: string, brand: string]>([
    ['Apple, elliptic curve', 'applePay', apple(), 'VISA'],
    [
      'Apple, RSA',
      'applePay',
      apple(undefined, {
        version: 'RSA_v1',
        header: { publicKeyHash: 'aGFz', wrappedKey: 'a2V5', transactionId: 'AB' },
      }),
      'VISA',
    ],
    [
      'Apple, the whole token',
      'applePay',
      JSON.stringify({ paymentData: appleData(), paymentMethod: { network: 'MasterCard', type: 'debit' } }),
      'MASTER',
    ],
    ['Google, version 2', 'googlePay', google(), 'VISA'],
    ['Google, version 1', 'googlePay', google(undefined, { protocolVersion: 'ECv1' }), 'VISA'],
    ['Samsung, JSON', 'samsungPay', samsung(), 'VISA'],
    ['Samsung, another network', 'samsungPay', samsung(undefined, 'mastercard'), 'MASTER'],
    ['Samsung, only the JWE', 'samsungPay', jwe(), 'VISA'],
  ])('%s', async (_, wallet, token, brand) => {
    const answer = await authorise(wallet, token);
    expect(codesOf(answer)).toBe('000.100.110 00');
    expect(answer.account?.brand).toBe(brand);
  });
});

describe('refused shapes', () => {
  test.each<[title: string, wallet: Wallet, token: string, code: string]>([
    ['no token', 'applePay', '', '100.100.100'],
    ['no JSON', 'applePay', '{"data":', '200.300.404'],
    ['another wallet’s', 'applePay', google(), '200.300.404'],
    ['another wallet’s', 'googlePay', apple(), '200.300.404'],
    ['another wallet’s', 'samsungPay', apple(), '200.300.404'],
    ['Apple without signature', 'applePay', apple(undefined, { signature: '' }), '200.300.404'],
    ['Apple without header', 'applePay', apple(undefined, { header: {} }), '200.300.404'],
    ['Apple of another version', 'applePay', apple(undefined, { version: 'EC_v2' }), '200.300.404'],
    ['Apple with data that are not base64', 'applePay', apple(undefined, { data: '***' }), '200.300.404'],
    ['Google with a message that is not JSON', 'googlePay', google(undefined, { signedMessage: 'x' }), '200.300.404'],
    ['Google with half a message', 'googlePay', google(undefined, { signedMessage: '{"tag":"dGFn"}' }), '200.300.404'],
    ['Samsung with four parts', 'samsungPay', jwe().split('.').slice(1).join('.'), '200.300.404'],
    ['Samsung with an empty header', 'samsungPay', jwe(undefined, '{}'), '200.300.404'],
    ['a JWE for Apple', 'applePay', jwe(), '200.300.404'],
    ['far too long', 'applePay', apple('x'.repeat(20_000)), '200.300.404'],
  ])('%s', async (_, wallet, token, code) => {
    expect(codesOf(await authorise(wallet, token))).toBe(code);
  });

  test('no input crashes it or is repeated in the answer', async () => {
    const token = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((payload) => google(undefined, { signedMessage: payload })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wallets), token, async (wallet, body) => {
        const { resultCode, details } = await authorise(wallet, body);
        expect(['100.100.100', '200.300.404']).toContain(resultCode);
        if (body.length > 40) expect(details['ExtendedDescription']).not.toContain(body);
      }),
    );
  });
});

describe('the card behind a token', () => {
  test.each([
    ['Visa', 'VISA'],
    ['MasterCard', 'MASTER'],
    ['MASTER', 'MASTER'],
    ['AmEx', 'AMEX'],
    ['AMERICAN EXPRESS', 'AMEX'],
    ['Discover', 'DISCOVER'],
    ['JCB', 'JCB'],
    ['Maestro', 'MAESTRO'],
    ['ChinaUnionPay', 'UNIONPAY'],
  ])('cardNetwork %s → %s', async (cardNetwork, brand) => {
    expect((await authorise('applePay', apple(), { cardNetwork })).account?.brand).toBe(brand);
  });

  test.each([
    ['simulated:visa-credit', '000.100.110 00'],
    ['simulated:visa-poor', '800.100.155 51'],
    ['simulated:visa-stolen', '800.100.159 43'],
    ['simulated:visa-expired', '800.100.157 54'],
    ['simulated:mastercard-tap', '000.100.110 00'],
    ['simulated:no-such-card', '200.300.404'],
  ])('a test token %s → %s, in every wallet', async (payload, expected) => {
    for (const [index, token] of [apple(payload), google(payload), samsung(payload)].entries()) {
      expect(codesOf(await authorise(wallets[index] ?? 'applePay', token))).toBe(expected);
    }
  });

  test('refuses an unknown network', async () => {
    expect(codesOf(await authorise('applePay', apple(), { cardNetwork: 'Unheard' }))).toBe('100.100.501');
  });

  test('every network’s card has a number of its brand', () => {
    const invalidCards = [...networkCards.values()].filter(
      ({ pan, brand }) => !luhnIsValid(pan) || brandOfPan(pan) !== brand,
    );
    expect(invalidCards).toEqual([]);
  });

  test('a card has one purse in all wallets, and its number is not stored', async () => {
    const records = memory();
    const shop = acquirer({ memory: records });
    const tokens = [apple('simulated:visa-poor'), google('simulated:visa-poor'), jwe('simulated:visa-poor')];
    for (const [index, paymentToken] of tokens.entries()) {
      await shop.authorise(request(wallets[index] ?? 'applePay', { paymentToken }, { minor: 300n }));
    }
    expect(purseBalances(records)).toEqual([1_000n]);
    expect(JSON.stringify([...records.documents])).not.toContain('4761739001010168');
  });
});
