/** Shops and their plug-ins: pretix-oppwa, zeitlabs-hyperpay, the payunity bundle and INT.VrPay.Client. */
import type { Step } from '../dialect.ts';
import { amount, approval, approvedCode, cardShown, envelope, id, visa } from './answers.ts';

export const pretix: readonly Step[] = [
  {
    title: 'a payment to refund',
    line: 'POST /v1/payments',
    parameters: {
      amount: '23.00',
      currency: 'EUR',
      paymentType: 'DB',
      ...visa,
      merchantTransactionId: 'PRETIX-A1B2C-P-1',
      notificationUrl: 'https://pretix.example.com/notify',
    },
    stores: 'bought',
    status: 200,
    fields: { ...approval, merchantTransactionId: /^PRETIX-A1B2C-P-1$/ },
  },
  {
    title: 'refund',
    line: 'POST /v1/payments/{bought}',
    parameters: { amount: '23.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    fields: { ...approval, referencedId: id },
  },
];

/** zeitlabs counts the cart items of a success. */
export const zeitlabs: readonly Step[] = [
  {
    title: 'pay for two courses',
    line: 'POST /v1/payments',
    parameters: {
      amount: '150.00',
      currency: 'SAR',
      paymentType: 'DB',
      ...visa,
      merchantTransactionId: '00000042',
      'cart.items[0].name': 'Course 1',
      'cart.items[0].quantity': '1',
      'cart.items[0].price': '50.00',
      'cart.items[0].totalAmount': '50.00',
      'cart.items[1].name': 'Cöurse 2',
      'cart.items[1].quantity': '1',
      'cart.items[1].price': '100.00',
      'cart.items[1].totalAmount': '100.00',
      'customer.givenName': 'Sara',
      'customer.surname': 'Ali',
      'customer.email': 'sara@example.com',
      'billing.street1': 'King Road',
      'billing.city': 'Riyadh',
      'billing.state': 'Riyadh',
      'billing.country': 'SA',
      'billing.postcode': '12345',
    },
    status: 200,
    fields: {
      ...approval,
      amount: amount('150.00'),
      currency: /^SAR$/,
      'cart.items': 'array',
      'cart.items.1.name': /^Cöurse 2$/,
      'cart.items.2': null,
      merchantTransactionId: /^00000042$/,
    },
  },
];

/** The checkout of a learner whose account has an address and no name. */
export const zeitlabsCustomer: readonly Step[] = [
  {
    title: 'prepare a checkout',
    line: 'POST /v1/checkouts',
    parameters: {
      amount: '150.00',
      currency: 'SAR',
      paymentType: 'DB',
      merchantTransactionId: '00000043',
      'cart.items[0].name': 'Course 1',
      'cart.items[0].quantity': '1',
      'cart.items[0].price': '150.00',
      'cart.items[0].totalAmount': '150.00',
      'customer.email': 'sara@example.com',
      'customer.surname': 'Ali',
    },
    status: 200,
    fields: { 'result.code': /^000\.200\.100$/ },
  },
];

/** payunity: all card fields must be strings, every error has a description, and lists are called payments. */
export const payunity: readonly Step[] = [
  {
    title: 'pay',
    line: 'POST /v1/payments',
    parameters: {
      amount: '79',
      currency: 'EUR',
      paymentType: 'DB',
      ...visa,
      merchantTransactionId: 'payunity-test123',
    },
    stores: 'bought',
    status: 200,
    fields: { ...approval, ...cardShown, amount: amount('79.00') },
  },
  {
    title: 'query by id',
    line: 'GET /v1/query/{bought}',
    status: 200,
    fields: { id, 'result.code': approvedCode, 'result.description': /./, ...cardShown },
  },
  {
    title: 'query by reference',
    line: 'GET /v1/query',
    parameters: { merchantTransactionId: 'payunity-test123' },
    status: 200,
    fields: {
      'result.code': /^000\.000\.100$/,
      'result.description': /^successful request$/,
      ...envelope,
      payments: 'array',
      'payments.0.id': id,
      'payments.0.amount': amount('79.00'),
      'payments.0.ndc': null,
      'payments.0.buildNumber': null,
      'payments.0.result.code': approvedCode,
    },
  },
  {
    title: 'query of a short reference',
    line: 'GET /v1/query',
    parameters: { merchantTransactionId: 'test123' },
    status: 400,
    fields: { 'result.code': /^700\.400\.580$/, 'result.description': /./ },
  },
  {
    title: 'query of nothing',
    line: 'GET /v1/query',
    parameters: { merchantTransactionId: 'payunity-nothing' },
    status: 400,
    fields: { 'result.code': /^700\.400\.580$/ },
  },
];

export const vrpay: readonly Step[] = [
  {
    title: 'preauthorize',
    line: 'POST /v1/payments',
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'PA', ...visa, testMode: 'INTERNAL' },
    stores: 'held',
    status: 200,
    fields: { ...approval, amount: amount('92.00') },
  },
  {
    title: 'reverse',
    line: 'POST /v1/payments/{held}',
    parameters: { paymentType: 'RV' },
    status: 200,
    fields: approval,
  },
  {
    title: 'debit',
    line: 'POST /v1/payments',
    parameters: { amount: '92.00', currency: 'EUR', paymentType: 'DB', ...visa },
    stores: 'bought',
    status: 200,
    fields: approval,
  },
  {
    title: 'reverse a debit',
    line: 'POST /v1/payments/{bought}',
    parameters: { paymentType: 'RV' },
    status: 200,
    fields: approval,
  },
];
