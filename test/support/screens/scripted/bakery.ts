/** A bakery's month: its days, batches and sums, the same in every run. */
import type { BatchReport, BatchRow } from '../../../../src/api/contract/books.ts';
import type { Amount } from '../../../../src/api/contract/wire.ts';

/** Friday, 20 November 2026, 18:12 in Kiel. */
export const AT = Date.UTC(2026, 10, 20, 17, 12);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** `YYYY-MM-DD`, this many days ago. */
export const day = (daysAgo: number): string => new Date(AT - daysAgo * DAY).toISOString().slice(0, 10);

export const EUR = (amount: string): Amount => ({ amount, currency: 'EUR' });
export const amountOf = (value: number): string => value.toFixed(2);

export const batchNow: BatchRow = {
  batch: 31,
  terminalId: '12345678',
  state: 'open',
  day: day(0),
  openedAt: AT - 12 * HOUR,
  sales: 244,
  net: [EUR('2786.70')],
};

export const earlierBatches = (count: number): BatchRow[] =>
  Array.from({ length: count }, (_, index) => ({
    batch: 30 - index > 0 ? 30 - index : 5000 + index,
    terminalId: '12345678',
    state: 'closed' as const,
    day: day(index + 1),
    openedAt: AT - (index + 1) * DAY - 12 * HOUR,
    closedAt: AT - (index + 1) * DAY,
    z: Math.max(1, 30 - index),
    sales: 190 + ((index * 37) % 80),
    net: [EUR(amountOf(2300 + ((index * 373) % 900)))],
    override: index === 3 ? { by: 'Max', reason: 'Line down since noon, the van had to leave' } : undefined,
  }));

const counted = (name: string, count: number, sum: string) => ({ name, count, sum });

export const reportOf = (row: BatchRow): BatchReport => ({
  ...row,
  receipts: { first: 17420 - row.sales, last: 17419 },
  currencies: [
    {
      currency: 'EUR',
      net: row.net[0]?.amount ?? '0.00',
      operations: [counted('sale', 231, '2821.50'), counted('refund', 3, '-34.80'), counted('void', 1, '0.00')],
      brands: [
        counted('AMEX', 18, '203.10'),
        counted('MAESTRO', 31, '402.15'),
        counted('MASTER', 84, '1011.95'),
        counted('VISA', 98, '1169.50'),
      ],
      entryModes: [counted('ICC', 71, '1388.20'), counted('NFC_ICC', 160, '1398.50')],
      cashiers: [counted('Anna', 140, '1702.30'), counted('Ben', 91, '1084.40')],
      tips: counted('tips', 12, '18.40'),
      refunds: counted('refunds', 3, '-34.80'),
      voids: counted('voids', 1, '0.00'),
      offline: counted('offline', 9, '189.60'),
      declined: counted('declined', 11, '240.15'),
      unknown: counted('unknown', 0, '0.00'),
      notSent: counted('notSent', 0, '0.00'),
      places: [],
    },
  ],
});

const pair = (left: string, right: string): string => left + right.padStart(42 - left.length);

/** The stage's till is in test mode. */
const MARK = '********* TEST - NO MONEY MOVED **********';

export const zPaper = ({ batch, z, day: of, net, sales }: BatchRow): string[] => [
  MARK,
  '             NORDWIND BAKERY',
  '',
  `               ${z === undefined ? 'X REPORT 4' : `Z REPORT ${z}`}`,
  '-'.repeat(42),
  pair('TERMINAL', '12345678'),
  pair('BATCH', String(batch)),
  pair('BUSINESS DAY', of),
  '-'.repeat(42),
  pair('SALE          231', '2821.50 EUR'),
  pair('REFUND          3', '-34.80 EUR'),
  pair('VOID            1', '0.00 EUR'),
  '-'.repeat(42),
  pair(`NET           ${sales}`, `${net[0]?.amount ?? '0.00'} EUR`),
  '-'.repeat(42),
  pair('VISA           98', '1169.50 EUR'),
  pair('MASTER         84', '1011.95 EUR'),
  pair('MAESTRO        31', '402.15 EUR'),
  pair('AMEX           18', '203.10 EUR'),
  '-'.repeat(42),
  'PREVIOUS',
  '5a1c 77e0 9b42 0f6d 31c8 a2e4 6610 f9b3',
  'THIS REPORT',
  'c04e 1b97 82d5 3a6f e811 094c 7dd2 5b08',
  MARK,
];
