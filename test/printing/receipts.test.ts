/** Turning a sale from the journal into its receipt: which words and codes it may have, ending by ending. */
import { expect, test } from 'vitest';
import type { Config } from '../../src/folder/config.ts';
import type { ReceiptContext } from '../../src/ledger/bills.ts';
import { receiptLines } from '../../src/printing/receipts.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';

const config: Config = {
  merchant: { name: 'NORDWIND BAKERY', address: ['Harbour Street 4, Kiel'], id: '4711' },
  currency: 'EUR',
  terminalId: '10000001',
  gateway: { entityId: 'a'.repeat(32), timeoutMs: 1_000, requestLifeMs: 0 },
  offline: { chip: { upTo: '50.00' }, deferred: { upTo: '0.00' }, total: '500.00', count: 1 },
};
const approved: EndedSale = {
  at: 'ended',
  intent: {
    sale: 's',
    operation: 'sale',
    amount: { minor: 1250n, currency: 'EUR' },
    terminalId: '1',
    sequence: 9,
    receipt: 9,
    gateway: 'g',
    key: 'k',
    at: 0,
  },
  card: {
    entryMode: 'ICC',
    maskedPan: '476173******0010',
    verification: 'onlinePin',
    aid: 'A0000000031010',
    label: 'VISA DEBIT',
    cryptogram: { kind: 'ARQC', value: '11' },
  },
  chip: { cryptogram: { kind: 'TC', value: '22' } },
  answer: { code: '000.100.110', description: 'done', statusText: 'APPROVED', authorisationCode: '831742' },
  ending: 'approved',
  reason: 'approved',
};
const stripe = {
  ...approved,
  card: { entryMode: 'MAGSTRIPE', maskedPan: '420000******0000', verification: 'signature' },
} as const;

type Row = [says: string, sale: EndedSale, present: string[], absent: string[]];

const rows: Row[] = [
  [
    'approved',
    approved,
    ['APPROVED', 'AUTH 831742', 'AC TC', 'PIN VERIFIED', '************0010'],
    ['ARQC', '476173', 'OFFLINE'],
  ],
  [
    'approved, then refused by the chip',
    { ...approved, ending: 'declined', reason: 'chipRefusedApproval', reversal: 'due' },
    ['The bank approved, then the card declined'],
    ['  APPROVED', '831742'],
  ],
  [
    'approved offline',
    { ...approved, offline: 'chip', reason: 'approvedOffline' },
    ['APPROVED OFFLINE', 'OFFLINE, APPROVED BY THE CHIP'],
    ['831742'],
  ],
  [
    'offline, answered since',
    {
      ...approved,
      offline: 'deferred',
      reason: 'takenOffline',
      forwarded: { approved: true, answer: { code: '', description: '' } },
    },
    ['APPROVED', 'AUTH 831742'],
    ['OFFLINE'],
  ],
  [
    'declined',
    {
      ...approved,
      ending: 'declined',
      reason: 'declinedByHost',
      why: 'transaction declined (amount exceeds credit)',
      answer: { code: '800.100.155', description: '', statusText: 'DECLINED' },
    },
    ['DECLINED', 'Declined by the bank'],
    ['AUTH', 'exceeds credit'],
  ],
  [
    'unknown',
    { ...approved, ending: 'unknown', reason: 'unanswered' },
    ['RESULT UNKNOWN', 'DO NOT CHARGE AGAIN'],
    ['831742', '  APPROVED'],
  ],
  ['a magnetic stripe, with the brand from its number', stripe, ['VISA', 'SWIPED', 'SIGNATURE'], ['CARD ']],
  [
    'a refund',
    {
      ...approved,
      intent: { ...approved.intent, operation: 'refund', follows: { sale: 'x', payment: 'p', receipt: 7 } },
    },
    ['REFUND', 'OF RECEIPT', '000007'],
    ['SALE '],
  ],
];

const lines = { customer: ['* KUNDENBELEG *', 'Karte ****4321'], merchant: ['* HAENDLERBELEG *'] };
const { card: _, answer: __, chip: ___, ...plain } = approved;
const payment = {
  amount: approved.intent.amount,
  receiptNumber: '0018',
  traceNumber: '000123',
  authorisationCode: '489014',
  maskedPan: '476173******4321',
  cardName: 'VISA CREDIT',
  verification: 'onlinePin',
  entryMode: 'ICC',
  aid: 'A0000000031010',
} as const;
const terminal = { device: 'T 1', before: { text: 'none' }, payment, slip: lines } as const;
const atTerminal: EndedSale = { ...plain, intent: { ...approved.intent, by: 'terminal' }, terminal };
const withoutSlip = (sale: EndedSale): EndedSale => ({
  ...sale,
  ...(sale.terminal && { terminal: { ...sale.terminal, slip: { customer: [], merchant: [] } } }),
});

const terminalRows: Row[] = [
  [
    'a terminal that authorises by itself: its own lines',
    atTerminal,
    ['NORDWIND BAKERY', '* KUNDENBELEG *', 'APPROVED'],
    ['HAENDLER', 'AUTH'],
  ],
  [
    'such a terminal without lines',
    withoutSlip(atTerminal),
    ['VISA CREDIT', '4321', 'CHIP', 'PIN VERIFIED', 'AUTH 489014', '000123'],
    ['476173'],
  ],
  [
    'such a terminal without a trace number: the sale’s own',
    withoutSlip({ ...atTerminal, terminal: { ...terminal, payment: { ...payment, traceNumber: undefined } } }),
    ['AUTH 489014', '000009'],
    ['000123'],
  ],
  [
    'declined there',
    { ...atTerminal, ending: 'declined', reason: 'declinedAtTerminal', why: 'limit' },
    ['* KUNDENBELEG *', 'DECLINED', 'NOT CHARGED'],
    ['limit', '489014'],
  ],
  [
    'approved there and reversed: its earlier text does not apply',
    { ...atTerminal, ending: 'declined', reason: 'cancelledAfterApproval', reversal: 'done' },
    ['DECLINED', 'NOT CHARGED', 'Cancelled at the till'],
    ['KUNDENBELEG', '489014', '  APPROVED'],
  ],
  [
    'not known',
    { ...plain, intent: atTerminal.intent, ending: 'unknown', reason: 'unclearAtTerminal', why: 'x' },
    ['RESULT UNKNOWN', 'DO NOT CHARGE AGAIN', 'The terminal does not know'],
    ['  APPROVED'],
  ],
];

const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
const follows = { sale: 's', payment: 'p', receipt: 9 };
const { chip: _chip, card: _card, ...cardless } = approved;

type OperationRow = readonly [
  says: string,
  sale: EndedSale,
  present: string[],
  absent: string[],
  about: ReceiptContext,
];

const operationRows: readonly OperationRow[] = [
  [
    'a tip',
    { ...approved, intent: { ...approved.intent, tip: eur(250n), cashier: 'Anna' } },
    ['SALE                             10.00 EUR', 'TIP                               2.50 EUR', 'CASHIER'],
    [],
    {},
  ],
  [
    'a program: its name, and never who is responsible for its key',
    {
      ...approved,
      intent: { ...approved.intent, cashier: 'Kiosk', program: { madeBy: 'Thomasina', approvedBy: 'Anastasia' } },
    },
    ['CASHIER', 'Kiosk'],
    ['Thomasina', 'THOMASINA', 'Anastasia', 'ANASTASIA'],
    {},
  ],
  [
    'a partial approval: no tip is shown',
    {
      ...approved,
      intent: { ...approved.intent, tip: eur(250n), partial: true },
      answer: { code: '000.100.110', description: '', statusText: 'APPROVED', approved: eur(1_000n) },
    },
    ['ASKED FOR                        12.50 EUR', 'SALE                             10.00 EUR', 'STILL TO PAY'],
    ['TIP  '],
    { bill: { total: eur(1_250n), left: eur(250n) } },
  ],
  [
    'approved in part, then refused by the chip: no rest is shown',
    {
      ...approved,
      ...{ ending: 'declined', reason: 'chipRefusedApproval', reversal: 'due' },
      answer: { code: '000.100.110', description: '', approved: eur(1_000n) },
    },
    ['DECLINED', 'NOT CHARGED', 'SALE                             12.50 EUR'],
    ['ASKED FOR', 'STILL TO PAY', '10.00'],
    { bill: { total: eur(1_250n), left: eur(1_250n) } },
  ],
  [
    'a completion: the code and the card of its pre-authorisation, without chip data',
    {
      ...cardless,
      ...{ intent: { ...approved.intent, operation: 'completion', receipt: 10, follows }, reason: 'completed' },
      answer: { code: '000.100.110', description: '' },
    },
    ['COMPLETION', 'OF RECEIPT', '000009', 'VISA DEBIT', '************0010', 'A0000000031010', 'AUTH 831742'],
    ['AC TC', 'PIN', 'CHIP', '476173'],
    { followed: approved },
  ],
  [
    'a stored completion: no code, whatever there was before',
    {
      ...cardless,
      ...{ intent: { ...approved.intent, operation: 'completion', receipt: 10, follows } },
      ...{ answer: { code: '', description: '' }, reason: 'stored', offline: 'stored' },
    },
    ['OFFLINE, SUBJECT TO AUTHORISATION', 'TAKEN OFFLINE, NOT APPROVED YET'],
    ['AUTH 831742', '  APPROVED'],
    { followed: approved },
  ],
  [
    'a void',
    {
      ...cardless,
      ...{ intent: { ...approved.intent, operation: 'void', receipt: 10, follows }, reason: 'voided' },
    },
    ['VOID ', 'NOTHING IS CHARGED', 'APPROVED'],
    [],
    { followed: approved },
  ],
  [
    'a void before the sale was sent',
    {
      ...{ at: 'ended', ending: 'approved', reason: 'voidedBeforeSending' },
      intent: { ...approved.intent, operation: 'void', receipt: 10, follows },
    },
    ['VOIDED', 'NEVER SENT TO THE BANK'],
    ['AUTH', '  APPROVED'],
    { followed: approved },
  ],
  [
    'a gift card',
    {
      ...cardless,
      intent: { ...approved.intent, giftCard: { maskedNumber: '************6677' } },
      answer: { code: '000.100.110', description: '', balance: eur(8_750n) },
    },
    ['GIFT CARD                 ************6677', 'LEFT ON THE CARD                 87.50 EUR'],
    ['VISA'],
    {},
  ],
];

test.each(operationRows)('%s', (_, sale, present, absent, about) => {
  for (const copy of ['customer', 'merchant'] as const) {
    const text = receiptLines(sale, config, { mode: 'live', copy, width: 42, about }).join('\n');
    for (const message of present) expect(text).toContain(message);
    for (const message of absent) expect(text).not.toContain(message);
  }
});

test.each([...rows, ...terminalRows])('%s', (_, sale, present, absent) => {
  const text = receiptLines(sale, config, { mode: 'live', copy: 'customer', width: 42 }).join('\n');
  for (const message of present) expect(text).toContain(message);
  for (const message of absent) expect(text).not.toContain(message);
});

test('the time is in the shop’s zone, wherever the machine is', () => {
  const sale = { ...approved, intent: { ...approved.intent, at: Date.UTC(2026, 0, 1, 11, 30) } };
  const lines = (timeZone: string) =>
    receiptLines(
      sale,
      { ...config, businessDay: { cutOff: '04:00', timeZone } },
      { mode: 'live', copy: 'customer', width: 42 },
    ).join();
  expect(lines('Pacific/Auckland')).toMatch(/2026-01-02 +00:30:00/);
  expect(lines('America/Los_Angeles')).toMatch(/2026-01-01 +03:30:00/);
});
