/** Unpaid sales of one terminal for its books: those that stand, and those that are at their end. */
import { printMoney } from '../base/money.ts';
import type { Sql } from '../journal/sql.ts';
import type { Batch } from '../reconciliation/batches.ts';
import type { UnpaidMoney, UnpaidOver, UnpaidWhy } from '../reconciliation/unpaid-money.ts';
import { replay } from '../till/sale.ts';
import { missingOf } from '../till/unpaid.ts';
import type { Books } from './books.ts';
import { allLosses } from './forward-losses.ts';
import type { FullLedger } from './ledger.ts';
import type { Unpaid } from './unpaid.ts';
import { unpaidIn } from './unpaid-desk.ts';

export type UnpaidBooks = { open: UnpaidMoney[]; over: UnpaidOver[] };

/** In the order in which it was learnt that they are unpaid. */
export const unpaidOfTerminal = (
  { books, ledger, sql }: { books: Pick<Books, 'batches'>; ledger: FullLedger; sql: Sql },
  terminalId: string,
): UnpaidBooks => {
  const batches = books.batches().filter((one) => one.terminalId === terminalId);
  const found: UnpaidBooks = { open: [], over: [] };
  for (const id of allLosses(sql)) {
    const sale = replay(ledger.events(id));
    const unpaid = sale?.intent.terminalId === terminalId ? unpaidIn({ ledger, sql }, sale) : undefined;
    if (unpaid === undefined) continue;
    const batch = batchOf(batches, sql, id);
    if (unpaid.state === 'open' || unpaid.state === 'charging') found.open.push(moneyOf(unpaid, batch));
    else found.over.push(overOf(unpaid, { how: unpaid.state, batch }));
  }
  return found;
};

const batchOf = (batches: readonly Batch[], sql: Sql, sale: string): number => {
  const entry = Number(sql.get('SELECT min(entry) AS n FROM entry WHERE subject = ?', sale)?.['n'] ?? 0);
  return batches.find(({ from, until }) => entry > from && (until === undefined || entry < until))?.batch ?? 0;
};

const moneyOf = ({ sale, missing }: Unpaid, batch: number): UnpaidMoney => ({
  ...{ sale: sale.intent.sale, receipt: sale.intent.receipt, batch },
  ...{ amount: printMoney(missing), why: whyOf(sale) },
});

const overOf = ({ sale, tries }: Unpaid, { how, batch }: Pick<UnpaidOver, 'how' | 'batch'>): UnpaidOver => {
  const again = tries.flatMap((one) => (one.at === 'ended' && one.ending === 'approved' ? [one.intent.receipt] : []));
  const { who, reason } = sale.unpaidEnd ?? {};
  return {
    ...{ receipt: sale.intent.receipt, batch, amount: printMoney(missingOf(sale) ?? sale.intent.amount), how },
    ...(again.length > 0 && { again }),
    ...(who !== undefined && { by: who }),
    ...(reason !== undefined && { reason }),
  };
};

const whyOf = ({ reason, forwarded }: Unpaid['sale']): UnpaidWhy => {
  if (reason === 'cardDataExpired') return 'expired';
  if (forwarded === undefined) return 'givenUp';
  return forwarded.approved ? 'part' : 'declined';
};
