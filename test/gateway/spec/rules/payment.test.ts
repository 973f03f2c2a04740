/** Rules between the parameters of payments and registrations: what breaks each, its message, and the correction. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTypes } from '../../../../src/gateway/payments/pay.ts';
import type { ApiOperation, Rule } from '../../../../src/gateway/spec/operation.ts';
import { accountRows, paymentRows } from '../../../../src/gateway/spec/rules/accepts.ts';
import { accountKindOf } from '../../../../src/gateway/spec/rules/accounts.ts';
import { paymentRules, referenceRules, type Where } from '../../../../src/gateway/spec/rules/payment.ts';
import { queryRules, reportRules } from '../../../../src/gateway/spec/rules/query.ts';
import {
  authenticating,
  bank,
  card,
  decrypted,
  gift,
  lenient,
  network,
  paypal,
  pos,
  structures,
  table,
} from './payment-cases.ts';
import { errorsOf, errorsWithSecure, sentOf } from './sent.ts';

const accepts = { ...paymentRows, ...accountRows, paymentType: startTypes };
const places: readonly Where[] = ['payment', 'registration', 'onRegistration', 'checkout'];
const operation = (place: Where): ApiOperation => ({
  method: 'POST',
  path: '/',
  summary: '',
  accepts,
  needs: [],
  rules: paymentRules(place) as readonly Rule[],
});
const operationsByPlace = Object.fromEntries(places.map((place) => [place, operation(place)])) as Record<
  Where,
  ApiOperation
>;

const withAccount = (place: Where, body: string): string => (place === 'payment' ? `${card} ${body}` : body);

const parametersFrom = (names: string) =>
  Object.fromEntries(Object.entries(sentOf(accepts, names)).filter(([, value]) => value !== ''));

test.each(places.flatMap((place) => table[place].map((row) => [place, ...row] as const)))(
  '%s: %s',
  (place, body, wrong, fix) => {
    expect(errorsOf(operationsByPlace[place], parametersFrom(body))).toEqual(wrong);
    expect(errorsOf(operationsByPlace[place], parametersFrom(`${body} ${fix}`))).toEqual({});
  },
);

const securedPlaces = places.filter((place) => place !== 'registration');

test.each(
  securedPlaces.flatMap((place) =>
    authenticating.map(([body, ...row]) => [place, withAccount(place, body), ...row] as const),
  ),
)('%s, where cardholders are authenticated: %s', (place, body, wrong, fix) => {
  expect(errorsWithSecure(operationsByPlace[place], parametersFrom(body))).toEqual(wrong);
  expect(errorsWithSecure(operationsByPlace[place], parametersFrom(`${body} ${fix}`))).toEqual({});
  expect(errorsOf(operationsByPlace[place], parametersFrom(body))).toEqual({});
});

const pairs = structures.flatMap(([other, ofOther, name], index) =>
  structures.slice(0, index).map(([firstKind, ofOne]) => [firstKind, other, `${ofOne} ${ofOther}`, name] as const),
);

const cards = ['card', 'pos', 'tokenAccount', 'applePay', 'googlePay', 'samsungPay'];
/** A number typed at a terminal; a gift card beside the card that pays. */
const areCompatible = ([firstKind, other]: readonly string[]): boolean =>
  `${firstKind} ${other}` === 'card pos' ||
  (firstKind === 'giftCard' && cards.includes(other ?? '')) ||
  (other === 'giftCard' && cards.includes(firstKind ?? ''));

test.each(pairs.filter((pair) => !areCompatible(pair)))(
  '%s and %s exclude each other',
  (firstKind, other, sent, name) => {
    const text = `${other} properties may not be sent together with ${firstKind} properties`;
    expect(errorsOf(operationsByPlace.payment, parametersFrom(sent))[name]).toBe(text);
    expect(errorsOf(operationsByPlace.registration, parametersFrom(sent))[name]).toBe(text);
  },
);

test.each(cards.flatMap((kind) => structures.filter(([each]) => each === kind)))(
  'a gift card beside %s is information, unless its brand is the one that pays',
  (kind, body, name) => {
    const facts = 'giftCard.number giftCard.pin giftCard.holder giftCard.message giftCard.type';
    expect(errorsOf(operationsByPlace.payment, parametersFrom(`${body} ${facts}`))).toEqual({});
    expect(accountKindOf(parametersFrom(`${body} ${facts}`))).toBe(kind);
    const wrong = errorsOf(operationsByPlace.payment, parametersFrom(`${body} ${facts} paymentBrand=GIFTCARD`));
    expect(wrong).toHaveProperty([kind.endsWith('Pay') ? name : 'giftCard.number']);
  },
);

test.each([
  card,
  `${card} card.cvv card.holder paymentBrand=VISA`,
  pos,
  `${pos} pos.entryMode=ICC pos.encryptedSred.data= pos.encryptedSred.ksn= pos.iccDataRequest`,
  `pos.entryMode=MANUAL pos.terminalId ${card}`,
  `${pos} card.holder`,
  `${pos} card.cvv`,
  `${pos} ${card} paymentBrand=MAESTRO`,
  bank,
  paypal,
  gift,
  network,
  `${network} paymentBrand=MASTER`,
  'applePay.paymentToken card.holder',
  'googlePay.paymentToken paymentBrand=VISA',
  `samsungPay.source ${decrypted}`,
  `applePay.source ${decrypted} card.cvv paymentBrand=APPLEPAY`,
  'paymentBrand=PREPAYMENT',
  'paymentBrand=SOFORTUEBERWEISUNG bankAccount.country shopperResultUrl',
  'paymentBrand=SOFORTUEBERWEISUNG shopperResultUrl',
  'paymentBrand=DIRECTDEBIT_SEPA bankAccount.holder bankAccount.number bankAccount.iban',
  `${card} shipping.customer.email`,
  `${card} billing.street1=12 billing.street2=b`,
  `${card} standingInstruction.mode=REPEATED standingInstruction.source=CIT`,
  `${card} standingInstruction.mode=INITIAL standingInstruction.source=MIT`,
  `${card} standingInstruction.type=INSTALLMENT`,
  `${card} threeDSecure.deviceInfo`,
  `${card} amount=1.00 currency=JPY`,
  `${card} amount=1.50 currency=EUR`,
])('a payment by %s is valid', (body) => {
  expect(errorsOf(operationsByPlace.payment, parametersFrom(body))).toEqual({});
});

test.each([
  '',
  'card.cvv',
  'card.holder',
  'bankAccount.holder',
  'standingInstruction.mode=REPEATED standingInstruction.source=MIT',
])('a stored account needs no other account: %s', (body) => {
  expect(errorsOf(operationsByPlace.onRegistration, parametersFrom(body))).toEqual({});
});

test('a malformed value is reported as such, and breaks no rule', () => {
  expect(errorsOf(operationsByPlace.payment, parametersFrom(`${card} amount=1.5 currency=JPY`))).toEqual({
    amount: 'must be up to 10 digits, then optionally a dot and 2 decimals',
  });
});

test('format errors and broken rules are reported together', () => {
  expect(
    Object.keys(errorsOf(operationsByPlace.payment, parametersFrom('card.number=x virtualAccount.accountId amount=x'))),
  ).toEqual(expect.arrayContaining(['card.number', 'amount', 'card.expiryMonth', 'virtualAccount.accountId']));
});

test.each(lenient)('%s, on a lenient channel', (body, name, text) => {
  expect(errorsOf(operationsByPlace.payment, parametersFrom(body), 'lenient')).toEqual({ [name]: text });
});

test.each(places)('every rule of %s has a request that breaks it', (place) => {
  const requests = [
    ...table[place],
    ...pairs.map(([, , sent]) => [`${sent} paymentBrand=GIFTCARD`] as const),
    ...lenient,
    ...authenticating.map(([body]) => [withAccount(place, body)] as const),
  ].map(([body]) => parametersFrom(body));
  const unbrokenRules = operationsByPlace[place].rules.filter(({ holds }) => requests.every((form) => holds(form)));
  expect(unbrokenRules.map(({ name, message }) => `${name} ${message}`)).toEqual([]);
});

test.each(places)('every rule of %s names a parameter that payments accept', (place) => {
  expect(operationsByPlace[place].rules.filter(({ name }) => !Object.hasOwn(accepts, name))).toEqual([]);
});

test('no rule throws, whatever is sent', () => {
  const rules: readonly Rule[] = [
    ...places.flatMap((place) => paymentRules(place)),
    ...queryRules('v1'),
    ...queryRules('v3'),
    ...referenceRules,
    ...reportRules,
  ];
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(accepts), 'date.from', 'date.to', 'shortId', '.', '[', 'card.'),
    fc.string(),
  );
  const value = fc.oneof(
    fc.constantFrom('EUR', 'JPY', '1.50', 'PAYPAL', 'APPLEPAY', '__proto__', 'MIT'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 12 }), (form) => {
      for (const { holds } of rules) expect(typeof holds({ ...form })).toBe('boolean');
    }),
    { numRuns: 60 },
  );
});
