/** The closing table: what the till says of each sale, what the gateway says of it, and whether every cent agrees. */
import { add, type Money, money, printMoney } from '../../base/money.ts';
import type { AuditRow } from '../../runtime/audit.ts';

const columns = [8, 9, 28, 14, 14] as const;

/** The table's lines, and whether till and gateway tell the same of the money. */
export const closing = (rows: readonly AuditRow[], currency: string): { lines: string[]; agrees: boolean } => {
  const zero = money(0n, currency);
  const till = rows.reduce((sum, row) => add(sum, row.till), zero);
  const gateway = rows.reduce((sum, row) => add(sum, row.gateway ?? zero), zero);
  const agrees = rows.every((row) => row.agrees) && till.minor === gateway.minor;
  const lines = [
    line('RECEIPT', 'KIND', 'ENDING', 'TILL', 'GATEWAY'),
    '-'.repeat(79),
    ...rows.map(rowLine),
    '-'.repeat(79),
    line('', '', `${rows.length} operations`, printMoney(till), printMoney(gateway)),
    agrees ? 'Every cent is accounted for.' : 'Till and gateway do NOT agree.',
  ];
  return { lines, agrees };
};

const rowLine = ({ sale, till, gateway, agrees }: AuditRow): string => {
  const { receipt, operation } = sale.intent;
  const ending =
    sale.at === 'ended'
      ? `${sale.ending}${sale.offline ? `, offline (${sale.offline})` : ''}${sale.reversal ? ', given back' : ''}`
      : 'open';
  return (
    line(String(receipt).padStart(6, '0'), operation, ending, printMoney(till), shown(gateway)) +
    (agrees ? '' : '  DIFFERS')
  );
};

const shown = (amount: Money | undefined): string => (amount === undefined ? 'no answer' : printMoney(amount));

const line = (...cells: readonly [string, string, string, string, string]): string =>
  cells.map((cell, at) => (at < 3 ? cell.padEnd(columns[at] ?? 0) : cell.padStart(columns[at] ?? 0))).join(' ');
