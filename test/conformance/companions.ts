/** The parameters that must accompany another one so that only its own value can be wrong. A pure table. */
import { browser } from '../../src/gateway/spec/rules/three-d-secure.ts';
import { apple, google, samsung } from '../gateway/acquirers/methods/wallet-tokens.ts';
import type { Parameters } from '../support/gateway/gateway.ts';

export const card: Parameters = {
  'card.number': '4111111111111111',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};
const money: Parameters = { amount: '10.00', currency: 'EUR' };
const person: Parameters = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
const place: Parameters = {
  'billing.street1': 'Main Street',
  'billing.city': 'Vienna',
  'billing.postcode': '1010',
  'billing.country': 'AT',
};
const device: Parameters = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
};
const terminal: Parameters = {
  'pos.entryMode': 'MAGSTRIPE',
  'pos.terminalId': '70001234',
  'pos.encryptedSred.data': '9C1D0E5A77B3A2F89C1D0E5A77B3A2F8',
  'pos.encryptedSred.ksn': 'FFFF9876543210E00002',
};
const bank: Parameters = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
};
const numbered: Parameters = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.number': '1234567890',
  'bankAccount.bankCode': '10000000',
};
/** Parts of an account opened by a wallet's app that only the shop can supply. */
const proof: Parameters = {
  'threeDSecure.verificationId': 'AAABBIIFmAAAAAAAAAAAAAAAAAA=',
  'threeDSecure.eci': '05',
};
const decrypted: Parameters = {
  ...card,
  ...proof,
};

/** Accounts that replace the card in a payment or a registration. */
const accounts: readonly (readonly [name: RegExp, account: Parameters])[] = [
  [/^bankAccount\.(number|bankCode)$/, numbered],
  [/^(bankAccount\.|transactionDueDate$)/, bank],
  [/^virtualAccount\./, { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' }],
  [/^tokenAccount\./, { 'tokenAccount.number': '4895370012003478', 'tokenAccount.type': 'NETWORK' }],
  [/^giftCard\./, { paymentBrand: 'GIFTCARD', 'giftCard.number': '6006491260550218' }],
  [/^applePay\.source$/, decrypted],
  [/^googlePay\.source$/, decrypted],
  [/^samsungPay\.source$/, decrypted],
  [/^applePay\./, { 'applePay.paymentToken': apple() }],
  [/^googlePay\./, { 'googlePay.paymentToken': google() }],
  [/^samsungPay\./, { 'samsungPay.paymentToken': samsung() }],
  [/^pos\./, terminal],
];

/** The parameters that the rules require beside this one, whatever the operation. */
const companions: readonly (readonly [name: RegExp, companion: Parameters])[] = [
  [/^customer\./, person],
  [new RegExp(`^(${browser.join('|')})$`), { ...device, ...place }],
  [/^customer\.identificationDoc/, { 'customer.identificationDocType': 'PASSPORT' }],
  [/^customer\.identificationDoc/, { 'customer.identificationDocId': 'P12345678' }],
  [/^shipping\.customer\.identificationDoc/, { 'shipping.customer.identificationDocType': 'PASSPORT' }],
  [/^shipping\.customer\.identificationDoc/, { 'shipping.customer.identificationDocId': 'P12345678' }],
  [/^billing\.houseNumber2$/, { 'billing.houseNumber1': '7' }],
  [/^shipping\.houseNumber2$/, { 'shipping.houseNumber1': '7' }],
  [/^merchant\.billing\.houseNumber2$/, { 'merchant.billing.houseNumber1': '7' }],
  [/^merchant\.shipping\.houseNumber2$/, { 'merchant.shipping.houseNumber1': '7' }],
  [/^forex\./, { 'forex.amount': '9.00', 'forex.currency': 'USD' }],
  [/^recurringMigration\./, { 'recurringMigration.paymentType': 'DB' }],
  [/^pos\.encryptedPin\./, { 'pos.encryptedPin.data': '2B8BC5E1A0F94D37', 'pos.encryptedPin.ksn': 'FFFF00000001' }],
  [/^pos\.encryptedSred\./, { 'pos.encryptedSred.data': '9C1D0E5A77B3A2F8', 'pos.encryptedSred.ksn': 'FFFF00000002' }],
  [/^pos\.location\.l/, { 'pos.location.latitude': '48.2082', 'pos.location.longitude': '16.3738' }],
  [/^date\./, { 'date.from': '1900-01-01 00:00:00', 'date.to': '2026-11-21 23:59:59' }],
  [/^webhook\.(overlapHours|secret)$/, { 'webhook.action': 'ROTATE' }],
  [/^webhook\.eventId$/, { 'webhook.action': 'RESEND' }],
  [
    /^webhook\.(from|to)$/,
    { 'webhook.action': 'RESEND', 'webhook.from': '1900-01-01 00:00:00', 'webhook.to': '2026-11-21 23:59:59' },
  ],
];

const companionsOf = (name: string, table: typeof companions): Parameters =>
  Object.assign({}, ...table.filter(([pattern]) => pattern.test(name)).map(([, companion]) => companion));

const account = (name: string): Parameters => accounts.find(([pattern]) => pattern.test(name))?.[1] ?? card;

/** The parameters of a new checkout that only the shop may set, before its shopper submits it. */
export const order: Parameters = { ...money, paymentType: 'DB' };

/** The part of this account that the shop supplies when it creates the checkout. */
export const shops = (name: string): Parameters => (name.endsWith('Pay.source') ? proof : {});

/** Numbers the webhook addresses, because each can be registered only once. */
let hooks = 0;
const hook = (): Parameters => {
  hooks += 1;
  return { 'webhook.url': `http://127.0.0.1:9/hook/${hooks}` };
};

/** A report covers at most one year. */
const days = (name: string, value: string | undefined): Parameters =>
  name.startsWith('date.') && value !== undefined
    ? { 'date.from': value, 'date.to': value }
    : { 'date.from': '2026-11-01', 'date.to': '2026-11-30' };

/** A schedule that runs on the first day of each month. */
export const planned: Parameters = { ...money, paymentType: 'SD', 'job.month': '*' };

/**
 * For each operation that takes more than credentials: a request that is complete except for the parameter. If the
 * value is also known, the parameters beside it fit it.
 */
export const requests: Readonly<Record<string, (name: string, value?: string) => Parameters>> = {
  'POST /v1/payments': (name) => ({ ...money, paymentType: 'DB', ...account(name), ...companionsOf(name, companions) }),
  'POST /v1/registrations': (name) => ({ ...account(name), ...companionsOf(name, companions) }),
  'POST /v1/registrations/:id/payments': (name) => ({
    ...money,
    paymentType: 'DB',
    ...(/^(card|bankAccount)\.holder$/.test(name) ? { overrideHolder: 'true' } : {}),
    ...companionsOf(name, companions),
  }),
  'POST /v1/payments/:id': (name) => ({
    ...money,
    amount: '1.00',
    paymentType: 'CP',
    ...companionsOf(name, companions),
  }),
  'POST /v1/registrations/:id/extendlife': () => ({}),
  'GET /v1/query/:id': () => ({}),
  'GET /v3/query/:id': () => ({}),
  'GET /v1/query': (name) => ({ ...search(name), ...companionsOf(name, companions) }),
  'GET /v3/query': (name) => ({ ...search(name), ...companionsOf(name, companions) }),
  'POST /v1/checkouts': (name) => ({ ...order, ...companionsOf(name, companions) }),
  'POST /v1/checkouts/:id': (name) => companionsOf(name, companions),
  'POST /v1/checkouts/:id/payment': (name) => ({
    ...(name === 'registrationId' ? {} : name.endsWith('Pay.source') ? card : account(name)),
    ...companionsOf(name, companions),
  }),
  'POST /v1/checkouts/:id/registration': (name) => ({ ...account(name), ...companionsOf(name, companions) }),
  'POST /v1/threeDSecure': (name) => ({ ...money, ...card, ...companionsOf(name, companions) }),
  'POST /scheduling/v1/schedules': (name) => ({ ...planned, ...companionsOf(name, companions) }),
  'POST /scheduling/v1/schedules/:id/reschedule': (name) => companionsOf(name, companions),
  'POST /scheduling/v1/schedules/:id/deschedule': () => ({}),
  'GET /reports/v1/reconciliations/aggregations': days,
  'GET /reports/v1/reconciliations/aggregations/:id': () => ({}),
  'GET /reports/v2/reconciliations/aggregations/:id': () => ({}),
  'POST /v1/webhooks': hook,
  'GET /v1/webhooks/:id': () => ({}),
  'POST /v1/webhooks/:id': (name) => companionsOf(name, companions),
};

/** A query by reference, unless the parameter is a time. */
const search = (name: string): Parameters =>
  name.startsWith('date.') ? {} : { merchantTransactionId: 'order 7-000042' };
