/** The requests of activemerchant, with its gateways opp and the older cardprocess, and what their suites expect. */
import type { Step } from '../dialect.ts';
import { cardShown, done, framed, id, visa } from './answers.ts';

const UNKNOWN = '8a8444494a0033a6014e12b371fb6a1e';

const options = {
  descriptor: 'Store Purchase - Books',
  merchantInvoiceId: 'Order 1763725260',
  merchantTransactionId: 'active_merchant_test_complete 1763725260',
};

const merchants = { 'customParameters[SHOPPER_pluginId]': 'activemerchant' };

/** activemerchant opp: amounts of one euro, empty values, unescaped names. */
export const activemerchant = (more: Record<string, string>): readonly Step[] => {
  const sale = { amount: '1.00', currency: 'EUR', ...options, ...visa, ...more, ...merchants };
  const after = { ...options };
  const good = { status: 200, finds: done } as const;
  return [
    {
      says: 'purchase',
      line: 'POST /v1/payments',
      sends: { paymentType: 'DB', ...sale },
      keeps: 'bought',
      status: 200,
      finds: { ...done, ...framed, ...cardShown, amount: /^1\.00$/, descriptor: /^Store Purchase - Books$/ },
    },
    {
      says: 'purchase with risk workflow',
      line: 'POST /v1/payments',
      sends: { paymentType: 'PA.CP', ...sale },
      ...good,
    },
    { says: 'authorize', line: 'POST /v1/payments', sends: { paymentType: 'PA', ...sale }, keeps: 'held', ...good },
    {
      says: 'capture',
      line: 'POST /v1/payments/{held}',
      sends: { paymentType: 'CP', amount: '1.00', currency: 'EUR', ...after },
      ...good,
    },
    {
      says: 'partial refund',
      line: 'POST /v1/payments/{bought}',
      sends: { paymentType: 'RF', amount: '0.99', currency: 'EUR', ...after },
      ...good,
    },
    {
      says: 'purchase to void',
      line: 'POST /v1/payments',
      sends: { paymentType: 'DB', ...sale },
      keeps: 'undone',
      ...good,
    },
    {
      says: 'void',
      line: 'POST /v1/payments/{undone}',
      sends: {
        paymentType: 'RV',
        amount: '',
        descriptor: '',
        merchantInvoiceId: '',
        merchantTransactionId: options.merchantTransactionId,
      },
      ...good,
    },
    {
      says: 'store',
      line: 'POST /v1/registrations',
      sends: { ...visa, ...merchants },
      keeps: 'token',
      status: 200,
      finds: { ...done, ...framed, ...cardShown, amount: null, currency: null },
    },
    {
      says: 'purchase by token',
      line: 'POST /v1/registrations/{token}/payments',
      sends: { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...after, ...merchants },
      ...good,
    },
    {
      says: 'a wrong number',
      line: 'POST /v1/payments',
      sends: { paymentType: 'DB', ...sale, 'card.number': '4444444444444444' },
      status: 400,
      finds: {
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
      says: 'capture of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      sends: { paymentType: 'CP', amount: '1.00', currency: 'EUR' },
      status: 404,
      finds: { id, 'result.description': /capture needs at least one successful transaction/ },
    },
    {
      says: 'void of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      sends: { paymentType: 'RV', amount: '' },
      status: 404,
      finds: { 'result.description': /reversal needs at least one successful transaction/ },
    },
    // The suite of activemerchant expects the text of 600.200.500 here; the catalogue has a specific code for this.
    {
      says: 'refund of nothing',
      line: `POST /v1/payments/${UNKNOWN}`,
      sends: { paymentType: 'RF', amount: '1.00', currency: 'EUR' },
      status: 404,
      finds: {
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
    says: 'purchase',
    line: 'POST /v1/payments',
    sends: { amount: '1.00', currency: 'EUR', ...visa, ...address, paymentType: 'DB' },
    keeps: 'bought',
    status: 200,
    finds: { ...done, paymentType: /^DB$/ },
  },
  {
    says: 'purchase with more options',
    line: 'POST /v1/payments',
    sends: { amount: '1.00', currency: 'EUR', ...visa, 'customer.ip': '127.0.0.1', paymentType: 'DB' },
    status: 200,
    finds: done,
  },
  {
    says: 'a wrong number',
    line: 'POST /v1/payments',
    sends: { amount: '1.00', currency: 'EUR', ...visa, 'card.number': '4200000000000001', paymentType: 'DB' },
    status: 400,
    finds: {
      'result.code': /^100\.100\.101$/,
      'result.description': /^invalid creditcard, bank account number or bank name$/,
    },
  },
  {
    says: 'authorize',
    line: 'POST /v1/payments',
    sends: { amount: '1.00', currency: 'EUR', ...visa, paymentType: 'PA' },
    keeps: 'held',
    status: 200,
    finds: done,
  },
  {
    says: 'a forced failure',
    line: 'POST /v1/payments',
    sends: {
      amount: '1.00',
      currency: 'EUR',
      ...visa,
      'customParameters[forceResultCode]': '800.100.151',
      paymentType: 'PA',
    },
    status: 400,
    finds: { 'result.description': /^transaction declined \(invalid card\)$/ },
  },
  {
    says: 'another forced failure',
    line: 'POST /v1/payments',
    sends: {
      amount: '1.00',
      currency: 'EUR',
      ...visa,
      'customParameters[forceResultCode]': '600.200.100',
      paymentType: 'PA',
    },
    status: 400,
    finds: { 'result.code': /^600\.200\.100$/ },
  },
  {
    says: 'partial capture',
    line: 'POST /v1/payments/{held}',
    sends: { amount: '0.99', currency: 'EUR', paymentType: 'CP' },
    status: 200,
    finds: done,
  },
  {
    says: 'capture of nothing',
    line: 'POST /v1/payments/12345678123456781234567812345678',
    sends: { amount: '1.00', currency: 'EUR', paymentType: 'CP' },
    status: 404,
    finds: { 'result.description': /^capture needs at least one successful transaction of type \(PA\)$/ },
  },
  {
    says: 'refund',
    line: 'POST /v1/payments/{bought}',
    sends: { amount: '1.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    finds: done,
  },
  {
    says: 'credit',
    line: 'POST /v1/payments',
    sends: { amount: '1.00', currency: 'EUR', ...visa, paymentType: 'CD' },
    status: 200,
    finds: done,
  },
  {
    says: 'refund without id',
    line: 'POST /v1/payments/',
    sends: { amount: '1.00', currency: 'EUR', paymentType: 'RF' },
    status: 400,
    finds: { 'result.description': /^invalid or missing parameter$/ },
  },
  {
    says: 'void without id',
    line: 'POST /v1/payments/',
    sends: { paymentType: 'RV' },
    status: 400,
    finds: { 'result.description': /^invalid or missing parameter$/ },
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
