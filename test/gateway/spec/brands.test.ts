/** Brands: the gateway's own, a channel's, and their accounts. */
import { expect, test } from 'vitest';
import {
  type AccountKind,
  brandNamed,
  brandOf,
  brands,
  brandsOf,
  isAccepting,
} from '../../../src/gateway/spec/brands.ts';

test.each([
  ['VISA', 'card', 'CC'],
  ['MASTER', 'card', 'CC'],
  ['AMEX', 'card', 'CC'],
  ['DINERS', 'card', 'CC'],
  ['DISCOVER', 'card', 'CC'],
  ['JCB', 'card', 'CC'],
  ['MAESTRO', 'card', 'DC'],
  ['UNIONPAY', 'card', 'CC'],
  ['CARTEBLEUE', 'card', 'DC'],
  ['INTERAC', 'card', 'DC'],
  ['VISADEBIT', 'card', 'DC'],
  ['VISAELECTRON', 'card', 'DC'],
  ['MASTERDEBIT', 'card', 'DC'],
  ['DIRECTDEBIT_SEPA', 'bankAccount', 'DD'],
  ['PAYPAL', 'virtualAccount', 'VA'],
  ['SOFORTUEBERWEISUNG', 'bankAccount', 'OT'],
  ['GIROPAY', 'bankAccount', 'OT'],
  ['EPS', 'bankAccount', 'OT'],
  ['IDEAL', 'bankAccount', 'OT'],
  ['TRUSTLY', 'bankAccount', 'OT'],
  ['PREPAYMENT', 'bankAccount', 'PP'],
  ['GIFTCARD', 'giftCard', 'OT'],
  ['APPLEPAY', 'applePay', 'WA'],
  ['GOOGLEPAY', 'googlePay', 'WA'],
  ['SAMSUNGPAY', 'samsungPay', 'WA'],
])('%s requires %s and counts as %s', (name, account, method) => {
  expect(brandOf(name)).toMatchObject({ name, account, method });
});

test('names are unique and valid for paymentBrand', () => {
  const names = brands.map(({ name }) => name);
  expect(new Set(names).size).toBe(25);
  expect(names).toHaveLength(25);
  expect(names.filter((name) => !/^[A-Za-z0-9_]{1,32}$/.test(name))).toEqual([]);
});

test('a channel adds brands and changes none', () => {
  const channel = {
    brands: [
      { name: 'CORNERCARD', account: 'card' },
      { name: 'PAYPAL', account: 'card' },
    ],
  } as const;
  expect(brandsOf(channel)).toEqual([...brands, { name: 'CORNERCARD', account: 'card', method: 'CC' }]);
  expect(brandNamed(channel, 'CORNERCARD')).toEqual({ name: 'CORNERCARD', account: 'card', method: 'CC' });
  expect(brandNamed(channel, 'PAYPAL')?.account).toBe('virtualAccount');
  expect(brandNamed({}, 'CORNERCARD')).toBeUndefined();
  expect(brandNamed(channel, 'constructor')).toBeUndefined();
  expect(brandsOf({})).toEqual(brands);
});

test.each([
  ['bankAccount', 'DD'],
  ['virtualAccount', 'VA'],
  ['tokenAccount', 'NT'],
  ['giftCard', 'OT'],
] as const)('a channel’s own %s counts as %s', (account, method) => {
  expect(brandNamed({ brands: [{ name: 'OWN', account }] }, 'OWN')).toEqual({ name: 'OWN', account, method });
});

test('a card brand fits everything that contains a card; other brands only their own account', () => {
  const kinds: readonly AccountKind[] = [
    'card',
    'pos',
    'bankAccount',
    'virtualAccount',
    'tokenAccount',
    'giftCard',
    'applePay',
    'googlePay',
    'samsungPay',
  ];
  const kindsAccepting = (account: AccountKind) => kinds.filter((kind) => isAccepting({ account }, kind));
  expect(kindsAccepting('card')).toEqual(['card', 'pos', 'tokenAccount', 'applePay', 'googlePay', 'samsungPay']);
  expect(kinds.slice(1).map(kindsAccepting)).toEqual(kinds.slice(1).map((kind) => [kind]));
});
