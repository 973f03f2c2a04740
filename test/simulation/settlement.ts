/** The acquirer's settlement file for a till's day, created from the issuer's books: every line has to match. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, isFault } from '../../src/base/fault.ts';
import { settlementColumns } from '../../src/gateway/spec/settlement-columns.ts';
import { isOff } from '../../src/reconciliation/reconcile.ts';
import type { Cells } from '../../src/reconciliation/settlement-columns.ts';
import type { Booking } from '../support/till/issuer-books.ts';
import { runInRealTime } from './real-work.ts';
import type { Station } from './station.ts';

const kinds: Readonly<Record<string, readonly [string, 'POS' | 'NEG']>> = {
  DB: ['DEBIT', 'POS'],
  CP: ['DEBIT', 'POS'],
  RF: ['REFUND', 'NEG'],
  CD: ['CREDIT', 'NEG'],
};

/** Compares each batch with a file of its payments. A terminal's own payments are settled in another file. */
export const checkSettlement = async (station: Station): Promise<void> => {
  if (station.device !== undefined) return;
  const { books } = station.run.running;
  for (const batch of books.batches()) {
    const file = join(station.folder, `settlement-${batch.batch}.csv`);
    const sales = new Set(books.sales(batch).map(({ intent }) => intent.sale));
    const lines = linesOf(station, (sale) => sales.has(sale));
    writeFileSync(file, [settlementColumns.join(';'), ...lines.map(textOf)].join('\n').concat('\n'));
    try {
      const { statuses, findings, refused, refusedCount } = await runInRealTime(
        station.store.clock,
        books.reconcile({ file, batch }),
      );
      if (statuses.MATCHED !== lines.length || refusedCount > 0)
        station.report(
          `of ${lines.length} settled payments ${statuses.MATCHED} match, ${refusedCount} are refused: ${refused[0]?.says ?? ''}`,
        );
      for (const { receipt, till, settled, reasons } of findings.filter(isOff))
        station.report(
          `receipt ${receipt}: ${settled} is settled of ${till}: ${reasons.map(({ name }) => name).join()}`,
        );
    } catch (error) {
      if (!isFault(error)) throw error;
      station.report(`the settlement file does not match: ${errorText(error)}`);
    }
  }
};

const linesOf = (station: Station, isIncluded: (sale: string) => boolean): Cells[] => {
  const approvedBookings = station.store.issuer.books.filter(({ code }) => code === '000.100.110');
  const reversed = new Set(
    approvedBookings.flatMap(({ paymentType, of: reversedId }) => (paymentType === 'RV' ? [reversedId] : [])),
  );
  return approvedBookings
    .filter(({ id, merchantTransactionId }) => isIncluded(merchantTransactionId) && !reversed.has(id))
    .flatMap((booking) => lineOf(station, booking) ?? []);
};

const lineOf = (station: Station, { paymentType, id, merchantTransactionId, amount, currency }: Booking) => {
  const kind = kinds[paymentType];
  if (kind === undefined) return undefined;
  return {
    ...{ ReconciliationType: 'SETTLED', PaymentType: kind[0], Cashflow: kind[1], MerchantId: 'e'.repeat(32) },
    ...{ UniqueID: id, TransactionId: merchantTransactionId, Amount: amount, Currency: currency },
    ...{ SettlementAmount: amount, SettlementCurrency: currency, SettlementFxRate: '1.00' },
    ...{ SettlementDate: new Date(station.store.clock.now()).toISOString().slice(0, 10), SettlementStatus: 'SUCCESS' },
  } satisfies Cells;
};

const textOf = (cells: Cells): string => settlementColumns.map((name) => cells[name] ?? '').join(';');
