/**
 * Spec 2.2 to 2.4, 2.27, 2.30 and 2.31, request rows: the payment, the sender of the request, and parameters for any
 * payment.
 */
import {
  amount,
  amt,
  an,
  chars,
  conditional,
  currency,
  dateTime,
  echoed,
  flag,
  freeKey,
  oneOf,
  regex,
  required,
  text,
  url,
} from './kinds.ts';
import { section } from './row.ts';

export const payment = section('', {
  amount: amount('The processed amount; all others are parts of it.', required('12.50')),
  taxAmount: amount('Tax included in the amount.', { example: '2.50', req: 'C', echo: true }),
  discountAmount: amount('Discount on the whole invoice.', echoed('1.00')),
  currency: currency('The currency of the amount.', required('EUR')),
  paymentBrand: chars('alphanumericUnderscore', [1, 32], 'The brand of the card or other payment method.', {
    example: 'VISA',
    req: 'C',
  }),
  paymentType: regex(
    /^[A-Z0-9]{2}(\.[A-Z0-9]{2})?$/,
    { mustBe: 'a payment type of 2 letters', good: ['DB', 'PA.CP', '3D'], bad: ['D', 'DBX', 'db', 'PA.', 'PA.CPX'] },
    'The operation.',
    required('DB'),
  ),
  integrity: flag('Whether the answer carries the hash of the payment script.', 'true'),
  descriptor: text([1, 127], 'The merchant line of the statement.', 'Corner Shop'),
  merchantTransactionId: text([8, 255], 'The merchant’s own reference.', {
    example: 'till-7-000042',
    req: 'C',
    echo: true,
    lenient: 'short',
  }),
  merchantInvoiceId: text([8, 255], 'Invoice number; not passed on.', echoed('INV-2026-0042')),
  merchantMemo: text([8, 255], 'A note that appears in reports only.', 'table 12, window'),
  transactionCategory: an([1, 32], 'Kind of sale, such as EC, MO, TO, PO or PM.', echoed('PO')),
  sequence: oneOf(['FINAL'], 'Marks the last capture, reversal or refund.', echoed('FINAL')),
  numberOfCaptures: regex(
    /^0?[1-9]$|^[1-8][0-9]$|^9[0-8]$/,
    { mustBe: 'a number from 1 to 98', good: ['1', '01', '98'], bad: ['0', '00', '99', '100', '1.0', '-1', 'x'] },
    'Most partial captures.',
    echoed('3'),
  ),
  promotionCode: an([1, 15], 'One code for the order.', echoed('SUMMER26')),
  locale: text([1, 10], 'Language and region.', echoed('de-AT')),
  transactionLinkId: text([1, 35], 'Links to the original of the card network.', echoed('MCC-2026-11-21-0000042')),
  transactionPurposeCode: text([1, 12], 'Purpose of a funding or payout.', echoed('FAMILY')),
  integrationType: text([1, 10], 'How the merchant is integrated.', echoed('POS')),
  transactionBai: text([1, 2], 'Business application of a push transfer.', echoed('AA')),
  transactionTti: text([1, 3], 'Transaction type of a send transaction.', echoed('C07')),
  transactionProcessingCode: oneOf(
    ['PURCHASE', 'FUNDING', 'PAYMENT'],
    'The purpose of the money; PURCHASE if absent.',
    echoed('PURCHASE'),
  ),
  testMode: oneOf(['EXTERNAL', 'INTERNAL'], 'The processor’s test system, or the simulators (default).', {
    example: 'INTERNAL',
    echo: true,
  }),
});

/** Accepted only when a checkout is created: a separate payment type for a brand. */
export const overridePaymentType = section('', {
  'overridePaymentType[key]': regex(
    /^[A-Z0-9]{2}$/,
    { mustBe: 'a payment type of 2 letters', good: ['PA', '3D'], bad: ['P', 'PAX', 'pa'] },
    'Payment type by brand.',
    {
      example: 'PA',
      key: { pattern: /^[A-Za-z0-9_]{1,32}$/, mustBe: 'a brand of up to 32 letters, digits or underscores' },
    },
  ),
});

/** Spec 2.3: a currency conversion that accompanies the payment. Returned; the moved amount is `amount`. */
export const forex = section('forex', {
  amount: amount('The amount in the other currency.', { example: '13.70', req: 'C', echo: true }),
  currency: currency('The other currency.', { example: 'USD', req: 'C', echo: true }),
});

const VALUE_MAX = 2048;

/** Spec 2.30: the merchant's free names and values, returned in the answer. */
export const customParameters = section('', {
  'customParameters[key]': text([1, VALUE_MAX], 'A free name and its value, echoed.', {
    example: 'true',
    req: 'C',
    secret: 'personal',
    echo: true,
    key: freeKey,
  }),
});

const BOUNDS: readonly [number, number] = [6, 2048];

/** Spec 2.31, request rows: the shopper's return address. Such addresses often contain a session of the shop. */
export const asynchronous = section('', {
  shopperResultUrl: url(BOUNDS, 'Where the shopper returns to; a page or an app.', {
    of: 'any',
    secret: 'personal',
    example: 'https://shop.example.com/paid',
    req: 'C',
  }),
  notificationUrl: url(BOUNDS, 'Deprecated: use webhooks instead.', {
    of: 'web',
    secret: 'personal',
    example: 'https://shop.example.com/notify',
  }),
});

/** Spec 2.27: data for the risk checks beyond the payment. */
export const risk = section('risk', {
  channelId: text([1, 255], 'Risk channel for this request.', echoed('000000000042')),
  serviceId: text([1, 255], 'The screening service.', echoed('S')),
  amount: amt('The amount for risk checks and 3D Secure.', echoed('12.50')),
  orderTimestamp: dateTime('The time of the order; now if absent.', echoed('2026-11-21 10:55:00')),
  brand: text([1, 255], 'Brand for risk checks; paymentBrand if absent.', echoed('VISA')),
  'parameters[key]': text([1, 2048], 'Free names and values for the risk checks.', {
    secret: 'personal',
    example: 'regular',
    echo: true,
    key: freeKey,
  }),
  merchantWebsite: text([1, 60], 'Website of the merchant.', echoed('shop.example.com')),
  accountToken: text([1, 64], 'Token of the account.', { secret: 'account', example: 'a9f1c8e2d4b74f0d' }),
});

// Spec 2.4: the sender of the request. The token itself is in the Authorization header.

export const authentication = section('', {
  entityId: regex(
    /^[0-9a-f]{32}$/,
    {
      mustBe: '32 lower-case hexadecimal digits',
      good: ['8a8294174e735d0c014e78beb6b9154b'],
      bad: [
        '8A8294174E735D0C014E78BEB6B9154B',
        '8a8294174e735d0c014e78beb6b9154',
        '8a8294174e735d0c014e78beb6b9154b0',
        'x',
      ],
    },
    'The channel of the request.',
    conditional('8a8294174e735d0c014e78beb6b9154b'),
  ),
});

/** Other names that existing clients send for the same parameter, mapped to its name here. */
export const aliases: ReadonlyMap<string, string> = new Map([['authentication.entityId', 'entityId']]);
