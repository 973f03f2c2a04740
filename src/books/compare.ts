/** Compares a batch with the gateway: the terminal's payments there since the last Z report, and each sale. */
import { DAY_MS } from '../base/clock.ts';
import { printable } from '../base/mask.ts';
import { type Money, money, printMoney } from '../base/money.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { NO_ANSWER } from '../locales/reports.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { decimal } from '../reconciliation/report.ts';
import type { BrandTotals, Difference, ExtraPayment } from '../reconciliation/z-report.ts';
import { type AuditRow, uncheckedRow } from '../recovery/audit.ts';
import type { Agreement, ListedSince } from '../recovery/gateway-agreement.ts';
import type { ListedPayment } from '../recovery/gateway-listing.ts';
import type { Sale } from '../till/machine/sale.ts';
import { holdOf } from '../till/payments.ts';
import { type Books, chainOf, followersOf } from './books.ts';
import { bookLine } from './lines/lines.ts';

export type CompareParts = { books: Books; ledger: FullLedger; agreement: Agreement };

export type Compared = {
  brands: BrandTotals[];
  differences: Difference[];
  unknownHere: ExtraPayment[];
  silentCount: number;
};

/**
 * The totals of till and gateway by brand: sales that agreed before are added up, the others are compared one by one.
 * Sales that a terminal authorised by itself belong to its own end of day.
 */
export const compareBatch = async (parts: CompareParts, batch: Batch): Promise<Compared> => {
  const { books, agreement } = parts;
  const totals = brandTotals();
  const differences: Difference[] = [];
  let silentCount = 0;
  const since = await agreement.list('close');
  const sales = agreement.salesToCompare(batch, since);
  for (const { brand, currency, minor } of agreement.agreedTotals(batch))
    totals.addAgreed(brand, money(minor, currency));
  for await (const row of rowsOf(parts, sales, since)) {
    if (row.gateway === undefined) silentCount += 1;
    totals.add(brandIn(parts, row.sale), row);
    if (!row.agrees) differences.push(differenceOf(row));
  }
  // Without an answer nothing is known about these holds; only the batch's own sales count as unanswered.
  for await (const row of agreement.compare(openHoldsBefore(parts, batch), since))
    if (row.lostHold !== undefined) differences.push(differenceOf(row));
  const unknownHere = unreportedPayments(books, batch, agreement.unknownHere(batch.terminalId));
  return { brands: totals.rows(), differences, unknownHere, silentCount };
};

/** Once the gateway gave no list, this many unanswered sales in a row stop the comparison. */
export const SILENT_MOST = 8;

async function* rowsOf(
  { agreement, ledger }: CompareParts,
  sales: readonly Sale[],
  since: ListedSince,
): AsyncGenerator<AuditRow> {
  let inRow = 0;
  let doneCount = 0;
  for await (const row of agreement.compare(sales, since)) {
    yield row;
    doneCount += 1;
    inRow = row.gateway === undefined ? inRow + 1 : 0;
    if (since.kind === 'away' && inRow >= SILENT_MOST) break;
  }
  for (const sale of sales.slice(doneCount)) yield uncheckedRow(sale, ledger);
}

const brandIn = ({ ledger }: CompareParts, sale: Sale): string => bookLine(sale, chainOf(ledger, sale)).brand;

const brandTotals = () => {
  const totals = new Map<
    string,
    { brand: string; currency: string; till: bigint; gateway: bigint; differing: number }
  >();
  const add = (brand: string, { till, gateway, agrees }: Pick<AuditRow, 'till' | 'gateway' | 'agrees'>): void => {
    const { currency } = till;
    const key = `${brand} ${currency}`;
    const total = totals.get(key) ?? { ...{ brand, currency, till: 0n, gateway: 0n, differing: 0 } };
    total.till += till.minor;
    total.gateway += gateway?.minor ?? 0n;
    total.differing += agrees ? 0 : 1;
    totals.set(key, total);
  };
  return {
    add,
    addAgreed: (brand: string, amount: Money): void => add(brand, { till: amount, gateway: amount, agrees: true }),
    rows: (): BrandTotals[] =>
      [...totals.values()]
        .sort((left, right) => (`${left.brand} ${left.currency}` < `${right.brand} ${right.currency}` ? -1 : 1))
        .map(({ brand, currency, till, gateway, differing }) => ({
          brand,
          currency,
          differing,
          till: decimal(till, currency),
          gateway: decimal(gateway, currency),
        })),
  };
};

/** The difference of a row; for a hold that is gone, with the held amounts, since no money was moved. */
const differenceOf = ({ sale: { intent }, till, gateway, lostHold, why }: AuditRow): Difference => ({
  receipt: intent.receipt,
  till: printMoney(lostHold ?? till),
  gateway: gateway === undefined ? NO_ANSWER : printMoney(gateway),
  why,
});

/** Payments that may have moved money and are in no earlier Z report. */
export const unreportedPayments = (
  books: Books,
  { terminalId }: Batch,
  found: readonly ListedPayment[],
): ExtraPayment[] => {
  const reported = new Set(
    books
      .batches()
      .flatMap((one) => (one.terminalId === terminalId ? (one.z?.unknownHere ?? []) : []))
      .map(({ payment }) => payment),
  );
  return mayBeMoney(found)
    .map(({ payment, paymentType, amount, timestamp = '' }) => ({
      payment: idOf(payment),
      paymentType: printable(paymentType, 4),
      at: printable(timestamp, 24),
      amount: amount === undefined ? '' : printMoney(amount),
    }))
    .filter(({ payment }) => !reported.has(payment));
};

/** A payment id (specification 2.1) is kept unchanged, so that it can be looked up at the gateway. */
const idOf = (payment: string): string => (/^[0-9A-Za-z]{32}$/.test(payment) ? payment : printable(payment, 64));

/** Leaves out payments that certainly moved no money: declined, refused, or a test simulator's answer. */
export const mayBeMoney = (found: readonly ListedPayment[]): ListedPayment[] =>
  found.filter(({ means }) => means !== 'declined' && means !== 'refused' && means !== 'testAnswer');

/** Banks release a hold long before that. */
const HELD_MOST_DAYS = 60;

/**
 * Pre-authorisations that began on this terminal before the batch and still hold something, except those that the
 * gateway has confirmed since they last changed.
 */
export const openHoldsBefore = ({ books, ledger, agreement }: CompareParts, batch: Batch): Sale[] =>
  agreement
    .holds(batch, books.now().at - HELD_MOST_DAYS * DAY_MS)
    .filter((sale) => holdOf({ sale, followers: followersOf(ledger, sale) }, 0).state === 'open');
