/** Complete receipts as the printer prints them, for reading. */
import { expect, test } from 'vitest';
import type { ReceiptFacts } from '../../src/receipt/facts.ts';
import { type Copy, receiptOf } from '../../src/receipt/receipt.ts';
import { receiptText, type Width } from '../../src/receipt/text.ts';
import { card, sale } from './sample.ts';

const { authorisationCode: _, ...notAuthorised } = sale;

const printText = (facts: ReceiptFacts, width: Width, options: { copy: Copy; duplicate?: boolean }): string =>
  `\n${receiptText(receiptOf(facts, options), width).join('\n')}\n`;

test('prints the customer copy of a chip sale, 80 mm', () => {
  expect(printText(sale, 42, { copy: 'customer' })).toBe(`
             NORDWIND BAKERY
          Harbour Street 4, Kiel
             VAT DE123456789
------------------------------------------
TERMINAL 12345678        RECEIPT    000417
MERCHANT 4711            BATCH          31
2026-11-20                        14:02:11
------------------------------------------
SALE                             12.50 EUR
VISA DEBIT                ************4321
CHIP                          PIN VERIFIED
AID                         A0000000031010
AC TC                     6ECF9347C1A92471
AUTH 831742              TRACE      000417
------------------------------------------
                 APPROVED

              CUSTOMER COPY
      Card slip - not a tax receipt
`);
});

test('prints the merchant copy of a chip sale with signature and the bank’s own text, 58 mm', () => {
  const facts: ReceiptFacts = {
    ...sale,
    card: { ...card, verification: 'signature' },
    statusText: 'Approved by the issuing bank, thank you',
  };
  expect(printText(facts, 32, { copy: 'merchant' })).toBe(`
        NORDWIND BAKERY
     Harbour Street 4, Kiel
        VAT DE123456789
--------------------------------
TERMINAL 12345678 RECEIPT 000417
MERCHANT 4711     BATCH       31
2026-11-20              14:02:11
--------------------------------
SALE                   12.50 EUR
VISA DEBIT      ************4321
CHIP                   SIGNATURE
AID               A0000000031010
AC TC           6ECF9347C1A92471
TVR 0080008000    TSI       E800
IAD               06010A03A02800
AUTH 831742       TRACE   000417
--------------------------------
 Approved by the issuing bank,
           thank you


________________________________
SIGNATURE

         MERCHANT COPY
 Card slip - not a tax receipt
`);
});

test('prints a duplicate of a tap taken offline by the store, 58 mm', () => {
  const facts: ReceiptFacts = {
    ...notAuthorised,
    card: {
      ...card,
      entryMode: 'NFC_ICC',
      verification: 'device',
      cryptogram: { kind: 'ARQC', value: '0123456789ABCDEF' },
    },
    offline: 'deferred',
  };
  expect(printText(facts, 32, { copy: 'customer', duplicate: true })).toBe(`
           DUPLICATE
        NORDWIND BAKERY
     Harbour Street 4, Kiel
        VAT DE123456789
--------------------------------
TERMINAL 12345678 RECEIPT 000417
MERCHANT 4711     BATCH       31
2026-11-20              14:02:11
--------------------------------
SALE                   12.50 EUR
VISA DEBIT      ************4321
CONTACTLESS      DEVICE VERIFIED
AID               A0000000031010
AC ARQC         0123456789ABCDEF
TRACE                     000417
      OFFLINE, SUBJECT TO
         AUTHORISATION
--------------------------------
TAKEN OFFLINE, NOT APPROVED YET

         CUSTOMER COPY
 Card slip - not a tax receipt
           DUPLICATE
`);
});

test('prints long names, long ids and two-column characters, 58 mm', () => {
  const facts: ReceiptFacts = {
    ...notAuthorised,
    merchant: {
      name: '北京市朝阳区建国路八十八号现代城五号楼',
      address: ['Unit 12, The Old Rope Works and Chandlery, Quayside North'],
      id: '123456789012345',
    },
    card: { ...card, iad: `0FA501A030F80000000000000000000F${'0'.repeat(32)}` },
    ending: 'declined',
    reason: 'Not enough money in the account',
  };
  expect(printText(facts, 32, { copy: 'merchant' })).toBe(`
北京市朝阳区建国路八十八号现代城
             五号楼
Unit 12, The Old Rope Works and
   Chandlery, Quayside North
--------------------------------
TERMINAL 12345678 RECEIPT 000417
MERCHANT         123456789012345
BATCH                         31
2026-11-20              14:02:11
--------------------------------
SALE                   12.50 EUR
VISA DEBIT      ************4321
CHIP                 PIN ENTERED
AID               A0000000031010
AC TC           6ECF9347C1A92471
TVR 0080008000    TSI       E800
IAD
0FA501A030F80000000000000000000F
00000000000000000000000000000000
TRACE                     000417
--------------------------------
            DECLINED
          NOT CHARGED
Not enough money in the account

         MERCHANT COPY
 Card slip - not a tax receipt
`);
});

test('prints a sale cancelled before any card was read, 80 mm', () => {
  const { card: _card, batch: _batch, traceNumber: _trace, ...noCard } = notAuthorised;
  const facts: ReceiptFacts = { ...noCard, ending: 'notSent', reason: 'Cancelled by the customer' };
  expect(printText(facts, 42, { copy: 'customer' })).toBe(`
             NORDWIND BAKERY
          Harbour Street 4, Kiel
             VAT DE123456789
------------------------------------------
TERMINAL 12345678        RECEIPT    000417
MERCHANT                              4711
2026-11-20                        14:02:11
------------------------------------------
SALE                             12.50 EUR
------------------------------------------
               NOT CHARGED
        Cancelled by the customer

              CUSTOMER COPY
      Card slip - not a tax receipt
`);
});

test('prints the customer copy of a sale at a test till, 80 mm', () => {
  expect(printText({ ...sale, mode: 'test' }, 42, { copy: 'customer' })).toBe(`
********* TEST - NO MONEY MOVED **********
             NORDWIND BAKERY
          Harbour Street 4, Kiel
             VAT DE123456789
------------------------------------------
TERMINAL 12345678        RECEIPT    000417
MERCHANT 4711            BATCH          31
2026-11-20                        14:02:11
------------------------------------------
SALE                             12.50 EUR
VISA DEBIT                ************4321
CHIP                          PIN VERIFIED
AID                         A0000000031010
AC TC                     6ECF9347C1A92471
AUTH 831742              TRACE      000417
------------------------------------------
                 APPROVED

              CUSTOMER COPY
      Card slip - not a tax receipt
********* TEST - NO MONEY MOVED **********
`);
});
