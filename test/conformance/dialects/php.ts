/** The requests of omnipay-oppwa, omnipay-hyperpay, php-oppwa, catalystpay-php-sdk and laravel-hyperpay (PHP). */
import type { Step } from '../dialect.ts';
import { amount, done, framed, id, visa, went } from './answers.ts';

/** A status request without credentials is refused; with credentials in the address it is answered. */
const unsignedStatus: readonly Step[] = [
  {
    says: 'create a checkout',
    line: 'POST /v1/checkouts',
    sends: { amount: '10.00', currency: 'ZAR', paymentType: 'DB' },
    keeps: 'checkout',
    status: 200,
    finds: { 'result.code': /^000\.200\.100$/ },
  },
  {
    says: 'its status, as the client asks',
    line: 'GET /v1/checkouts/{checkout}/payment',
    unsigned: true,
    status: 401,
    finds: { 'result.code': /^800\.900\.300$/ },
  },
  {
    says: 'its status, with credentials',
    line: 'GET /v1/checkouts/{checkout}/payment',
    status: 200,
    finds: { 'result.code': /^000\.200\.000$/ },
  },
];

/** php-oppwa: whole amounts in rand, a flag as 1. */
export const phpOppwa: readonly Step[] = [
  ...unsignedStatus,
  {
    says: 'pay',
    line: 'POST /v1/payments',
    sends: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa },
    status: 200,
    finds: { ...done, amount: amount('10.00') },
  },
  {
    says: 'pay and register',
    line: 'POST /v1/payments',
    sends: { amount: '10', currency: 'ZAR', paymentType: 'DB', ...visa, createRegistration: '1' },
    status: 200,
    keeps: 'stored=registrationId',
    finds: { ...done, registrationId: id, 'card.last4Digits': /^0000$/ },
  },
  {
    says: 'pay by registration',
    line: 'POST /v1/registrations/{stored}/payments',
    sends: { amount: '10', currency: 'ZAR', paymentType: 'DB' },
    status: 200,
    finds: done,
  },
  {
    says: 'register',
    line: 'POST /v1/registrations',
    sends: visa,
    status: 200,
    finds: { ...done, 'card.last4Digits': /^0000$/ },
  },
];

/** omnipay-oppwa: success is a status below 400; it sends neither brand nor holder. */
export const omnipay: readonly Step[] = [
  {
    says: 'authorize',
    line: 'POST /v1/payments',
    sends: { amount: '12.50', currency: 'EUR', paymentType: 'PA', ...visa, merchantTransactionId: 'omnipay-000042' },
    keeps: 'held',
    status: 200,
    finds: { ...done, merchantTransactionId: /^omnipay-000042$/, redirect: null },
  },
  {
    says: 'capture',
    line: 'POST /v1/payments/{held}',
    sends: { amount: '12.50', currency: 'EUR', paymentType: 'CP' },
    keeps: 'taken',
    status: 200,
    finds: done,
  },
  {
    says: 'refund',
    line: 'POST /v1/payments/{taken}',
    sends: { amount: '12.50', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    finds: done,
  },
  { says: 'fetch', line: 'GET /v1/payments/{taken}', status: 200, finds: done },
  {
    says: 'declined',
    line: 'POST /v1/payments',
    sends: { amount: '8000.51', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    finds: { 'result.code': /^800\.100\./, 'result.description': /./ },
  },
];

/** When the shop knows something about its customer but not the name. */
export const omnipayCustomer: readonly Step[] = [
  {
    says: 'purchase',
    line: 'POST /v1/payments',
    sends: { amount: '12.50', currency: 'EUR', paymentType: 'DB', ...visa, 'customer.ip': '203.0.113.7' },
    status: 200,
    finds: done,
  },
];

/** The operator's samples of payments and of the checkout. */
export const samples: readonly Step[] = [...unsignedStatus, ...omnipay.slice(0, 4)];

export const hyperpay: readonly Step[] = [
  {
    says: 'create card',
    line: 'POST /v1/registrations',
    sends: visa,
    keeps: 'stored',
    status: 200,
    finds: { id, 'result.code': went },
  },
  {
    says: 'purchase without a brand',
    line: 'POST /v1/registrations/{stored}/payments',
    sends: {
      amount: '7.00',
      currency: 'SAR',
      paymentType: 'DB',
      merchantTransactionId: 'ampeco-00042',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
    },
    status: 200,
    finds: { ...done, amount: amount('7.00') },
  },
  {
    says: 'authorize',
    line: 'POST /v1/registrations/{stored}/payments',
    sends: { amount: '7.00', currency: 'SAR', paymentType: 'PA', merchantTransactionId: 'ampeco-00043' },
    keeps: 'held',
    status: 200,
    finds: done,
  },
  {
    says: 'capture under the same reference',
    line: 'POST /v1/payments/{held}',
    sends: { amount: '7.00', currency: 'SAR', paymentType: 'CP', merchantTransactionId: 'ampeco-00043' },
    keeps: 'taken',
    status: 200,
    finds: { ...done, referencedId: id },
  },
  {
    says: 'a redirect',
    line: 'POST /v1/payments',
    sends: {
      amount: '7.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'SOFORTUEBERWEISUNG',
      shopperResultUrl: 'https://shop.example.com/back',
    },
    status: 200,
    finds: { 'result.code': /^000\.200/, 'redirect.url': /^http/, 'redirect.parameters': 'array' },
  },
  { says: 'delete card', line: 'DELETE /v1/registrations/{stored}', status: 200, finds: { id, 'result.code': went } },
  {
    says: 'charge what is deleted',
    line: 'POST /v1/registrations/{stored}/payments',
    sends: { amount: '7.00', currency: 'SAR', paymentType: 'DB' },
    status: 400,
    finds: { 'result.code': /^100\.150\.20[03]$/ },
  },
];

export const catalystpay: readonly Step[] = [
  {
    says: 'pay',
    line: 'POST /v1/payments',
    sends: { amount: '92', currency: 'EUR', paymentType: 'DB', ...visa, merchantTransactionId: 'catalyst-0001' },
    keeps: 'bought',
    status: 200,
    finds: { ...done, amount: amount('92.00') },
  },
  {
    says: 'refund',
    line: 'POST /v1/payments/{bought}',
    sends: { paymentType: 'RF', amount: '10.00', currency: 'EUR' },
    status: 200,
    finds: done,
  },
  {
    says: 'rebill',
    line: 'POST /v1/payments/{bought}',
    sends: { paymentType: 'RB', amount: '10.00', currency: 'EUR' },
    status: 200,
    finds: done,
  },
  {
    says: 'credit alone',
    line: 'POST /v1/payments',
    sends: { amount: '10.00', currency: 'EUR', paymentType: 'CD', ...visa },
    status: 200,
    finds: done,
  },
  {
    says: 'transaction by id',
    line: 'GET /v3/query/{bought}',
    sends: { includeLinkedTransactions: 'true', paymentTypes: 'DB,3D' },
    status: 200,
    finds: { 'result.code': went, records: 'array', payments: 'array' },
  },
  {
    says: 'by reference',
    line: 'GET /v3/query',
    sends: { merchantTransactionId: 'catalyst-0001' },
    status: 200,
    finds: { 'result.code': went, 'records.0.id': id },
  },
  {
    says: 'page by page',
    line: 'GET /v3/query',
    sends: { 'date.from': '2020-01-01 00:00:00', 'date.to': '2099-01-01 01:00:00', pageNo: '1' },
    status: 200,
    finds: { 'result.code': went, records: 'array' },
  },
];

export const laravel: readonly Step[] = [
  {
    says: 'register',
    line: 'POST /v1/registrations',
    sends: {
      ...visa,
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'CIT',
    },
    keeps: 'stored',
    status: 200,
    finds: { ...done, ...framed },
  },
  {
    says: 'charge it as a merchant',
    line: 'POST /v1/registrations/{stored}/payments',
    sends: {
      amount: '92.00',
      currency: 'SAR',
      paymentType: 'DB',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.type': 'RECURRING',
      'standingInstruction.source': 'MIT',
    },
    status: 200,
    finds: done,
  },
  {
    says: 'extend its life',
    line: 'POST /v1/registrations/{stored}/extendlife',
    status: 200,
    finds: { 'result.code': went },
  },
  { says: 'delete it', line: 'DELETE /v1/registrations/{stored}', status: 200, finds: { 'result.code': went } },
];
