/** The closing table: each sale at the till and at the gateway, and whether they agree to the cent. */

import type { BatchReport } from '../../api/contract/books.ts';
import type { SettlementComparison } from '../../api/contract/reconciliations.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { add, type Money, money, printMoney } from '../../base/money.ts';
import type { Hold } from '../../ledger/bills.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { findingLines, minorOf, refusedLines, summaryLines } from '../selling/reconcile.ts';
import { names } from '../terms.ts';

const columns = [7, 17, 25, 13, 13] as const;

/** The lines of the table, and whether till and gateway agree about every sale. */
export const closing = (rows: readonly AuditRow[], currency: string): { lines: string[]; agrees: boolean } => {
  const sum = (amounts: readonly Money[]) => amounts.reduce(add, money(0n, currency));
  const [asked, held] = [rows.filter(({ heldBy }) => heldBy === 'gateway'), rows.filter(isHeld)];
  const till = sum(asked.map((row) => row.till));
  const gateway = sum(asked.flatMap((row) => row.gateway ?? []));
  const agrees = rows.every((row) => row.agrees) && till.minor === gateway.minor;
  const atTerminal = printMoney(sum(held.map((row) => row.till)));
  const lines = [
    line('RECEIPT', 'KIND', 'ENDING', 'TILL', 'GATEWAY'),
    '-'.repeat(79),
    ...rows.map(rowLine),
    '-'.repeat(79),
    ...(asked.length > 0 ? [line('', '', `${asked.length} operations`, printMoney(till), printMoney(gateway))] : []),
    // Only the terminal's own books contain these.
    ...(held.length > 0 ? [line('', '', `${held.length} held by the terminal`, atTerminal, '')] : []),
    agrees ? 'Every cent is accounted for.' : 'Till and gateway do NOT agree.',
  ];
  return { lines, agrees };
};

const isHeld = ({ heldBy }: AuditRow): boolean => heldBy === 'terminal';

const endingOf = (sale: AuditRow['sale']): string => {
  if (sale.at !== 'ended') return 'open';
  const { ending, offline, reversal, reason } = sale;
  if (reason === 'voidedBeforeSending') return 'voided before it was sent';
  return `${ending}${offline ? ` offline (${offline})` : ''}${reversal ? ', given back' : ''}`;
};

const rowLine = ({ sale, till, heldBy, gateway, agrees }: AuditRow): string => {
  const { receipt, operation } = sale.intent;
  return (
    line(
      String(receipt).padStart(6, '0'),
      names[operation],
      endingOf(sale),
      printMoney(till),
      heldBy === 'terminal' ? 'not asked' : printAmount(gateway),
    ) + (agrees ? '' : '  DIFFERS')
  );
};

const printAmount = (amount: Money | undefined): string => (amount === undefined ? 'no answer' : printMoney(amount));

const line = (...cells: readonly [string, string, string, string, string]): string =>
  cells.map((cell, at) => (at < 3 ? cell.padEnd(columns[at] ?? 0) : cell.padStart(columns[at] ?? 0))).join(' ');

/** What is still held on cards at the end of the day. */
export const holdsLine = (holds: readonly Hold[]): string =>
  holds.length === 0
    ? 'Nothing is held on cards.'
    : holds
        .map(({ sale, left }) => `Receipt ${sale.intent.receipt}: ${printMoney(left)} is still held on the card.`)
        .join('\n');

// The settlement file against till and gateway: whether payout and fees add up to the Z reports.

type Batch = Pick<NonNullable<BatchReport['record']>, 'z'>;

/** Agrees if the file contains every sale to the cent, and nothing else. */
export const settled = (
  result: SettlementComparison,
  batches: readonly Batch[],
  currency: string,
): { lines: string[]; agrees: boolean } => {
  const { findings, refusedCount, payout } = result;
  const paid = money(sumOf(payout.filter((one) => one.currency === currency).map(minorOf)), currency);
  const fees = money(sumOf(findings.flatMap(({ reasons }) => reasons.map(feeOf))), currency);
  const off = findings.filter(({ reasons }) => reasons.some(({ name }) => name !== 'fee'));
  const taken = money(sumOf(batches.map((batch) => netOf(batch, currency))), currency);
  const agrees = off.length === 0 && refusedCount === 0 && paid.minor + fees.minor === taken.minor;
  return {
    lines: [
      ...summaryLines(result),
      row('Paid out', paid),
      row('Fees', fees),
      row('Z report, net', taken),
      ...(off.length === 0 ? [] : findingLines(off)),
      ...refusedLines(result),
      agrees ? 'Till, gateway and settlement agree to the cent.' : 'Till, gateway and settlement do NOT agree.',
    ],
    agrees,
  };
};

const row = (words: string, amount: Money): string => `${words.padEnd(20)}${printMoney(amount).padStart(14)}`;

const sumOf = (minors: readonly bigint[]): bigint => minors.reduce((sum, minor) => sum + minor, 0n);

const feeOf = ({ name, amount }: { name: string; amount: Amount }): bigint => (name === 'fee' ? -minorOf(amount) : 0n);

/** Minor units of the amount in the report, which is formatted for people. */
const netOf = ({ z }: Batch, currency: string): bigint => {
  const net = z?.report.currencies.find((one) => one.currency === currency)?.net ?? '0.00';
  return BigInt(net.replace('.', ''));
};
