/** Rules of follow-ups, queries and reports; the account of a request; and its structures. */
import { expect, test } from 'vitest';
import type { ApiOperation, Rule } from '../../../../src/gateway/spec/operation.ts';
import { amount, currency, dateTime, oneOf, text } from '../../../../src/gateway/spec/parameters/kinds.ts';
import { marketplace } from '../../../../src/gateway/spec/parameters/merchant.ts';
import { forex, overridePaymentType } from '../../../../src/gateway/spec/parameters/payment.ts';
import { pointOfSale } from '../../../../src/gateway/spec/parameters/point-of-sale.ts';
import { reporting } from '../../../../src/gateway/spec/parameters/queries.ts';
import type { Rows } from '../../../../src/gateway/spec/parameters/row.ts';
import { accountKindOf } from '../../../../src/gateway/spec/rules/accounts.ts';
import { referenceRules } from '../../../../src/gateway/spec/rules/payment.ts';
import { queryRules, reportRules } from '../../../../src/gateway/spec/rules/query.ts';
import { type SharedRule, usedStructuresOf } from '../../../../src/gateway/spec/rules/shared.ts';
import { errorsOf, sentOf } from './sent.ts';

const accepts: Rows = {
  amount: amount('Amount.', { example: '1.00' }),
  currency: currency('Currency.', { example: 'EUR' }),
  paymentType: oneOf(['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'], 'Type.', { example: 'RF' }),
  ...forex,
  ...marketplace,
  ...overridePaymentType,
  ...pointOfSale,
  merchantTransactionId: text([1, 255], 'Reference.', { example: 'till-7-000042' }),
  shortId: text([14, 14], 'Short id.', { example: '4217.0639.2850' }),
  'date.from': dateTime('From.', { example: '2026-11-20 00:00:00' }),
  'date.to': dateTime('To.', { example: '2026-11-21 23:59:59' }),
};
const operationWith = (rules: readonly SharedRule[], rows: Rows = accepts): ApiOperation => ({
  method: 'GET',
  path: '/',
  summary: '',
  accepts: rows,
  needs: [],
  rules: rules as readonly Rule[],
});
const operations = {
  reference: operationWith(referenceRules),
  v1: operationWith(queryRules('v1')),
  v3: operationWith(queryRules('v3')),
  report: operationWith(reportRules, reporting),
};

const empty = 'may not be empty';
const from = 'date.from=2026-11-20T00:00:00';
const day = (name: 'from' | 'to', value: string) => `date.${name}=${value}T00:00:00`;
const together = { merchantTransactionId: 'may not be sent together with date.from and date.to' };
const missingFrom = { 'date.from': `${empty} when date.to is sent` };
const needsTo = { 'date.to': `${empty} when date.from is sent` };
const tooLong = { 'date.to': 'must be at most 366 days after date.from' };
const wrongOrder = { 'date.to': 'must not be before date.from' };

/** T stands for the space of a date and time. */
const parametersFrom = (names: string, rows: Rows = accepts) =>
  Object.fromEntries(
    Object.entries(sentOf(rows, names)).map(([name, value]) => [name, value.replace(/(?<=\d)T(?=\d)/, ' ')]),
  );

const table: readonly (readonly [name: keyof typeof operations, names: string, errors: Record<string, string>])[] = [
  ...(['CP', 'RF', 'RB', 'RC', 'PA'] as const).flatMap((type) => [
    ['reference', `paymentType=${type}`, { amount: empty, currency: empty }] as const,
    ['reference', `paymentType=${type} amount currency`, {}] as const,
  ]),
  ...(['RV', 'CB', 'CR'] as const).map((type) => ['reference', `paymentType=${type}`, {}] as const),
  ['reference', 'paymentType=RV amount', { currency: `${empty} when amount is sent` }],
  ['reference', 'paymentType=RV currency', { amount: `${empty} when currency is sent` }],
  [
    'reference',
    'amount=1.50 currency=JPY',
    { amount: 'must have no decimals other than 00: this currency has no minor unit' },
  ],
  [
    'reference',
    'forex.amount=1.50 forex.currency=JPY',
    { 'forex.amount': 'must have no decimals other than 00: this currency has no minor unit' },
  ],
  ['reference', 'forex.amount', { 'forex.currency': `${empty} when forex.amount is sent` }],
  ['reference', 'forex.currency', { 'forex.amount': `${empty} when forex.currency is sent` }],
  ...[
    ['encryptedPin.data', 'encryptedPin.ksn'],
    ['encryptedSred.data', 'encryptedSred.ksn'],
    ['location.latitude', 'location.longitude'],
  ].flatMap(([left, right]) => [
    ['reference', `pos.${left}`, { [`pos.${right}`]: `${empty} when pos.${left} is sent` }] as const,
    ['reference', `pos.${right}`, { [`pos.${left}`]: `${empty} when pos.${right} is sent` }] as const,
    ['reference', `pos.${left} pos.${right}`, {}] as const,
  ]),
  [
    'reference',
    'amount=1.00 currency=EUR marketPlace.sellers[0].amount=1.01',
    { 'marketPlace.sellers[0].amount': 'of all sellers together may not be more than the amount' },
  ],
  [
    'reference',
    'marketPlace.sellers[0].id=a marketPlace.sellers[1].id=a',
    Object.fromEntries(
      [0, 1].map((sellerIndex) => [`marketPlace.sellers[${sellerIndex}].id`, 'may name each seller only once']),
    ),
  ],
  [
    'reference',
    'overridePaymentType[VISA]=PA',
    { 'overridePaymentType[VISA]': 'is accepted only when a checkout is created' },
  ],
  ['v1', '', { merchantTransactionId: `${empty}, unless shortId, or date.from and date.to, are sent` }],
  ['v3', '', {}],
  ...(['v1', 'v3'] as const).flatMap((version) => [
    [version, 'merchantTransactionId', {}] as const,
    [version, 'shortId', {}] as const,
    [version, 'shortId merchantTransactionId', {}] as const,
    [version, `shortId ${from} ${day('to', '2026-11-21')}`, {}] as const,
    [version, `${from} ${day('to', '2026-11-20')}`, {}] as const,
    [version, `${from} ${day('to', '2026-11-19')}`, wrongOrder] as const,
    [version, from, needsTo] as const,
    [version, day('to', '2026-11-19'), missingFrom] as const,
    [version, `merchantTransactionId ${from} ${day('to', '2026-11-21')}`, together] as const,
  ]),
  ['report', 'date.from=2026-11-20 date.to=2026-11-19', wrongOrder],
  ['report', 'date.from=2026-11-20 date.to=2026-11-20', {}],
  ['report', 'date.from=2027-03-01 date.to=2028-03-01', {}],
  ['report', 'date.from=2027-03-01 date.to=2028-03-02', tooLong],
];

test.each(table)('%s: %s', (of, body, wrong) => {
  expect(errorsOf(operations[of], parametersFrom(body, operations[of].accepts))).toEqual(wrong);
});

test.each(Object.keys(operations) as (keyof typeof operations)[])('the table above breaks every rule of %s', (of) => {
  const requests = table.filter(([operationName]) => operationName === of).map(([, body]) => parametersFrom(body));
  expect(operations[of].rules.filter(({ holds }) => requests.every((form) => holds(form)))).toEqual([]);
});

test('a malformed date is reported as such, and not compared', () => {
  expect(errorsOf(operations.v3, { 'date.from': '2026-11-21 00:00:00', 'date.to': 'yesterday' })).toEqual({
    'date.to': 'must be a date and time, yyyy-MM-dd HH:mm:ss',
  });
});

test.each([
  ['', undefined],
  ['amount customer.email', undefined],
  ['card.holder', undefined],
  ['card.number', 'card'],
  ['pos.entryMode', 'pos'],
  ['pos.entryMode card.number', 'card'],
  ['pos.entryMode card.cvv', 'pos'],
  ['virtualAccount.accountId', 'virtualAccount'],
  ['bankAccount.iban', 'bankAccount'],
  ['tokenAccount.number', 'tokenAccount'],
  ['giftCard.pin', 'giftCard'],
  ['applePay.paymentToken', 'applePay'],
  ['googlePay.source card.number', 'googlePay'],
  ['samsungPay.source card.number', 'samsungPay'],
  ['paymentBrand=PREPAYMENT', 'bankAccount'],
  ['paymentBrand=SOFORTUEBERWEISUNG', 'bankAccount'],
  ['paymentBrand=PAYPAL', undefined],
  ['paymentBrand=VISA', undefined],
])('the account of a request with %s is %s', (names, kind) => {
  expect(accountKindOf(sentOf({}, names))).toBe(kind);
});

test('structures are the first parts of the names sent', () => {
  const form = {
    amount: '1',
    'card.number': '1',
    'card.cvv': '1',
    'cart.items[0].name': 'x',
    '.x': '1',
    'pos.a': undefined,
  };
  expect([...usedStructuresOf(form)]).toEqual(['card', 'cart']);
  expect(usedStructuresOf(form)).toBe(usedStructuresOf(form));
  expect([...usedStructuresOf({ 'card.number': '1', 'pos.entryMode': 'x', 'card.cvv': '1' })]).toEqual(['card', 'pos']);
});
