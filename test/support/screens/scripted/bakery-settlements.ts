/** The bakery's settlement files: one with differences of each kind, the smallest of them a cent, and earlier ones. */
import type { DifferenceRow, ReconciliationDetail } from '../../../../src/api/contract/reconciliations.ts';
import { AT, DAY, day, EUR } from './bakery.ts';

type Row = [receipt: number, till: string, gateway: string | undefined, settled: string, name: string, says: string];

const rows: readonly Row[] = [
  [17207, '8.40', '8.40', '8.41', 'unexplained', 'differs without a known explanation'],
  [17188, '64.00', '64.00', '128.00', 'settledTwice', 'settled more than once'],
  [17231, '23.50', '23.50', '0.00', 'notSettled', 'missing: it should have been settled by now'],
  [17240, '11.20', '11.20', '10.00', 'tipMissing', 'settled without its tip'],
  [17252, '0.00', '18.20', '18.20', 'lateApproval', 'approved at the gateway, and not sold in the till'],
  [17261, '12.60', '12.60', '-12.60', 'chargeback', 'charged back: the customer’s bank took the money back'],
  [17266, '42.00', undefined, '24.00', 'unexplained', 'differs without a known explanation'],
];

const toDo: Readonly<Record<string, string>> = {
  unexplained: 'Ask the acquirer, naming the payment id.',
  settledTwice: 'Ask the acquirer to reverse the second one: the customer was charged twice.',
  notSettled: 'Ask the acquirer, naming the payment id.',
  tipMissing: 'Complete it with the tip, or pay the tip out another way.',
  lateApproval: 'Refund it: the customer paid for a sale that the till recorded as not made.',
  chargeback: 'Answer it with the merchant’s receipt before the acquirer’s deadline.',
};

const findings = (): DifferenceRow[] =>
  rows.map(([receipt, till, gateway, settled, name, text], index) => ({
    n: index + 1,
    receipt,
    sale: `sale-${receipt}`,
    lines: name === 'notSettled' ? [] : name === 'settledTwice' ? [44, 45] : [12 + index * 7],
    till: EUR(till),
    gateway: gateway === undefined ? undefined : EUR(gateway),
    settled: EUR(settled),
    reasons: [{ name, says: text, toDo: toDo[name] }],
  }));

const common = { by: 'Max', statuses: { MATCHED: 228, MULTIPLE_MATCHES: 0, NOT_MATCHED: 3 } };

export const differences = (): ReconciliationDetail => ({
  ...common,
  id: 'r3',
  file: 'settlement-2026-11-19.csv',
  at: AT - 3_600_000,
  days: { first: day(1), last: day(1) },
  records: 234,
  agreeing: 225,
  differences: rows.length,
  resolved: 0,
  payout: [EUR('2590.12')],
  findings: findings(),
  fine: [{ name: 'fee', says: 'settled minus its fee', count: 225, amount: EUR('-31.08') }],
  refused: [
    { line: 9, why: 'Amount is "12,5O", which is no amount' },
    { line: 120, why: 'MerchantId is 4712, another store’s' },
  ],
  refusedCount: 2,
});

export const earlierFiles = (): ReconciliationDetail[] =>
  [2, 1].map((n) => ({
    ...common,
    id: `r${n}`,
    file: `settlement-${day(5 - n)}.csv`,
    at: AT - (5 - n) * DAY,
    days: { first: day(6 - n), last: day(6 - n) },
    records: 201,
    agreeing: 201,
    differences: 0,
    resolved: 0,
    payout: [EUR('2404.66')],
    findings: [],
    refused: [],
    refusedCount: 0,
  }));
