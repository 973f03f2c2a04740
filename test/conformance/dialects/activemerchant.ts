/** The requests of activemerchant, with its gateways opp and the older cardprocess, and what their suites expect. */
import type { Step } from '../dialect.ts';
import { approval, cardShown, envelope, id, visa } from './answers.ts';

const UNKNOWN = '8a8444494a0033a6014e12b371fb6a1e';

const options = {
  descriptor: 'Store Purchase - Books',
  merchantInvoiceId: 'Order 1763725260',
  merchantTransactionId: 'active_merchant_test_complete 1763725260',
};

const merchants = { 'customParameters[SHOPPER_pluginId]': 'activemerchant' };

/** activemerchant opp: amounts of one euro, empty values, unescaped names. */
export const activemerchant = (extra: Record<string, string>): readonly Step[] => {
  const sale = { amount: '1.00', currency: 'EUR', ...options, ...visa, ...extra, ...merchants };
  const after = { ...options };
  const approved = { status: 200, fields: approval } as const;
  return [
    {
      title: 'purchase',
      line: 'POST /v1/payments',
      parameters: { paymentType: 'DB', ...sale },
      stores: 'bought',
      status: 200,
      fields: { ...approval, ...envelope, ...cardShown, amount: /^1\.00$/, descriptor: /^Store Purchase - Books$/ },
    },
    {
      title: 'purchase with risk workflow',
      line: 'POST /v1/payments',
      parameters: { paymentType: 'PA.CP', ...sale },
      ...approved,
    },
    {
      title: 'authorize',
      line: 'POST /v1/payments',
      parameters: { paymentType: 'PA', ...sale },
      stores: 'held',
      ...approved,
    },
    {
      title: 'capture',
      line: 'POST /v1/payments/{held}',
      parameters: { paymentType: 'CP', amount: '1.00', currency: 'EUR', ...after },
      ...approved,
    },
    {
      title: 'partial refund',
      line: 'POST /v1/payments/{bought}',
      parameters: { paymentType: 'RF', amount: '0.99', currency: 'EUR', ...after },
      ...approved,
    },
    {
      title: 'purchase to void',
      line: 'POST /v1/payments',
      parameters: { paymentType: 'DB', ...sale },
      stores: 'undone',
      ...approved,
    },
    {
      title: 'void',
      line: 'POST /v1/payments/{undone}',
      parameters: {
        paymentType: 'RV',
        amount: '',
        descriptor: '',
        merchantInvoiceId: '',
        merchantTransactionId: options.merchantTransactionId,
      },
      ...approved,
    },
    {
      title: 'store',
      line: 'POST /v1/registrations',
      parameters: { ...visa, ...merchants },
      stores: 'token',
      status: 200,
      fields: { ...approval, ...envelope, ...cardShown, amount: null, currency: null },
    },
    {
      title: 'purchase by token',
      line: 'POST /v1/registrations/{token}/payments',
      parameters: { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...after, ...merchants },
      ...approved,
    },
    {
      title: 'a wrong number',
      line: 'POST /v1/payments',
      parameters: { paymentType: 'DB', ...sale, 'card.number': '4444444444444444' },
      status: 400,
      fields: {
        'result.description': /invalid creditcard/,
        amount: null,
        currency: null,
        descriptor: null,
        paymentType: /^DB$/,
        paymentBrand: /^VISA$/,
        'card.last4Digits': /^4444$/,
      },
    },
    {
      title: 'capture of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      parameters: { paymentType: 'CP', amount: '1.00', currency: 'EUR' },
      status: 404,
      fields: { id, 'result.description': /capture needs at least one successful transaction/ },
    },
    {
      title: 'void of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      parameters: { paymentType: 'RV', amount: '' },
      status: 404,
      fields: { 'result.description': /reversal needs at least one successful transaction/ },
    },
    // The suite of activemerchant expects the text of 600.200.500 here; the catalogue has a specific code for this.
    {
      title: 'refund of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      parameters: { paymentType: 'RF', amount: '1.00', currency: 'EUR' },
      status: 404,
      fields: {
        'result.code': /^700\.400\.520$/,
        'result.description': /^refund needs at least one successful transaction/,
      },
    },
  ];
};

const address = {
  'billing.street1': '456 My Street',
  'billing.street2': 'Apt 1',
  'billing.city': 'Ottawa',
  'billing.state': 'ON',
  'billing.postcode': 'K1C2N6',
  'billing.country': 'CA',
};

export const cardprocess: readonly Step[] = [
  {
    title: 'purchase',
    line: 'POST /v1/payments',
    parameters: { amount: '1.00', currency: 'EUR', ...visa, ...address, paymentType: 'DB' },
    stores: 'bought',
    status: 200,
    fields: { ...approval, paymentType: /^DB$/ },
  },
  {
    title: 'purchase with more options',
    line: 'POST /v1/payments',
    parameters: { amount: '1.00', currency: 'EUR', ...visa, 'customer.ip': '127.0.0.1', paymentType: 'DB' },
    status: 200,
    fields: approval,
  },
  {
    title: 'a wrong number',
    line: 'POST /v1/payments',
    parameters: { amount: '1.00', currency: 'EUR', ...visa, 'card.number': '4200000000000001', paymentType: 'DB' },
    status: 400,
    fields: {
      'result.code': /^100\.100\.101$/,
      'result.description': /^invalid creditcard, bank account number or bank name$/,
    },
  },
  {
    title: 'authorize',
    line: 'POST /v1/payments',
    parameters: { amount: '1.00', currency: 'EUR', ...visa, paymentType: 'PA' },
    stores: 'held',
    status: 200,
    fields: approval,
  },
  {
    title: 'a forced failure',
    line: 'POST /v1/payments',
    parameters: {
      amount: '1.00',
      currency: 'EUR',
      ...visa,
      'customParameters[forceResultCode]': '800.100.151',
      paymentType: 'PA',
    },
    status: 400,
    fields: { 'result.description': /^transaction declined \(invalid card\)$/ },
  },
  {
    title: 'another forced failure',
    line: 'POST /v1/payments',
    parameters: {
      amount: '1.00',
      currency: 'EUR',
      ...visa,
      'customParameters[forceResultCode]': '600.200.100',
      paymentType: 'PA',
    },
    status: 400,
    fields: { 'result.code': /^600\.200\.100$/ },
  },
  {
    title: 'partial capture',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '0.99', currency: 'EUR', paymentType: 'CP' },
    status: 200,
    fields: approval,
  },
  {
    title: 'capture of nothing',
    line: 'POST /v1/payments/12345678123456781234567812345678',
    parameters: { amount: '1.00', currency: 'EUR', paymentType: 'CP' },
    status: 404,
    fields: { 'result.description': /^capture needs at least one successful transaction of type \(PA\)$/ },
  },
  {
    title: 'refund',
    line: 'POST /v1/payments/{bought}',
    parameters: { amount: '1.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    fields: approval,
  },
  {
    title: 'credit',
    line: 'POST /v1/payments',
    parameters: { amount: '1.00', currency: 'EUR', ...visa, paymentType: 'CD' },
    status: 200,
    fields: approval,
  },
  {
    title: 'refund without id',
    line: 'POST /v1/payments/',
    parameters: { amount: '1.00', currency: 'EUR', paymentType: 'RF' },
    status: 400,
    fields: { 'result.description': /^invalid or missing parameter$/ },
  },
  {
    title: 'void without id',
    line: 'POST /v1/payments/',
    parameters: { paymentType: 'RV' },
    status: 400,
    fields: { 'result.description': /^invalid or missing parameter$/ },
  },
];

export const complete = {
  'customer.merchantCustomerId': 'your merchant/customer id',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.birthDate': '1965-05-01',
  'customer.phone': '(?!?)555-5555',
  'customer.mobile': '(?!?)234-23423',
  'customer.email': 'jane@jones.com',
  'customer.companyName': 'JJ Ltd.',
  'customer.identificationDocType': 'PASSPORT',
  'customer.identificationDocId': 'FakeID2342431234123',
  'customer.ip': '101.102.103.104',
  'shipping.givenName': 'Muton',
  'shipping.surname': 'DeMicelis',
  'threeDSecure.eci': '05',
  'threeDSecure.verificationId': 'AAABBIIFmAAAAAAAAAAAAAAAAAA=',
  'threeDSecure.xid': 'CAACCVVUlwCXUyhQNlSXAAAAAAA=',
};
