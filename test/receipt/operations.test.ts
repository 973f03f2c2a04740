/** What each operation’s receipt says about the money, readable at 58 mm, and the scheme rules that apply to all. */
import { describe, expect, test } from 'vitest';
import { receipt as english } from '../../src/locales/shopper/en.ts';
import type { ReceiptFacts, ReceiptOperation } from '../../src/receipt/facts.ts';
import { type Copy, receiptOf } from '../../src/receipt/receipt.ts';
import { receiptText, type Width } from '../../src/receipt/text.ts';
import { operations } from '../../src/receipt/words.ts';
import { card, sale } from './sample.ts';

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const DAY_MS = 86_400_000;
const { maskedPan, aid = '', label = '' } = card;
/** A follow-up shows the card of its payment, without the chip's data about that payment. */
const follows = { card: { maskedPan, aid, label }, originalReceiptNumber: '000398' } as const;

const kinds = {
  'a sale with a tip': { amount: eur(5_500n), tip: eur(500n), cashier: 'Anna' },
  'a part approved': { requested: eur(6_000n), amount: eur(4_000n), bill: { total: eur(6_000n), left: eur(2_000n) } },
  'the rest of a bill': { amount: eur(2_000n), bill: { total: eur(6_000n), left: eur(0n) } },
  'a pre-authorisation': { operation: 'preauthorisation', amount: eur(10_000n), heldUntil: sale.at + 7 * DAY_MS },
  'an increment': {
    ...follows,
    ...{ operation: 'increment', amount: eur(2_000n), heldInAll: eur(12_000n), heldUntil: sale.at + 7 * DAY_MS },
  },
  'a completion with a tip': { ...follows, operation: 'completion', amount: eur(11_000n), tip: eur(1_000n) },
  'a stored completion': { ...follows, operation: 'completion', amount: eur(11_000n), offline: 'stored' },
  'a void': { ...follows, operation: 'void' },
  'a void of a sale that was never sent': { ...follows, operation: 'void', neverSent: true },
  'a release': { ...follows, operation: 'release', amount: eur(10_000n) },
  'a credit': { operation: 'credit' },
  'a gift card': {
    card: { maskedPan: '************0010', label: 'GIFT CARD' },
    ...{
      requested: eur(2_500n),
      amount: eur(1_000n),
      balance: eur(0n),
      bill: { total: eur(2_500n), left: eur(1_500n) },
    },
  },
} as const satisfies Record<string, Partial<ReceiptFacts>>;

const printLines = (facts: Partial<ReceiptFacts>, copy: Copy = 'customer', width: Width = 32): string[] =>
  receiptText(receiptOf({ ...sale, ...facts }, { copy }), width);

/** The part between the second rule and the name of the copy. */
const middleOf = (facts: Partial<ReceiptFacts>): string => {
  const lines = printLines(facts);
  const rules = lines.flatMap((line, index) => (line.startsWith('---') ? [index] : []));
  return lines.slice((rules[1] ?? 0) + 1, -3).join('\n');
};

const expected: Readonly<Record<keyof typeof kinds, string>> = {
  'a sale with a tip': `
SALE                   50.00 EUR
TIP                     5.00 EUR
TOTAL                  55.00 EUR
VISA DEBIT      ************4321
CHIP                PIN VERIFIED
AID               A0000000031010
AC TC           6ECF9347C1A92471
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED`,
  'a part approved': `
ASKED FOR              60.00 EUR
SALE                   40.00 EUR
STILL TO PAY           20.00 EUR
VISA DEBIT      ************4321
CHIP                PIN VERIFIED
AID               A0000000031010
AC TC           6ECF9347C1A92471
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
  A PART OF WHAT WAS ASKED FOR`,
  'the rest of a bill': `
SALE                   20.00 EUR
BILL                   60.00 EUR
STILL TO PAY             NOTHING
VISA DEBIT      ************4321
CHIP                PIN VERIFIED
AID               A0000000031010
AC TC           6ECF9347C1A92471
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED`,
  'a pre-authorisation': `
PRE-AUTHORISATION     100.00 EUR
RESERVED UNTIL        2026-11-27
VISA DEBIT      ************4321
CHIP                PIN VERIFIED
AID               A0000000031010
AC TC           6ECF9347C1A92471
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
     RESERVED, NOT CHARGED`,
  'an increment': `
INCREMENT              20.00 EUR
RESERVED IN ALL       120.00 EUR
RESERVED UNTIL        2026-11-27
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
     RESERVED, NOT CHARGED`,
  'a completion with a tip': `
COMPLETION            100.00 EUR
TIP                    10.00 EUR
TOTAL                 110.00 EUR
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED`,
  'a stored completion': `
COMPLETION            110.00 EUR
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
TRACE                     000417
      OFFLINE, SUBJECT TO
         AUTHORISATION
--------------------------------
TAKEN OFFLINE, NOT APPROVED YET`,
  'a void': `
VOID                   12.50 EUR
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
       NOTHING IS CHARGED`,
  'a void of a sale that was never sent': `
VOID                   12.50 EUR
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
AUTH 831742       TRACE   000417
--------------------------------
             VOIDED
     NEVER SENT TO THE BANK`,
  'a release': `
RELEASE               100.00 EUR
OF RECEIPT                000398
VISA DEBIT      ************4321
AID               A0000000031010
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
  NOTHING IS RESERVED ANY MORE`,
  'a credit': `
CREDIT                 12.50 EUR
VISA DEBIT      ************4321
CHIP                PIN VERIFIED
AID               A0000000031010
AC TC           6ECF9347C1A92471
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED`,
  'a gift card': `
ASKED FOR              25.00 EUR
SALE                   10.00 EUR
LEFT ON THE CARD        0.00 EUR
STILL TO PAY           15.00 EUR
GIFT CARD       ************0010
AUTH 831742       TRACE   000417
--------------------------------
            APPROVED
  A PART OF WHAT WAS ASKED FOR`,
};

test.each(Object.entries(kinds))('%s', (name, facts) => {
  expect(`\n${middleOf(facts)}`).toBe(expected[name as keyof typeof kinds]);
});

test('the cashier is above the time', () => {
  const lines = printLines(kinds['a sale with a tip']);
  expect(lines[lines.findIndex((line) => line.startsWith('2026-11-20')) - 1]).toBe('CASHIER                     Anna');
});

test('the merchant’s copy has the chip’s data with a tip too', () => {
  expect(printLines(kinds['a sale with a tip'], 'merchant', 42)).toContain(
    'TVR 0080008000           TSI          E800',
  );
});

describe('what the schemes require and forbid for every operation', () => {
  const copies = ['customer', 'merchant'] as const;
  const all = Object.entries(kinds).flatMap(([name, facts]) => copies.map((copy) => [name, copy, facts] as const));

  test.each(all)('%s, %s copy', (_, copy, facts) => {
    for (const width of [32, 42] as const) {
      const text = printLines(facts, copy, width).join('\n');
      for (const expected of ['NORDWIND BAKERY', 'Harbour Street 4', '4711', '12345678', '000417', '2026-11-20'])
        expect(text).toContain(expected);
      expect(text).toMatch(/\*{12}\d{4}/);
      expect(text).not.toMatch(/476173|EXP|\d{2}\/\d{2}(?!\d)/);
      if (!('card' in facts) || 'aid' in facts.card) expect(text).toContain('A0000000031010');
    }
  });

  test.each(Object.keys(operations) as ReceiptOperation[])('an unknown %s says so, and has no code', (operation) => {
    const text = printLines({ operation, ending: 'unknown', statusText: 'APPROVED' }).join('\n');
    expect(text).toContain(english[operations[operation].unknown]);
    expect(text).not.toMatch(/APPROVED|831742/);
  });

  test('an operation that failed shows nothing still to be paid or held', () => {
    for (const ending of ['declined', 'notSent', 'unknown'] as const) {
      const text = printLines({ ...kinds['a part approved'], ...kinds['a pre-authorisation'], ending }).join('\n');
      expect(text).not.toMatch(/STILL TO PAY|RESERVED UNTIL|RESERVED, NOT/);
    }
  });
});
