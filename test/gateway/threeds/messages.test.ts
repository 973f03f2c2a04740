/** The authentication request field by field, encoded messages, and which payments are authenticated. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import { luhnIsValid } from '../../../src/emv/luhn.ts';
import { createFormatTest } from '../../../src/gateway/spec/parameters/formats.ts';
import { threeDSecure } from '../../../src/gateway/spec/parameters/three-d-secure.ts';
import { authenticationRequest } from '../../../src/gateway/threeds/authentication-request.ts';
import {
  type AuthenticationRequest,
  decodeMessage,
  encodeMessage,
  transactionId,
} from '../../../src/gateway/threeds/messages.ts';
import { type CardRequest, planOf } from '../../../src/gateway/threeds/plan.ts';
import { eciOf, schemeOf, schemes } from '../../../src/gateway/threeds/schemes.ts';
import { threeDSecureShape } from '../../../src/gateway/threeds/settings.ts';
import { simulatedCards } from '../../../src/gateway/threeds/simulated-cards.ts';
import type { Parameters } from '../../support/gateway/gateway.ts';
import { browser } from './secured-shop.ts';

const request = (parameters: Parameters = {}, extra: Partial<CardRequest> = {}): CardRequest => ({
  id: 'a'.repeat(32),
  paymentType: 'DB',
  amount: money(2_500n, 'EUR'),
  account: 'card',
  card: { number: '4200000000000018', expiryMonth: '05', expiryYear: '2034', cvv: '739', holder: 'Jane Jones' },
  parameters: { entityId: 'b'.repeat(32), shopperResultUrl: 'https://merchant.test/', ...browser, ...parameters },
  customParameters: {},
  at: Date.UTC(2026, 10, 21, 10, 15, 0),
  ...extra,
});

/** The message as sent. */
const message = (parameters: Parameters = {}, extra: { version?: string } = {}): AuthenticationRequest =>
  JSON.parse(
    JSON.stringify(
      authenticationRequest({
        request: request(parameters),
        scheme: 'visa',
        version: '2.2.0',
        threeDSServerTransID: '8a5b7d20-1e0f-4b62-a4de-5d2f0c3b9e77',
        deviceChannel: '02',
        merchantName: 'Corner Shop',
        methodDone: 'Y',
        notificationUrl: 'https://gateway.test/n',
        resultsUrl: 'https://gateway.test/r',
        browser: {},
        ...extra,
      }),
    ),
  );

test('a payment in a browser has its fields, and no security code', () => {
  const areq = message({ 'customer.email': 'jane@merchant.test', 'customer.mobile': '+43 664 1234567' });
  expect(areq).toMatchObject({
    messageType: 'AReq',
    messageVersion: '2.2.0',
    deviceChannel: '02',
    messageCategory: '01',
    acctNumber: '4200000000000018',
    cardExpiryDate: '3405',
    cardholderName: 'Jane Jones',
    threeDSCompInd: 'Y',
    threeDSRequestorAuthenticationInd: '01',
    purchaseAmount: '2500',
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: '20261121101500',
    browserTZ: '-60',
    browserJavaEnabled: false,
    email: 'jane@merchant.test',
    mobilePhone: { cc: '43', subscriber: '6641234567' },
    billAddrCountry: 'AT',
  });
  expect(JSON.stringify(areq)).not.toContain('739');
});

test.each([
  [{ 'threeDSecure.amount': '7.00', 'risk.amount': '9.00' }, '700'],
  [{ 'risk.amount': '9.00' }, '900'],
  [{}, '2500'],
])('the amount of %o is %s', (parameters, amount) => {
  expect(message(parameters)['purchaseAmount']).toBe(amount);
});

test('an authentication without a payment has no purchase', () => {
  const areq = message({ 'threeDSecure.npa': 'true' });
  expect(areq.messageCategory).toBe('02');
  expect(Object.keys(areq).filter((name) => name.startsWith('purchase'))).toEqual([]);
});

test('installments and recurring payments have their frequency and end', () => {
  const series = { 'standingInstruction.type': 'INSTALLMENT', 'standingInstruction.numberOfInstallments': '12' };
  const extra = { 'standingInstruction.expiry': '2028-11-21', 'standingInstruction.frequency': '28' };
  expect(message({ ...series, ...extra })).toMatchObject({
    threeDSRequestorAuthenticationInd: '03',
    purchaseInstalData: '012',
    recurringExpiry: '20281121',
    recurringFrequency: '28',
  });
});

test('an older directory server gets no unknown fields', () => {
  const preferences = { 'threeDSecure.challengeIndicator': '05', 'threeDSecure.decoupled': 'true' };
  expect(message(preferences)).toMatchObject({ threeDSRequestorChallengeInd: '05', threeDSRequestorDecReqInd: 'Y' });
  const olderMessage = message(preferences, { version: '2.1.0' });
  expect(olderMessage).toMatchObject({ threeDSRequestorChallengeInd: '02' });
  expect(olderMessage).not.toHaveProperty('threeDSRequestorDecReqInd');
});

test('an encoded message is decoded unchanged, and anything else is undefined', () => {
  expect(decodeMessage(encodeMessage({ a: 'ä', b: 1 }))).toEqual({ a: 'ä' });
  expect(decodeMessage(`${encodeMessage({ a: 'x' })}==`)).toEqual({ a: 'x' });
  for (const text of [null, '', '{}', 'a b', encodeMessage([]), 'AAAA', 'x'.repeat(5000)])
    expect(decodeMessage(text)).toBeUndefined();
  expect(transactionId((length) => new Uint8Array(length).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
});

test('low values request their exemption, and the merchant’s own indicator takes precedence', () => {
  const plan = planOf(request({}, { amount: money(3_000n, 'EUR') }), { enabled: true, exemptUpTo: '30.00' });
  expect(plan).toMatchObject({ request: { parameters: { 'threeDSecure.exemptionFlag': '01' } } });
  const planAboveLimit = planOf(request({}, { amount: money(3_001n, 'EUR') }), { enabled: true, exemptUpTo: '30.00' });
  expect(planAboveLimit).not.toHaveProperty(['request', 'parameters', 'threeDSecure.exemptionFlag']);
  const ownPlan = planOf(request({ 'threeDSecure.challengeIndicator': '04' }), { enabled: true, exemptUpTo: '30.00' });
  expect(ownPlan).toMatchObject({ request: { parameters: { 'threeDSecure.challengeIndicator': '04' } } });
  expect(planOf(request(), { enabled: true, schemes: ['mastercard'] })).toEqual({ kind: 'none' });
  expect(planOf(request(), { enabled: false })).toEqual({ kind: 'none' });
  expect(planOf(request(), undefined)).toEqual({ kind: 'none' });
});

test('each scheme has its own indicators', () => {
  const all = Object.keys(schemes) as (keyof typeof schemes)[];
  expect(all.map((scheme) => ['Y', 'A', 'I'].map((status) => eciOf(scheme, status)).join(' '))).toEqual([
    '05 06 07',
    '02 01 00',
    '05 06 07',
    '05 06 07',
    '05 06 07',
    '05 06 07',
    '02 01 00',
  ]);
  expect(schemeOf({ number: '4200000000000000', paymentBrand: 'CARTEBLEUE' })).toBe('cartebancaire');
  expect(schemeOf({ number: '9999999999999995' })).toBeUndefined();
});

test('every test card is valid, and is listed once in the table and in the document', () => {
  const page = readFileSync('docs/test-cards.md', 'utf8');
  const numbers = simulatedCards.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.filter((number) => !luhnIsValid(number))).toEqual([]);
  expect(numbers.filter((number) => !page.includes(`| ${number} |`))).toEqual([]);
});

test('reports impossible settings', () => {
  expect(threeDSecureShape.safeParse({ enabled: true, schemes: ['visa'], exemptUpTo: '30.00' }).success).toBe(true);
  for (const wrong of [{}, { enabled: 'yes' }, { enabled: true, schemes: [] }, { enabled: true, exemptUpTo: '30' }]) {
    expect(threeDSecureShape.safeParse(wrong).success).toBe(false);
  }
});

test.each(['DELAYED_SHIPMENT', '_DELAYED_SHIPMENT'])('%s is sent to the issuer as 81', (deliveryValue) => {
  const areq = message({ 'threeDSecure.authenticationInd': deliveryValue });
  expect(areq['threeDSRequestorAuthenticationInd']).toBe('81');
  const row = threeDSecure['threeDSecure.authenticationInd'];
  expect(createFormatTest(row)(deliveryValue)).toBe(true);
});
