/** The requests of omnipay-oppwa, omnipay-hyperpay, php-oppwa, catalystpay-php-sdk and laravel-hyperpay (PHP). */
import type { Step } from '../dialect.ts';
import { amount, approval, approvedCode, envelope, id, visa } from './answers.ts';

/** A status request without credentials is refused; with credentials in the address it is answered. */
const unsignedStatus: readonly Step[] = [
  {
    title: 'create a checkout',
    line: 'POST /v1/checkouts',
    parameters: { amount: '10.00', currency: 'ZAR', paymentType: 'DB' },
    stores: 'checkout',
    status: 200,
    fields: { 'result.code': /^000\.200\.100$/ },
  },
  {
    title: 'its status, as the client asks',
    line: 'GET /v1/checkouts/{checkout}/payment',
    unsigned: true,
    status: 401,
    fields: { 'result.code': /^800\.900\.300$/ },
  },
  {
    title: 'its status, with credentials',
    line: 'GET /v1/checkouts/{checkout}/payment',
    status: 200,
    fields: { 'result.code': /^000\.200\.000$/ },
  },
];

/** php-oppwa: whole amounts in rand, a flag as 1. */
export const phpOppwa: readonly Step[] = [
  ...unsignedStatus,
  {
    title: 'pay',
    line: 'POST /v1/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa },
    status: 200,
    fields: { ...approval, amount: amount('10.00') },
  },
  {
    title: 'pay and register',
    line: 'POST /v1/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa, createRegistration: '1' },
    status: 200,
    stores: 'stored=registrationId',
    fields: { ...approval, registrationId: id, 'card.last4Digits': /^0000$/ },
  },
  {
    title: 'pay by registration',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB' },
    status: 200,
    fields: approval,
  },
  {
    title: 'register',
    line: 'POST /v1/registrations',
    parameters: visa,
    status: 200,
    fields: { ...approval, 'card.last4Digits': /^0000$/ },
  },
];

/** omnipay-oppwa: success is a status below 400; it sends neither brand nor holder. */
export const omnipay: readonly Step[] = [
  {
    title: 'authorize',
    line: 'POST /v1/payments',
    parameters: {
      amount: '12.50',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      merchantTransactionId: 'omnipay-000042',
    },
    stores: 'held',
    status: 200,
    fields: { ...approval, merchantTransactionId: /^omnipay-000042$/, redirect: null },
  },
  {
    title: 'capture',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'CP' },
    stores: 'taken',
    status: 200,
    fields: approval,
  },
  {
    title: 'refund',
    line: 'POST /v1/payments/{taken}',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    fields: approval,
  },
  { title: 'fetch', line: 'GET /v1/payments/{taken}', status: 200, fields: approval },
  {
    title: 'declined',
    line: 'POST /v1/payments',
    parameters: { amount: '8000.51', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    fields: { 'result.code': /^800\.100\./, 'result.description': /./ },
  },
];

/** When the shop knows something about its customer but not the name. */
export const omnipayCustomer: readonly Step[] = [
  {
    title: 'purchase',
    line: 'POST /v1/payments',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'DB', ...visa, 'customer.ip': '203.0.113.7' },
    status: 200,
    fields: approval,
  },
];

/** The operator's samples of payments and of the checkout. */
export const samples: readonly Step[] = [...unsignedStatus, ...omnipay.slice(0, 4)];

export const hyperpay: readonly Step[] = [
  {
    title: 'create card',
    line: 'POST /v1/registrations',
    parameters: visa,
    stores: 'stored',
    status: 200,
    fields: { id, 'result.code': approvedCode },
  },
  {
    title: 'purchase without a brand',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: {
      amount: '7.00',
      currency: 'SAR',
      paymentType: 'DB',
      merchantTransactionId: 'ampeco-00042',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
    },
    status: 200,
    fields: { ...approval, amount: amount('7.00') },
  },
  {
    title: 'authorize',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'PA', merchantTransactionId: 'ampeco-00043' },
    stores: 'held',
    status: 200,
    fields: approval,
  },
  {
    title: 'capture under the same reference',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'CP', merchantTransactionId: 'ampeco-00043' },
    stores: 'taken',
    status: 200,
    fields: { ...approval, referencedId: id },
  },
  {
    title: 'a redirect',
    line: 'POST /v1/payments',
    parameters: {
      amount: '7.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'SOFORTUEBERWEISUNG',
      shopperResultUrl: 'https://shop.example.com/back',
    },
    status: 200,
    fields: { 'result.code': /^000\.200/, 'redirect.url': /^http/, 'redirect.parameters': 'array' },
  },
  {
    title: 'delete card',
    line: 'DELETE /v1/registrations/{stored}',
    status: 200,
    fields: { id, 'result.code': approvedCode },
  },
  {
    title: 'charge what is deleted',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'DB' },
    status: 400,
    fields: { 'result.code': /^100\.150\.20[03]$/ },
  },
];

export const catalystpay: readonly Step[] = [
  {
    title: 'pay',
    line: 'POST /v1/payments',
    parameters: { amount: '92', currency: 'EUR', paymentType: 'DB', ...visa, merchantTransactionId: 'catalyst-0001' },
    stores: 'bought',
    status: 200,
    fields: { ...approval, amount: amount('92.00') },
  },
  {
    title: 'refund',
    line: 'POST /v1/payments/{bought}',
    parameters: { paymentType: 'RF', amount: '10.00', currency: 'EUR' },
    status: 200,
    fields: approval,
  },
  {
    title: 'rebill',
    line: 'POST /v1/payments/{bought}',
    parameters: { paymentType: 'RB', amount: '10.00', currency: 'EUR' },
    status: 200,
    fields: approval,
  },
  {
    title: 'credit alone',
    line: 'POST /v1/payments',
    parameters: { amount: '10.00', currency: 'EUR', paymentType: 'CD', ...visa },
    status: 200,
    fields: approval,
  },
  {
    title: 'transaction by id',
    line: 'GET /v3/query/{bought}',
    parameters: { includeLinkedTransactions: 'true', paymentTypes: 'DB,3D' },
    status: 200,
    fields: { 'result.code': approvedCode, records: 'array', payments: 'array' },
  },
  {
    title: 'by reference',
    line: 'GET /v3/query',
    parameters: { merchantTransactionId: 'catalyst-0001' },
    status: 200,
    fields: { 'result.code': approvedCode, 'records.0.id': id },
  },
  {
    title: 'page by page',
    line: 'GET /v3/query',
    parameters: { 'date.from': '2020-01-01 00:00:00', 'date.to': '2099-01-01 01:00:00', pageNo: '1' },
    status: 200,
    fields: { 'result.code': approvedCode, records: 'array' },
  },
];

export const laravel: readonly Step[] = [
  {
    title: 'register',
    line: 'POST /v1/registrations',
    parameters: {
      ...visa,
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'CIT',
    },
    stores: 'stored',
    status: 200,
    fields: { ...approval, ...envelope },
  },
  {
    title: 'charge it as a merchant',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: {
      amount: '92.00',
      currency: 'SAR',
      paymentType: 'DB',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'MIT',
    },
    status: 200,
    fields: approval,
  },
  {
    title: 'extend its life',
    line: 'POST /v1/registrations/{stored}/extendlife',
    status: 200,
    fields: { 'result.code': approvedCode },
  },
  {
    title: 'delete it',
    line: 'DELETE /v1/registrations/{stored}',
    status: 200,
    fields: { 'result.code': approvedCode },
  },
];
