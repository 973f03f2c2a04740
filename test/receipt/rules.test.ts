/** Which texts a receipt must and must not have, by ending, operation and cardholder verification. */
import { describe, expect, test } from 'vitest';
import type { ReceiptCard, ReceiptFacts } from '../../src/receipt/facts.ts';
import { type Copy, receiptOf } from '../../src/receipt/receipt.ts';
import { receiptText } from '../../src/receipt/text.ts';
import { card, sale } from './sample.ts';

const linesOf = (facts: Partial<ReceiptFacts>, copy: Copy = 'customer'): string[] =>
  receiptText(receiptOf({ ...sale, ...facts }, { copy }), 42).map((line) => line.trim().replace(/ +/g, ' '));

/** The lines below the last rule, without the name of the copy. */
const resultOf = (facts: Partial<ReceiptFacts>): string[] => {
  const lines = linesOf(facts);
  return lines.slice(lines.findLastIndex((line) => line.startsWith('---')) + 1, -3);
};

const unknown = ['RESULT UNKNOWN', 'DO NOT CHARGE AGAIN', 'THE BANK IS BEING ASKED'];

describe('the result in plain words', () => {
  const rows: [Partial<ReceiptFacts>, string[]][] = [
    [{}, ['APPROVED']],
    [{ statusText: 'Zahlung erfolgt' }, ['Zahlung erfolgt']],
    [{ statusText: 'line one\r\nline two' }, ['line one', 'line two']],
    [{ statusText: ' \n\u0007 ' }, ['?']],
    [{ statusText: '\n' }, ['APPROVED']],
    [{ ending: 'declined', reason: 'Card stolen' }, ['DECLINED', 'NOT CHARGED', 'Card stolen']],
    [{ ending: 'declined', statusText: 'Abgelehnt' }, ['Abgelehnt', 'NOT CHARGED']],
    [{ ending: 'declined', reversed: true }, ['DECLINED', 'NOT CHARGED']],
    [{ ending: 'approved', reversed: true, statusText: 'Approved' }, ['REVERSED', 'NOT CHARGED']],
    [{ ending: 'approved', offline: 'chip' }, ['APPROVED OFFLINE']],
    [{ ending: 'approved', offline: 'deferred', statusText: 'Approved' }, ['TAKEN OFFLINE, NOT APPROVED YET']],
    [{ ending: 'notSent', statusText: 'Approved' }, ['NOT CHARGED']],
    [{ ending: 'unknown', statusText: 'Approved' }, unknown],
    [{ ending: 'unknown', reversed: true }, ['REVERSED', 'NOT CHARGED']],
    [{ operation: 'refund', ending: 'declined' }, ['DECLINED', 'NOT REFUNDED']],
    [{ operation: 'refund', ending: 'unknown' }, ['RESULT UNKNOWN', 'DO NOT REFUND AGAIN', 'THE BANK IS BEING ASKED']],
    [{ ending: 'unknown', asks: 'store' }, [...unknown.slice(0, 2), 'THE STORE IS LOOKING INTO IT']],
    [{ operation: 'void', ending: 'notSent' }, ['NOT VOIDED, THE SALE STANDS']],
    [{ operation: 'preauthorisation', ending: 'notSent' }, ['NOTHING RESERVED']],
  ];
  test.each(rows)('%j', (facts, expected) => {
    expect(resultOf(facts)).toEqual(expected);
  });
});

describe('an authorisation code', () => {
  const rows: [Partial<ReceiptFacts>, boolean][] = [
    [{}, true],
    [{ operation: 'refund' }, true],
    [{ ending: 'declined' }, false],
    [{ ending: 'notSent' }, false],
    [{ ending: 'unknown' }, false],
    [{ reversed: true }, false],
    [{ offline: 'chip' }, false],
    [{ offline: 'deferred' }, false],
  ];
  test.each(rows)('%j prints it: %s', (facts, printed) => {
    expect(linesOf(facts).some((line) => line.includes('831742'))).toBe(printed);
  });

  test('is never invented', () => {
    const { authorisationCode: _, ...without } = sale;
    const lines = receiptText(receiptOf(without, { copy: 'customer' }), 42);
    expect(lines.filter((line) => line.includes('AUTH'))).toEqual([]);
    expect(lines).toContain('TRACE                               000417');
  });

  test('is replaced by a text while no issuer has answered', () => {
    expect(linesOf({ offline: 'deferred' })).toContain('OFFLINE, SUBJECT TO AUTHORISATION');
    expect(linesOf({ offline: 'chip' })).toContain('OFFLINE, APPROVED BY THE CHIP');
  });
});

describe('the verification line', () => {
  const rows: [NonNullable<ReceiptCard['verification']>, ReceiptFacts['ending'], string][] = [
    ['onlinePin', 'approved', 'PIN VERIFIED'],
    ['onlinePin', 'declined', 'PIN ENTERED'],
    ['onlinePin', 'unknown', 'PIN ENTERED'],
    ['offlinePin', 'declined', 'PIN VERIFIED'],
    ['signature', 'approved', 'SIGNATURE'],
    ['device', 'approved', 'DEVICE VERIFIED'],
    ['none', 'approved', 'NO VERIFICATION'],
  ];
  test.each(rows)('%s, %s: %s', (verification, ending, text) => {
    expect(linesOf({ ending, card: { ...card, verification } })).toContain(`CHIP ${text}`);
  });
});

test('an unknown verification is not invented', () => {
  const { verification: _, ...unknown } = card;
  expect(linesOf({ card: unknown })).toContain('CHIP');
});

describe('the signature line', () => {
  const signs = { card: { ...card, verification: 'signature' as const } };
  const rows: [string, Partial<ReceiptFacts>, Copy, boolean][] = [
    ['merchant copy, signature', signs, 'merchant', true],
    ['merchant copy, signature, offline', { ...signs, offline: 'deferred' }, 'merchant', true],
    ['customer copy, signature', signs, 'customer', false],
    ['merchant copy, PIN', {}, 'merchant', false],
    ['declined', { ...signs, ending: 'declined' }, 'merchant', false],
    ['reversed', { ...signs, reversed: true }, 'merchant', false],
  ];
  test.each(rows)('%s: %#', (_, facts, copy, there) => {
    expect(linesOf(facts, copy).some((line) => line.startsWith('____'))).toBe(there);
  });
});

test('an expiry date is never printed, even if a caller passes one', () => {
  const withExpiry = { ...card, expiry: '3112' };
  for (const copy of ['merchant', 'customer'] as const) {
    expect(linesOf({ card: withExpiry }, copy).join('\n')).not.toMatch(/3112|31.12|12.31|EXP/);
  }
});

test('a refund names the receipt it follows', () => {
  expect(linesOf({ operation: 'refund', originalReceiptNumber: '000398' })).toContain('OF RECEIPT 000398');
});

test('the time is the store’s, also across midnight and west of UTC', () => {
  expect(linesOf({ at: Date.UTC(2026, 11, 31, 23, 30, 0), zoneMinutes: 60 })).toContain('2027-01-01 00:30:00');
  expect(linesOf({ at: Date.UTC(2026, 0, 1, 2, 0, 0), zoneMinutes: -210 })).toContain('2025-12-31 22:30:00');
});

test('amounts have the decimals of their currency', () => {
  expect(linesOf({ amount: { minor: 1250n, currency: 'JPY' } })).toContain('SALE 1250 JPY');
  expect(linesOf({ amount: { minor: 1250n, currency: 'KWD' } })).toContain('SALE 1.250 KWD');
});

test('without a label the brand is printed, and without either a general word', () => {
  const { label: _label, ...branded } = card;
  const { brand: _brand, ...bare } = branded;
  expect(linesOf({ card: branded })).toContain('VISA ************4321');
  expect(linesOf({ card: bare })).toContain('CARD ************4321');
});
