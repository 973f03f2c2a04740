/** The facts of one sale, which the receipt tests vary. */
import type { ReceiptCard, ReceiptFacts } from '../../src/receipt/facts.ts';

export const card: ReceiptCard = {
  maskedPan: '476173******4321',
  label: 'VISA DEBIT',
  brand: 'VISA',
  entryMode: 'ICC',
  verification: 'onlinePin',
  aid: 'A0000000031010',
  tvr: '0080008000',
  tsi: 'E800',
  iad: '06010A03A02800',
  cryptogram: { kind: 'TC', value: '6ECF9347C1A92471' },
};

export const sale: ReceiptFacts = {
  mode: 'live',
  merchant: { name: 'NORDWIND BAKERY', address: ['Harbour Street 4, Kiel'], id: '4711', vat: 'DE123456789' },
  terminalId: '12345678',
  receiptNumber: '000417',
  batch: '31',
  at: Date.UTC(2026, 10, 20, 13, 2, 11),
  zoneMinutes: 60,
  operation: 'sale',
  amount: { minor: 1250n, currency: 'EUR' },
  card,
  authorisationCode: '831742',
  traceNumber: '000417',
  ending: 'approved',
};
