/** A batch against the gateway: what it has of the terminal since the Z report before, and of each sale. */
import { printable } from '../base/mask.ts';
import { printMoney } from '../base/money.ts';
import type { Sql } from '../journal/sql.ts';
import { type Batch, lastZ } from '../reconciliation/batches.ts';
import { decimal } from '../reconciliation/report.ts';
import type { BrandTotals, Difference, UnknownHere } from '../reconciliation/z-report.ts';
import { holdOf } from '../till/hold.ts';
import type { Host } from '../till/ports.ts';
import { replay, type Sale } from '../till/sale.ts';
import { NO_ANSWER } from '../words/report-whys.ts';
import { type AuditRow, audit } from './audit.ts';
import { type Books, chainOf, followersOf } from './books.ts';
import { bookLine } from './books-lines.ts';
import { type ListedPayment, listTerminal, type TerminalListing } from './gateway-listing.ts';
import type { FullLedger } from './ledger.ts';
import { salesOfOperation } from './operation-index.ts';
import { momentOf } from './wall-times.ts';

export type Comparing = {
  books: Books;
  ledger: FullLedger;
  host: Host;
  /** Pre-authorisations of earlier batches of this terminal on which something is held. */
  openHolds(batch: Batch): readonly Sale[];
};

export type Compared = { brands: BrandTotals[]; differences: Difference[]; unknownHere: UnknownHere[]; silent: number };

/** Till against gateway, sale by sale, summed by brand. A terminal's own sales are for its own end of day. */
export const compareBatch = async (
  parts: Comparing,
  batch: Batch,
  { sales, tell }: { sales: readonly Sale[]; tell?: (done: number, of: number) => void },
): Promise<Compared> => {
  const { ledger } = parts;
  const totals = brandTotals();
  const differences: Difference[] = [];
  let silent = 0;
  let done = 0;
  const { bySale, unknownHere } = await listBatch(parts, batch, sales);
  for await (const row of audit({ ...ledger, all: () => sales.values() }, parts.host, bySale)) {
    done += 1;
    tell?.(done, sales.length);
    if (row.heldBy === 'terminal') continue;
    if (row.gateway === undefined) silent += 1;
    totals.add(bookLine(row.sale, chainOf(ledger, row.sale)).brand, row);
    if (!row.agrees) differences.push(differenceOf(row));
  }
  // Without an answer nothing is known of them: that is said of the batch's own sales alone.
  const holds = parts.openHolds(batch);
  for await (const row of audit({ ...ledger, all: () => holds.values() }, parts.host, bySale))
    if (row.lostHold !== undefined) differences.push(differenceOf(row));
  return { brands: totals.rows(), differences, unknownHere: toldOnce(parts.books, batch, unknownHere), silent };
};

const brandTotals = () => {
  const totals = new Map<
    string,
    { brand: string; currency: string; till: bigint; gateway: bigint; differing: number }
  >();
  return {
    add(brand: string, { till, gateway, agrees }: AuditRow): void {
      const { currency } = till;
      const key = `${brand} ${currency}`;
      const total = totals.get(key) ?? { ...{ brand, currency, till: 0n, gateway: 0n, differing: 0 } };
      total.till += till.minor;
      total.gateway += gateway?.minor ?? 0n;
      total.differing += agrees ? 0 : 1;
      totals.set(key, total);
    },
    rows: (): BrandTotals[] =>
      [...totals.values()]
        .sort((left, right) => (left.brand < right.brand ? -1 : 1))
        .map(({ brand, currency, till, gateway, differing }) => ({
          ...{ brand, currency, differing },
          till: decimal(till, currency),
          gateway: decimal(gateway, currency),
        })),
  };
};

/** Of a hold that is gone the amounts held, for none was moved. */
const differenceOf = ({ sale: { intent }, till, gateway, lostHold, why }: AuditRow): Difference => ({
  receipt: intent.receipt,
  till: printMoney(lostHold ?? till),
  gateway: gateway === undefined ? NO_ANSWER : printMoney(gateway),
  why,
});

const HOUR_MS = 3_600_000;

/**
 * A gateway that reads a time without a zone on its own wall may be so far ahead of UTC: all up to now is in its answer
 * even then. What it leaves out at the other end is asked about sale by sale.
 */
const ZONES_MS = 14 * HOUR_MS;

/** Of a short batch: more than one request for each sale only to learn of what the till does not know. */
const REQUESTS_LEAST = 16;

/** What the gateway has of the batch's terminal, from the Z report before up to now. Never rejects. */
export const listBatch = (
  { books, ledger, host }: Comparing,
  { terminalId }: Batch,
  sales: readonly Sale[],
): Promise<TerminalListing> => {
  const before = lastZ(books.batches(), terminalId);
  const now = books.now().at;
  const since = [now, ...sales.map(({ intent }) => intent.at), ...(before ? [momentOf(before.closedAt)] : [])];
  return listTerminal(host, {
    ...{ terminalId, sales },
    period: { from: since.reduce((first, at) => Math.min(first, at)) - HOUR_MS, to: now + ZONES_MS + HOUR_MS },
    knows: (id) => ledger.events(id).length > 0,
    requestsMost: Math.max(REQUESTS_LEAST, sales.length),
  });
};

/** What may have moved money, and stands in no earlier Z report. */
export const toldOnce = (books: Books, { terminalId }: Batch, found: readonly ListedPayment[]): UnknownHere[] => {
  const told = new Set(
    books
      .batches()
      .flatMap((one) => (one.terminalId === terminalId ? (one.z?.unknownHere ?? []) : []))
      .map(({ payment }) => payment),
  );
  return mayBeMoney(found)
    .map(({ payment, paymentType, amount, timestamp = '' }) => ({
      ...{ payment: idOf(payment), paymentType: printable(paymentType, 4), at: printable(timestamp, 24) },
      amount: amount === undefined ? '' : printMoney(amount),
    }))
    .filter(({ payment }) => !told.has(payment));
};

/** A payment's id (spec 2.1) is kept as it is: somebody looks for it at the gateway. */
const idOf = (payment: string): string => (/^[0-9A-Za-z]{32}$/.test(payment) ? payment : printable(payment, 64));

/** Without what certainly moved none: declined, refused, or an answer of test simulators. */
export const mayBeMoney = (found: readonly ListedPayment[]): ListedPayment[] =>
  found.filter(({ means }) => means !== 'declined' && means !== 'refused' && means !== 'testAnswer');

const DAY_MS = 24 * HOUR_MS;
/** Banks let go of what is held long before. */
const HELD_MOST_DAYS = 60;

/** Pre-authorisations that were begun on this terminal before the batch, and of which something is still held. */
export const openHoldsBefore = (
  { books, ledger, sql }: Pick<Comparing, 'books' | 'ledger'> & { sql: Sql },
  batch: Batch,
): Sale[] => {
  const own = new Set(books.sales(batch));
  return salesOfOperation(sql, 'preauthorisation', books.now().at - HELD_MOST_DAYS * DAY_MS)
    .filter((id) => !own.has(id))
    .flatMap((id) => replay(ledger.events(id)) ?? [])
    .filter((sale) => sale.intent.terminalId === batch.terminalId && sale.intent.by !== 'terminal')
    .filter((sale) => holdOf({ sale, followers: followersOf(ledger, sale) }, 0).state === 'open');
};
