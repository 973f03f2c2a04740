/** Compares till, gateway and settlement file: the sales of the batches, what the gateway has of each, and the file. */
import { csvLine, removeGuard } from '../base/csv.ts';
import { errorText, Fault } from '../base/fault.ts';
import { readUnchanged } from '../base/files.ts';
import type { Mode } from '../base/mode.ts';
import { settlementColumns } from '../gateway/spec/settlement-columns.ts';
import { dateOf } from '../reconciliation/business-day.ts';
import { type Reconciliation, reconciler } from '../reconciliation/reconcile.ts';
import type { ExpectedSale, Match } from '../reconciliation/settlement-match.ts';
import { readSettlement } from '../reconciliation/settlement-reader.ts';
import { isRefused } from '../reconciliation/settlement-record.ts';
import type { AuditRow } from '../recovery/audit.ts';
import type { Sale } from '../till/machine/sale.ts';
import { bookLine } from './lines/lines.ts';

/** Takes the next portion. The comparison waits for it. */
export type MatchedSink = (text: string) => Promise<void>;

export type ReconcileParts = {
  file: string;
  /** This store's id at the gateway: the entity id of its channel. */
  merchantId: string;
  /** `YYYY-MM-DD`, when the date is certain: lines far after it are refused. */
  today?: string;
  /** The mode of the till whose sales are compared. */
  mode: Mode;
  /** Receives each record again, with its match, as portions of a CSV file. */
  matched?: MatchedSink;
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal;
};

/**
 * What the till and the gateway say about some sales. Where the gateway gives no answer, only the till's record counts.
 */
export const expectedOf = async (rows: AsyncIterable<AuditRow>, followers: (sale: Sale) => readonly Sale[]) => {
  const expected: ExpectedSale[] = [];
  for await (const row of rows) expected.push(expectedFrom(row, followers(row.sale)));
  return expected;
};

type ComparedSale = Pick<AuditRow, 'sale' | 'till' | 'gateway'>;

const expectedFrom = ({ sale, till, gateway }: ComparedSale, followers: readonly Sale[]): ExpectedSale => {
  const { intent, answer, card, terminal } = sale;
  const { buckets, ending } = bookLine(sale, { followers });
  const pan = card?.maskedPan ?? terminal?.payment?.maskedPan ?? '';
  const last4 = /\d{4}$/.exec(pan)?.[0];
  const neverPaid = voidedOf(sale, { moved: till.minor, reversed: buckets.reversed });
  return {
    sale: intent.sale,
    receipt: intent.receipt,
    payment: answer?.payment,
    currency: till.currency,
    till: till.minor - neverPaid,
    gateway: gateway && gateway.minor - neverPaid,
    intended: intent.amount.minor,
    tip: intent.tip?.minor ?? 0n,
    last4,
    date: dateOf(intent.at, { cutOff: '00:00', timeZone: 'UTC' }),
    place: buckets.reversed > 0n ? 'reversed' : ending === 'underWay' ? 'unknown' : ending,
    follows: intent.follows?.sale,
    ownTerminal: intent.by === 'terminal' ? intent.terminalId : undefined,
  };
};

/** To an acquirer, a sale and its void are one reversal, so neither is paid out. */
const voidedOf = ({ intent }: Sale, { moved, reversed }: { moved: bigint; reversed: bigint }): bigint => {
  if (intent.operation === 'void' || moved === 0n) return moved;
  return moved < 0n ? -reversed : reversed;
};

/** For a sale that the file can name although it is not compared: only the till's record counts. */
export const otherOf = (sale: Sale): ExpectedSale => {
  const { moved, currency } = bookLine(sale);
  return expectedFrom({ sale, till: { minor: moved, currency }, gateway: undefined }, []);
};

/** The first and last day of the file's payments, `YYYY-MM-DD`. Undefined when no line is a record. */
export const daysOf = async (reconciling: Opened): Promise<{ first: string; last: string } | undefined> => {
  let days: { first: string; last: string } | undefined;
  for await (const line of openFile(reconciling)) {
    if (isRefused(line)) continue;
    const day = line.requestedOn ?? line.date;
    const { first, last } = days ?? { first: day, last: day };
    days = { first: day < first ? day : first, last: line.date > last ? line.date : last };
  }
  return days;
};

/** Stops when nobody waits for the result any more, by throwing the reason of `signal`. */
export async function* untilAborted<T>(each: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const one of each) {
    signal?.throwIfAborted();
    yield one;
  }
}

type Opened = Pick<ReconcileParts, 'file' | 'merchantId' | 'today' | 'signal'>;

async function* openFile({ file, merchantId, today, signal }: Opened): ReturnType<typeof readSettlement> {
  try {
    yield* untilAborted(readSettlement(readUnchanged(file), { file, merchantId, today }), signal);
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown): Fault =>
  error instanceof Fault ? error : new Fault('settlement.unreadable', { file, why: errorText(error) }, error);

/** Throws `settlement.unreadable`, also for a missing file, and what `matched` throws. */
export const reconcileFile = async (
  reconciling: ReconcileParts,
  { expected, others }: { expected: readonly ExpectedSale[]; others: readonly ExpectedSale[] },
): Promise<Reconciliation> => {
  const { matched, mode } = reconciling;
  const books = reconciler(expected, others);
  const writer = matched && matchedWriter(matched, mode);
  for await (const line of openFile(reconciling)) {
    const match = books.take(line);
    if (match !== undefined && !isRefused(line))
      await writer?.write(
        settlementColumns.map((name) => line.cells[name] ?? ''),
        match,
      );
  }
  await writer?.end();
  return books.end();
};

const STATUS = settlementColumns.indexOf('MatchingStatus');
const MATCHED = settlementColumns.indexOf('MatchedTransactions');
const FORMAT = settlementColumns.indexOf('SettlementFileFormat');
/** The width of that column in the interface. */
const FORMAT_MOST = 32;

/** A test channel's gateway has already marked its files. Other files do not tell whose sales they contain. */
const markAsTest = (format: string): string =>
  /^TEST\b/.test(format) ? format : `TEST ${format}`.trim().slice(0, FORMAT_MOST);

/** Characters in a portion of the file with the matches. */
const PORTION = 65_536;

const matchedWriter = (onMatched: MatchedSink, mode: Mode) => {
  let pending = matchedLine(settlementColumns);
  return {
    async write(cells: string[], { status, found }: Match) {
      if (mode === 'test') cells[FORMAT] = markAsTest(cells[FORMAT] ?? '');
      cells[STATUS] = status;
      cells[MATCHED] = found.map(({ payment, sale }) => payment ?? sale).join(',');
      pending += matchedLine(cells);
      if (pending.length < PORTION) return;
      await onMatched(pending);
      pending = '';
    },
    end: () => onMatched(pending),
  };
};

/** A cell that the file's writer had already guarded gets one guard, not two. */
const matchedLine = (cells: readonly string[]): string =>
  `${csvLine(cells.map(removeGuard), { delimiter: ';', numbers: 'unsigned' })}\n`;
