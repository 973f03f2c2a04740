/** The requests of omnipay-oppwa, omnipay-hyperpay, php-oppwa, catalystpay-php-sdk and laravel-hyperpay (PHP). */
import type { Step } from '../dialect.ts';
import { amount, approvedAnswer, approvedCode, envelope, id, visa } from './answers.ts';

/** A status request without credentials is refused; with credentials in the address it is answered. */
const unsignedStatus: readonly Step[] = [
  {
    description: 'create a checkout',
    line: 'POST /v1/checkouts',
    parameters: { amount: '10.00', currency: 'ZAR', paymentType: 'DB' },
    storedFields: 'checkout',
    status: 200,
    expectedFields: { 'result.code': /^000\.200\.100$/ },
  },
  {
    description: 'its status, as the client asks',
    line: 'GET /v1/checkouts/{checkout}/payment',
    isUnsigned: true,
    status: 401,
    expectedFields: { 'result.code': /^800\.900\.300$/ },
  },
  {
    description: 'its status, with credentials',
    line: 'GET /v1/checkouts/{checkout}/payment',
    status: 200,
    expectedFields: { 'result.code': /^000\.200\.000$/ },
  },
];

/** php-oppwa: whole amounts in rand, a flag as 1. */
export const phpOppwa: readonly Step[] = [
  ...unsignedStatus,
  {
    description: 'pay',
    line: 'POST /v1/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa },
    status: 200,
    expectedFields: { ...approvedAnswer, amount: amount('10.00') },
  },
  {
    description: 'pay and register',
    line: 'POST /v1/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa, createRegistration: '1' },
    status: 200,
    storedFields: 'stored=registrationId',
    expectedFields: { ...approvedAnswer, registrationId: id, 'card.last4Digits': /^0000$/ },
  },
  {
    description: 'pay by registration',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '10', currency: 'ZAR', paymentType: 'DB' },
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'register',
    line: 'POST /v1/registrations',
    parameters: visa,
    status: 200,
    expectedFields: { ...approvedAnswer, 'card.last4Digits': /^0000$/ },
  },
];

/** omnipay-oppwa: success is a status below 400; it sends neither brand nor holder. */
export const omnipay: readonly Step[] = [
  {
    description: 'authorize',
    line: 'POST /v1/payments',
    parameters: {
      amount: '12.50',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      merchantTransactionId: 'omnipay-000042',
    },
    storedFields: 'held',
    status: 200,
    expectedFields: { ...approvedAnswer, merchantTransactionId: /^omnipay-000042$/, redirect: null },
  },
  {
    description: 'capture',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'CP' },
    storedFields: 'taken',
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'refund',
    line: 'POST /v1/payments/{taken}',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    expectedFields: approvedAnswer,
  },
  { description: 'fetch', line: 'GET /v1/payments/{taken}', status: 200, expectedFields: approvedAnswer },
  {
    description: 'declined',
    line: 'POST /v1/payments',
    parameters: { amount: '8000.51', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    expectedFields: { 'result.code': /^800\.100\./, 'result.description': /./ },
  },
];

/** When the shop knows something about its customer but not the name. */
export const omnipayCustomer: readonly Step[] = [
  {
    description: 'purchase',
    line: 'POST /v1/payments',
    parameters: { amount: '12.50', currency: 'EUR', paymentType: 'DB', ...visa, 'customer.ip': '203.0.113.7' },
    status: 200,
    expectedFields: approvedAnswer,
  },
];

/** The operator's samples of payments and of the checkout. */
export const samples: readonly Step[] = [...unsignedStatus, ...omnipay.slice(0, 4)];

export const hyperpay: readonly Step[] = [
  {
    description: 'create card',
    line: 'POST /v1/registrations',
    parameters: visa,
    storedFields: 'stored',
    status: 200,
    expectedFields: { id, 'result.code': approvedCode },
  },
  {
    description: 'purchase without a brand',
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
    expectedFields: { ...approvedAnswer, amount: amount('7.00') },
  },
  {
    description: 'authorize',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'PA', merchantTransactionId: 'ampeco-00043' },
    storedFields: 'held',
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'capture under the same reference',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'CP', merchantTransactionId: 'ampeco-00043' },
    storedFields: 'taken',
    status: 200,
    expectedFields: { ...approvedAnswer, referencedId: id },
  },
  {
    description: 'a redirect',
    line: 'POST /v1/payments',
    parameters: {
      amount: '7.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'SOFORTUEBERWEISUNG',
      shopperResultUrl: 'https://shop.example.com/back',
    },
    status: 200,
    expectedFields: { 'result.code': /^000\.200/, 'redirect.url': /^http/, 'redirect.parameters': 'array' },
  },
  {
    description: 'delete card',
    line: 'DELETE /v1/registrations/{stored}',
    status: 200,
    expectedFields: { id, 'result.code': approvedCode },
  },
  {
    description: 'charge what is deleted',
    line: 'POST /v1/registrations/{stored}/payments',
    parameters: { amount: '7.00', currency: 'SAR', paymentType: 'DB' },
    status: 400,
    expectedFields: { 'result.code': /^100\.150\.20[03]$/ },
  },
];

export const catalystpay: readonly Step[] = [
  {
    description: 'pay',
    line: 'POST /v1/payments',
    parameters: { amount: '92', currency: 'EUR', paymentType: 'DB', ...visa, merchantTransactionId: 'catalyst-0001' },
    storedFields: 'bought',
    status: 200,
    expectedFields: { ...approvedAnswer, amount: amount('92.00') },
  },
  {
    description: 'refund',
    line: 'POST /v1/payments/{bought}',
    parameters: { paymentType: 'RF', amount: '10.00', currency: 'EUR' },
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'rebill',
    line: 'POST /v1/payments/{bought}',
    parameters: { paymentType: 'RB', amount: '10.00', currency: 'EUR' },
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'credit alone',
    line: 'POST /v1/payments',
    parameters: { amount: '10.00', currency: 'EUR', paymentType: 'CD', ...visa },
    status: 200,
    expectedFields: approvedAnswer,
  },
  {
    description: 'transaction by id',
    line: 'GET /v3/query/{bought}',
    parameters: { includeLinkedTransactions: 'true', paymentTypes: 'DB,3D' },
    status: 200,
    expectedFields: { 'result.code': approvedCode, records: 'array', payments: 'array' },
  },
  {
    description: 'by reference',
    line: 'GET /v3/query',
    parameters: { merchantTransactionId: 'catalyst-0001' },
    status: 200,
    expectedFields: { 'result.code': approvedCode, 'records.0.id': id },
  },
  {
    description: 'page by page',
    line: 'GET /v3/query',
    parameters: { 'date.from': '2020-01-01 00:00:00', 'date.to': '2099-01-01 01:00:00', pageNo: '1' },
    status: 200,
    expectedFields: { 'result.code': approvedCode, records: 'array' },
  },
];

export const laravel: readonly Step[] = [
  {
    description: 'register',
    line: 'POST /v1/registrations',
    parameters: {
      ...visa,
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'CIT',
    },
    storedFields: 'stored',
    status: 200,
    expectedFields: { ...approvedAnswer, ...envelope },
  },
  {
    description: 'charge it as a merchant',
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
    expectedFields: approvedAnswer,
  },
  {
    description: 'extend its life',
    line: 'POST /v1/registrations/{stored}/extendlife',
    status: 200,
    expectedFields: { 'result.code': approvedCode },
  },
  {
    description: 'delete it',
    line: 'DELETE /v1/registrations/{stored}',
    status: 200,
    expectedFields: { 'result.code': approvedCode },
  },
];
