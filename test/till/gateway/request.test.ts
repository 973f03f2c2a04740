/** The host API's request for a sale, row by row; and that no PIN can get into a queued message. */
import { expect, test } from 'vitest';
import type { CardData } from '../../../drivers/terminal.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { followRequest, giftCardRequest, reversalRequest, saleRequest } from '../../../src/till/gateway/request.ts';
import type { Intent } from '../../../src/till/machine/facts.ts';

const intent: Intent = {
  sale: 'a'.repeat(32),
  operation: 'sale',
  amount: { minor: 1250n, currency: 'EUR' },
  terminalId: '10000001',
  sequence: 42,
  receipt: 7,
  gateway: 'g',
  key: 'k',
  at: 0,
};
const card: CardData = {
  entryMode: 'ICC',
  maskedPan: '476173******0010',
  panSequence: '01',
  sred: [
    { data: fromHex('AA'), ksn: 'K1' },
    { data: fromHex('BB'), ksn: 'K2' },
  ],
  pin: { data: fromHex('CC'), ksn: 'K3' },
  icc: '9F26081122334455667788950580000080009F270180',
  verification: 'onlinePin',
};
const terminal = { model: 'M020', serial: '17000001', firmware: '1-58' };

test('a chip sale with a PIN', () => {
  expect(saleRequest(intent, { card, terminal })).toEqual({
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    merchantTransactionId: intent.sale,
    'pos.entryMode': 'ICC',
    'pos.terminalId': '10000001',
    'pos.deviceId': '17000001',
    'pos.deviceType': 'M020',
    'pos.encryptedSred.data': fromHex('AA'),
    'pos.encryptedSred.ksn': 'K1',
    'pos.encryptedPin.data': fromHex('CC'),
    'pos.encryptedPin.ksn': 'K3',
    'pos.iccDataRequest': card.icc,
    'pos.panSequenceNumber': '01',
    'pos.pinEntryCapability': 'PIN_ENTRY_AVAILABLE',
    'pos.transactionSequenceNumber': '42',
    'pos.transactionSource': 'POS',
  });
});

test('an offline approval sends the card’s final value of each tag', () => {
  const finalIcc = '9F2608AABBCCDDEEFF00119F270140';
  const request = saleRequest(intent, { card, terminal, offline: 'chip', finalIcc });
  expect(request['pos.iccDataRequest']).toBe('950580000080009F2608AABBCCDDEEFF00119F270140');
  expect(request['customParameters[offline]']).toBe('chip');
});

test('leaves out a serial number or model that does not fit, and sends a model with blanks by its code', () => {
  const request = saleRequest(intent, { card, terminal: { model: '* *', serial: 'A-17', firmware: '' } });
  expect(request).not.toHaveProperty(['pos.deviceId']);
  expect(request).not.toHaveProperty(['pos.deviceType']);
  const namedRequest = saleRequest(intent, { card, terminal: { ...terminal, model: 'DynaFlex II PED' } });
  expect(namedRequest['pos.deviceType']).toBe('DynaFlexIIPED');
});

test.each([
  ['a terminal with a PIN pad', { hasPinPad: true }, 'PIN_ENTRY_AVAILABLE'],
  ['a reader without one', { hasPinPad: false }, 'PIN_ENTRY_UNAVAILABLE'],
  ['a terminal that does not report it', {}, undefined],
])('%s', (_, reported, capability) => {
  const { pin: __, ...withoutPin } = card;
  const request = saleRequest(intent, { card: withoutPin, terminal: { ...terminal, ...reported } });
  expect(request['pos.pinEntryCapability']).toBe(capability);
  const entered = saleRequest(intent, { card, terminal: { ...terminal, ...reported } });
  expect(entered['pos.pinEntryCapability']).toBe('PIN_ENTRY_AVAILABLE');
});

test('the same intent and card always make the same request', () => {
  expect(JSON.stringify(saleRequest(intent, { card, terminal }))).toBe(
    JSON.stringify(saleRequest(intent, { card, terminal })),
  );
});

test.each([
  ['sale', 'DB'],
  ['preauthorisation', 'PA'],
  ['credit', 'CD'],
] as const)('a %s with a card is a %s', (operation, paymentType) => {
  expect(saleRequest({ ...intent, operation }, { card, terminal })['paymentType']).toBe(paymentType);
});

test.each([
  ['refund', { amount: '12.50', currency: 'EUR', paymentType: 'RF' }],
  ['increment', { amount: '12.50', currency: 'EUR', paymentType: 'PA' }],
  ['completion', { amount: '12.50', currency: 'EUR', paymentType: 'CP' }],
  ['void', { paymentType: 'RV' }],
  ['release', { paymentType: 'RV' }],
] as const)('a %s has no card, and is for all that is left if it names no amount', (operation, fields) => {
  expect(followRequest({ ...intent, operation })).toEqual({
    ...fields,
    merchantTransactionId: intent.sale,
    'pos.terminalId': intent.terminalId,
    'pos.transactionSequenceNumber': String(intent.sequence),
    'pos.transactionSource': 'POS',
  });
});

test('a reversal names the sale and nothing else', () => {
  expect(reversalRequest(intent.sale)).toEqual({ paymentType: 'RV', merchantTransactionId: intent.sale });
});

test('partial approval is allowed if the intent says so, but not for a sale sent after the goods have gone', () => {
  const partial: Intent = { ...intent, partial: true };
  const name = 'customParameters[partialApproval]';
  expect(saleRequest(partial, { card, terminal })[name]).toBe('true');
  expect(saleRequest(intent, { card, terminal })).not.toHaveProperty([name]);
  expect(saleRequest(partial, { card, terminal, offline: 'chip' })).not.toHaveProperty([name]);
});

test('a card is stored if the intent says so, but not for a sale sent after the goods have gone', () => {
  const storing: Intent = { ...intent, storeCard: true };
  expect(saleRequest(storing, { card, terminal })['createRegistration']).toBe('true');
  expect(saleRequest(intent, { card, terminal })).not.toHaveProperty(['createRegistration']);
  for (const offline of ['chip', 'deferred'] as const)
    expect(saleRequest(storing, { card, terminal, offline })).not.toHaveProperty(['createRegistration']);
});

test('a gift card is paid with its number and PIN, without a terminal; a bill identifies its payments', () => {
  const bill = { id: 'f'.repeat(32), total: { minor: 9_900n, currency: 'EUR' } };
  const parameters = giftCardRequest({ ...intent, bill, partial: true }, { number: '9900000000000010', pin: '0010' });
  expect(parameters).toEqual({
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'GIFTCARD',
    merchantTransactionId: intent.sale,
    merchantInvoiceId: bill.id,
    'giftCard.number': '9900000000000010',
    'giftCard.pin': '0010',
    'customParameters[partialApproval]': 'true',
  });
  expect(saleRequest({ ...intent, bill }, { card, terminal })['merchantInvoiceId']).toBe(bill.id);
});
