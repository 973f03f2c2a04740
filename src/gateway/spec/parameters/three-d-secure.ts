/** Spec 2.29: 3-D Secure, requested from this gateway or performed elsewhere. */
import { chars, count, currency, echoed, flag, n, oneOf, regex, text } from './kinds.ts';
import { section } from './row.ts';

/** EMV 3-D Secure: sdkEncData has up to 64000 characters. */
const DEVICE_INFO: readonly [number, number] = [1, 64_000];
const NAME: readonly [number, number] = [1, 100];

/** threeDSRequestorAuthenticationInd by the values of spec 2.29; 80 and higher are the schemes' own. */
export const authenticationIndicators: Readonly<Record<string, string>> = {
  PAYMENT: '01',
  RECURRING: '02',
  INSTALLMENT: '03',
  ADD_CARD: '04',
  MAINTAIN_CARD: '05',
  EMV_ID: '06',
  BILLING_AGREEMENT: '07',
  SPLIT_SHIPMENT: '80',
  DELAYED_SHIPMENT: '81',
  _DELAYED_SHIPMENT: '81',
  SPLIT_PAYMENT: '82',
};

/** Two digits, from 01 up to `last`. */
const codes = (last: number, text: string, { req = 'O' }: { req?: 'C' | 'O' } = {}) =>
  regex(
    new RegExp(`^0[1-${last}]$`),
    {
      mustBe: `01 to 0${last}`,
      good: ['01', `0${last}`],
      bad: ['00', `0${last + 1}`.slice(-2), '1', '001', '10', '0x'],
    },
    text,
    { example: '02', req, echo: true },
  );

const authentication = {
  amount: regex(
    /^[0-9]{1,9}\.[0-9]{2}$/,
    {
      mustBe: 'up to 9 digits, a dot and 2 decimals',
      good: ['0.01', '999999999.99'],
      bad: ['1', '1000000000.00', '1.5', '.50', '1.500', '1,50', '-1.00'],
    },
    'Amount of the authentication.',
    echoed('12.50'),
  ),
  currency: currency('Its currency.', echoed('EUR')),
  deviceInfo: text(DEVICE_INFO, 'Encrypted device data of the mobile SDK.', {
    secret: 'personal',
    example: 'eyJlbmMiOiJBMTI4R0NNIiwiYWxnIjoiRUNESC1FUyJ9',
    req: 'C',
  }),
  'merchant.name': text([1, 100], 'The merchant, as the directory server knows it.', echoed('Corner Shop')),
  'merchant.url': text([1, 2048], 'The merchant’s website.', echoed('https://shop.example.com')),
  'merchant.country': chars('latin', [3, 3], 'Its country.', echoed('AUT')),
  // "N2, 1-99"
  channel: count(2, 'Marks a request initiated by the merchant (3RI).', echoed('3')),
  npa: flag('Whether no payment follows.', echoed('false')),
  decoupled: flag('Whether the issuer may ask the cardholder elsewhere.', echoed('false')),
  threeRIInd: oneOf(['RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'], 'The merchant’s reason for the request.', {
    example: 'RECURRING',
    echo: true,
  }),
  // The spec writes one of them with a leading underscore, which is accepted too.
  authenticationInd: oneOf(
    Object.keys(authenticationIndicators) as [string, ...string[]],
    'The purpose of the authentication.',
    {
      example: 'PAYMENT',
      echo: true,
    },
  ),
};

/** The requestor's identification at a scheme. */
const scheme = <const S extends string>(name: S) =>
  section(`v2.${name}`, {
    requestorId: text(NAME, 'Requestor’s id at the scheme.', echoed('10060001')),
    requestorName: text(NAME, 'Requestor’s name at the scheme.', echoed('Corner Shop')),
  });

const schemes = {
  ...scheme('visa'),
  ...scheme('mastercard'),
  ...scheme('amex'),
  ...scheme('diners'),
  ...scheme('jcb'),
  ...scheme('cartebancaire'),
};

const transactionId = (message: string, example: string) => text([36, 36], message, { example, echo: true });

/** The result of an authentication performed elsewhere. */
const proof = {
  eci: codes(8, 'Electronic commerce indicator.', { req: 'C' }),
  verificationId: text([28, 28], 'CAVV or AAV.', {
    secret: 'personal',
    example: 'jKl8CBIAAAAAAAAAAAAAAAAAAAA=',
    req: 'C',
    echo: true,
  }),
  authenticationStatus: oneOf(['Y', 'A', 'U', 'N'], 'How it ended.', { example: 'Y', req: 'C', echo: true }),
  dsTransactionId: transactionId(
    'The directory server’s id of the authentication.',
    '4f9a2c1e-7c1b-4a0e-9d8e-0c9b1c7e2f31',
  ),
  acsTransactionId: transactionId('The issuer’s id of the authentication.', '8a5b7d20-1e0f-4b62-a4de-5d2f0c3b9e77'),
  challengeMandatedIndicator: oneOf(['Y', 'N'], 'Whether a challenge was required.', echoed('N')),
  version: regex(
    /^[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}$/,
    {
      mustBe: 'a version such as 2.1.0 or 2.2.0',
      good: ['1.0.2', '2.1.0', '2.2.0', '2.3.1.1', '2.1'],
      bad: ['2', '2.', '2..0', 'v2.1.0', '2.1.0.0.0', '2.100.0', '2,1,0'],
    },
    'The protocol version.',
    echoed('2.2.0'),
  ),
  authType: codes(4, 'Kind of authentication.'),
  transactionStatusReason: n([1, 2], 'The reason for the status.', echoed('01')),
};

/** Exemptions; sent with the authentication and with the payment. */
const exemptions = {
  // Test systems also receive a single digit.
  challengeIndicator: regex(
    /^0?[1-9]$/,
    { mustBe: '01 to 09', good: ['01', '09', '4'], bad: ['00', '10', '001', '0', '0x'] },
    'The challenge that the merchant requests.',
    echoed('02'),
  ),
  exemptionFlag: codes(4, 'The exemption that the merchant requests.'),
};

const cartesBancaires = {
  'schemeData[CB-ITEMSNB]': n([1, 2], 'How many items.', { example: '2', req: 'C', echo: true }),
  'schemeData[CB-SCORE_MERCHANT]': text([1, 20], 'The merchant’s score.', { example: '85', req: 'C', echo: true }),
  'schemeData[CB-USECASE]': n([1, 2], 'The use case.', { example: '01', req: 'C', echo: true }),
};

export const threeDSecure = section('threeDSecure', {
  ...authentication,
  ...schemes,
  ...proof,
  ...exemptions,
  ...cartesBancaires,
});
