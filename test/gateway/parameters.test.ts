/** Every row of the parameter tables: its example, and the values just inside and just outside its rule (spec 2). */
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { loggable, sections } from '../../src/gateway/parameters/all.ts';
import { isMap, marksOf } from '../../src/gateway/parameters/kinds.ts';
import { query } from '../../src/gateway/parameters/query.ts';

const rows: Readonly<Record<string, z.ZodType>> = Object.assign({}, ...Object.values(sections).reverse());
const digits = (count: number) => '1234567890'.repeat(205).slice(0, count);
const any = (count: number) => 'é'.repeat(count);

/** name: accepted values | refused values. */
const cases: readonly (readonly [name: string, accepted: readonly string[], refused: readonly string[]])[] = [
  [
    'amount',
    ['0', '1', '1.00', digits(10), `${digits(10)}.99`],
    [digits(11), '1.0', '1.000', '1,00', '.50', '1.', '-1', '+1', ' 1', '1e3', '１', 'x'],
  ],
  ['taxAmount', ['0.00', `${digits(10)}.99`], [`${digits(11)}.00`, '1.5']],
  ['discountAmount', ['2'], ['2.']],
  ['currency', ['EUR', 'JPY', 'KWD'], ['eur', 'EU', 'EURO', 'XXX', '978']],
  ['forex.amount', ['0', `${digits(10)}.99`], [digits(11), '1.5']],
  ['forex.currency', ['USD'], ['usd', 'US']],
  ['paymentBrand', ['V', 'VISA_1', 'a'.repeat(32)], ['a'.repeat(33), 'VISA-1', 'VISA 1', 'VISÄ']],
  ['paymentType', ['PA', 'PA.CP'], ['P', 'PAX', 'pa', 'PA.', 'P A']],
  ['integrity', ['true', 'false', '1', '0'], ['TRUE', 'yes', '2']],
  ['descriptor', ['x', any(127), '😀'.repeat(127)], [any(128), '😀'.repeat(128)]],
  ['merchantInvoiceId', [any(8), any(255)], [any(7), any(256)]],
  ['merchantMemo', [any(8), any(255)], [any(7), any(256)]],
  ['transactionCategory', ['P', 'a1'.repeat(16)], ['a'.repeat(33), 'P O', 'P_O']],
  ['sequence', ['FINAL'], ['final', 'FIRST']],
  ['numberOfCaptures', ['1', '01', '98'], ['0', '00', '99', '100', 'x', '1.0']],
  ['promotionCode', ['a', 'a1'.repeat(7)], ['a'.repeat(16), 'a-b']],
  ['locale', ['de-AT', any(10)], [any(11)]],
  ['transactionLinkId', [any(1), any(35)], [any(36)]],
  ['transactionPurposeCode', [any(12)], [any(13)]],
  ['integrationType', [any(10)], [any(11)]],
  ['transactionBai', ['AA'], ['AAA']],
  ['transactionTti', ['C07'], ['C071']],
  ['transactionProcessingCode', ['PURCHASE', 'FUNDING', 'PAYMENT'], ['purchase', 'REFUND']],
  ['testMode', ['EXTERNAL', 'INTERNAL'], ['LIVE', 'internal']],
  [
    'entityId',
    ['0123456789abcdef'.repeat(2)],
    ['0123456789ABCDEF'.repeat(2), 'a'.repeat(31), 'a'.repeat(33), 'g'.repeat(32)],
  ],
  [
    'card.number',
    [digits(8), digits(32)],
    [digits(7), digits(33), '4200 0000 0000 0000', '420000000000000x', '٤٢٠٠٠٠٠٠'],
  ],
  [
    'card.holder',
    ['Ann', "Zoë O'Neill-Śmith", 'CARDHOLDER/TEST', 'a'.repeat(128), '山田太郎'],
    ['Al', 'a'.repeat(129), '4200000000000000', '...', 'Jane<script>'],
  ],
  ['card.expiryMonth', ['01', '09', '10', '12'], ['00', '13', '1', '001', 'x1']],
  ['card.expiryYear', ['1900', '1999', '2000', '2099'], ['1899', '2100', '34', '20340', '20x4']],
  ['card.cvv', ['123', '1234'], ['12', '12345', '12x']],
  ['card.numberType', ['PAN', 'DPAN'], ['pan', 'FPAN']],
  [
    'pos.entryMode',
    ['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'],
    ['icc', 'CHIP'],
  ],
  ['pos.terminalId', ['1', digits(32)], [digits(33), 'T1']],
  ['pos.deviceId', ['1', digits(32)], [digits(33), 'A']],
  ['pos.deviceType', ['P400', any(32)], [any(33)]],
  ['pos.encryptedPin.data', ['0A', 'F'.repeat(2048)], ['F'.repeat(2049), 'F-0', 'é']],
  ['pos.encryptedPin.ksn', ['0A', 'F'.repeat(2048)], ['F'.repeat(2049), 'F F']],
  ['pos.encryptedSred.data', ['0A', 'z'.repeat(2048)], ['F'.repeat(2049), 'F=']],
  ['pos.encryptedSred.ksn', ['0A', 'F'.repeat(2048)], ['F'.repeat(2049), 'F+']],
  ['pos.iccDataRequest', ['9F02', 'A'.repeat(2048)], ['A'.repeat(2049)]],
  ['pos.location.accuracy', ['1', digits(32)], [digits(33), '1.5']],
  ['pos.location.latitude', ['47.0', '-47.12345678'], ['47', '47.', '47.123456789', '+47.1', '4712.1', 'N47.1']],
  ['pos.location.longitude', ['180.0', '-0.5'], ['180', '.5', '--1.0']],
  ['pos.panSequenceNumber', ['0', digits(32)], [digits(33), 'x']],
  ['pos.pinEntryCapability', ['PIN_ENTRY_AVAILABLE', 'PIN_ENTRY_UNAVAILABLE'], ['AVAILABLE']],
  ['pos.transactionSequenceNumber', ['0', digits(32)], [digits(33), '4a']],
  ['pos.transactionSource', ['POS'], ['pos', 'WEB']],
  ['limit', ['100', '499', '500'], ['99', '501', '1000', '-100']],
];

test('the table below names every row but the maps and the reference, which have tests of their own', () => {
  const tested = new Set(cases.map(([name]) => name));
  const own = ['merchantTransactionId', 'customParameters', 'overridePaymentType'];
  expect(Object.keys(rows).filter((name) => !tested.has(name))).toEqual(expect.arrayContaining(own));
  expect(Object.keys(rows).filter((name) => !tested.has(name))).toHaveLength(own.length);
});

const accepts = (row: z.ZodType | undefined, value: unknown) => row?.safeParse(value).success;

test.each(cases)('%s', (name, accepted, refused) => {
  expect(accepted.filter((value) => !accepts(rows[name], value))).toEqual([]);
  expect(refused.filter((value) => accepts(rows[name], value))).toEqual([]);
});

test.each(Object.entries(rows))('%s has words, and an example that parses; empty does not', (_, row) => {
  const { says, wants, example } = marksOf(row);
  expect([says, wants, example].filter((words) => words === '')).toEqual([]);
  expect(accepts(row, isMap(row) ? { VISA: example } : example)).toBe(true);
  expect(accepts(row, '')).toBe(false);
});

test('a reference has 8 to 255 characters when it is given, up to 255 when it is looked for', () => {
  const { merchantTransactionId: given } = sections.payment;
  const { merchantTransactionId: wanted } = query;
  expect([7, 8, 255, 256].map((count) => accepts(given, any(count)))).toEqual([false, true, true, false]);
  expect([0, 1, 255, 256].map((count) => accepts(wanted, any(count)))).toEqual([false, true, true, false]);
});

test('names and values of custom parameters', () => {
  const { customParameters } = sections.customParameters;
  const sent = (key: string, value = 'x') => accepts(customParameters, { [key]: value });
  expect(['abc', 'a'.repeat(64), '3DS2_enrolled', 'a.b_c'].filter((key) => !sent(key))).toEqual([]);
  expect(['ab', 'a'.repeat(65), 'a-b', 'a b', 'äöü'].filter((key) => sent(key))).toEqual([]);
  expect([sent('abc', any(2048)), sent('abc', any(2049))]).toEqual([true, false]);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
  expect([accepts(customParameters, many(100)), accepts(customParameters, many(101))]).toEqual([true, false]);
});

test('payment types by brand', () => {
  const { overridePaymentType } = sections.overridePaymentType;
  expect(accepts(overridePaymentType, { VISA: 'PA' })).toBe(true);
  expect([{ 'VI-SA': 'PA' }, { VISA: 'PAX' }].filter((value) => accepts(overridePaymentType, value))).toEqual([]);
});

test('a log shows what is known to be harmless, and no more', () => {
  expect(
    loggable({
      amount: '10.00',
      'card.number': '4200000000000000',
      'card.cvv': '123',
      'card.holder': 'Jane Jones',
      'pos.encryptedPin.data': '1C41AB4A9F2B0F1D',
      merchantMemo: 'card 4200 0000 0000 0000\nnoted',
      'card.numbr': '4200000000000000',
    }),
  ).toEqual({
    amount: '10.00',
    'card.number': '****',
    'card.cvv': '****',
    'card.holder': '****',
    'pos.encryptedPin.data': '****',
    merchantMemo: 'card 420000******0000.noted',
    'card.numbr': '****',
  });
});
