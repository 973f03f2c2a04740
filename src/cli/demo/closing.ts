/** The closing table: what the till says of each sale, what the gateway says of it, and whether every cent agrees. */
import { add, type Money, money, printMoney } from '../../base/money.ts';
import type { AuditRow } from '../../runtime/audit.ts';

const columns = [8, 9, 28, 14, 14] as const;

/** The table's lines, and whether till and gateway tell the same of the money, and nothing is open at the terminal. */
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
    // These stand in the terminal's own books: nobody else has them.
    ...(held.length > 0 ? [line('', '', `${held.length} held by the terminal`, atTerminal, '')] : []),
    agrees ? 'Every cent is accounted for.' : 'Till and gateway do NOT agree.',
  ];
  return { lines, agrees };
};

const isHeld = ({ heldBy }: AuditRow): boolean => heldBy === 'terminal';

const rowLine = ({ sale, till, heldBy, gateway, agrees }: AuditRow): string => {
  const { receipt, operation } = sale.intent;
  const ending =
    sale.at === 'ended'
      ? `${sale.ending}${sale.offline ? `, offline (${sale.offline})` : ''}${sale.reversal ? ', given back' : ''}`
      : 'open';
  return (
    line(
      String(receipt).padStart(6, '0'),
      operation,
      ending,
      printMoney(till),
      heldBy === 'terminal' ? 'not asked' : shown(gateway),
    ) + (agrees ? '' : '  DIFFERS')
  );
};

const shown = (amount: Money | undefined): string => (amount === undefined ? 'no answer' : printMoney(amount));

const line = (...cells: readonly [string, string, string, string, string]): string =>
  cells.map((cell, at) => (at < 3 ? cell.padEnd(columns[at] ?? 0) : cell.padStart(columns[at] ?? 0))).join(' ');
