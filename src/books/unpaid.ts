/** The unpaid sales of one terminal for its books: open ones, and settled ones. */
import { printMoney } from '../base/money.ts';
import type { Sql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { lossesAt, openLossesAt } from '../offline/forward-losses.ts';
import type { Unpaid } from '../offline/unpaid.ts';
import { unpaidIn } from '../offline/unpaid-sales.ts';
import type { Batch } from '../reconciliation/batches.ts';
import type { SettledUnpaid, UnpaidMoney, UnpaidReason } from '../reconciliation/open-money.ts';
import { missingOf } from '../till/machine/ended-rules.ts';
import type { Books } from './books.ts';

export type UnpaidOfTerminal = { open: UnpaidMoney[]; over: SettledUnpaid[] };

type Source = { books: Pick<Books, 'batches'>; ledger: FullLedger; sql: Sql };

/** In the order in which the till learned that they are unpaid. Reads every unpaid sale that the terminal ever had. */
export const unpaidOfTerminal = (source: Source, terminalId: string): UnpaidOfTerminal => {
  const found: UnpaidOfTerminal = { open: [], over: [] };
  for (const { unpaid, batch } of unpaidInBatches(source, terminalId, lossesAt(source.sql, terminalId))) {
    const { state } = unpaid;
    if (state === 'open' || state === 'charging') found.open.push(moneyOf(unpaid, batch));
    else found.over.push(overOf(unpaid, { how: state, batch }));
  }
  return found;
};

/** Those that nobody has paid or closed, in the same order, without reading the others. */
export const openUnpaidOfTerminal = (source: Source, terminalId: string): UnpaidMoney[] =>
  unpaidInBatches(source, terminalId, openLossesAt(source.sql, terminalId)).map(({ unpaid, batch }) =>
    moneyOf(unpaid, batch),
  );

type UnpaidInBatch = { unpaid: Unpaid; batch: number };

const unpaidInBatches = (
  { books, ledger, sql }: Source,
  terminalId: string,
  ids: readonly string[],
): UnpaidInBatch[] => {
  const batches = books.batches().filter((one) => one.terminalId === terminalId);
  return ids.flatMap((id) => {
    const sale = ledger.sale(id);
    const unpaid = sale && unpaidIn({ ledger, sql }, sale);
    return unpaid === undefined ? [] : [{ unpaid, batch: batchOf(batches, sql, id) }];
  });
};

const batchOf = (batches: readonly Batch[], sql: Sql, sale: string): number => {
  const entry = Number(sql.get('SELECT min(entry) AS n FROM entry WHERE subject = ?', sale)?.['n'] ?? 0);
  return batches.find(({ from, until }) => entry > from && (until === undefined || entry < until))?.batch ?? 0;
};

const moneyOf = ({ sale, missing }: Unpaid, batch: number): UnpaidMoney => ({
  sale: sale.intent.sale,
  receipt: sale.intent.receipt,
  batch,
  amount: printMoney(missing),
  why: whyOf(sale),
});

const overOf = ({ sale, tries }: Unpaid, { how, batch }: Pick<SettledUnpaid, 'how' | 'batch'>): SettledUnpaid => {
  const retryReceipts = tries.flatMap((one) =>
    one.at === 'ended' && one.ending === 'approved' ? [one.intent.receipt] : [],
  );
  const { who, reason } = sale.unpaidEnd ?? {};
  return {
    receipt: sale.intent.receipt,
    batch,
    amount: printMoney(missingOf(sale) ?? sale.intent.amount),
    how,
    again: retryReceipts.length > 0 ? retryReceipts : undefined,
    by: who,
    reason,
  };
};

const whyOf = ({ reason, forwarded }: Unpaid['sale']): UnpaidReason => {
  if (reason === 'cardDataExpired') return 'expired';
  if (forwarded === undefined) return 'givenUp';
  return forwarded.approved ? 'part' : 'declined';
};
