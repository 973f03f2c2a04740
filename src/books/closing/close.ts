/**
 * Closes a batch. It drains the queue, waits for sales in progress and requires that no money is open. From
 * `batchClosing` on the batch takes no more sales. A terminal with its own day closes it, the gateway is asked what it
 * has of the batch, and the Z report is written. After a crash, the close continues from the last step in the journal.
 */
import { type Clock, dateTime, within } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { exponentOf, type Money, money, printMoney } from '../../base/money.ts';
import type { TillSigner } from '../../folder/keys/till-signer.ts';
import type { FullLedger } from '../../ledger/ledger.ts';
import { type Batch, closingBatch, lastZ, nextZ, type Override, openBatch } from '../../reconciliation/batches.ts';
import { correctedTime } from '../../reconciliation/business-day.ts';
import { type OpenMoney, unreportedEnds, withoutNamed } from '../../reconciliation/open-money.ts';
import {
  canonical,
  FIRST,
  type SettledSale,
  sealed,
  type TerminalDay,
  verifyZ,
  type ZReport,
} from '../../reconciliation/z-report.ts';
import { replay, type Sale } from '../../till/machine/sale.ts';
import { type Books, provenance, refuseNewer, reportOn, salesIn } from '../books.ts';
import type { OverRefund } from '../check.ts';
import { type Compared, type CompareParts, compareBatch } from '../compare.ts';
import { bookLine } from '../lines/lines.ts';
import type { UnpaidOfTerminal } from '../unpaid.ts';
import type { ClosingGate, HoldOptions } from './gate.ts';

export type ClosingParts = CompareParts & {
  signer: TillSigner;
  /**
   * Sends all waiting messages, and asks the terminal what it still has to report. Inquires at the gateway about sales
   * that ended as never sent: those that are due, or all.
   */
  drain(late: 'due' | 'all'): Promise<void>;
  /** Closes the own day of a terminal that authorises by itself. Undefined for other terminals. */
  endOfDay(terminalId: string): (() => Promise<{ lines: readonly string[] }>) | undefined;
  /** Whether the running sums match all sales, and the sums of a batch match its lines. */
  sumsAgree(): boolean;
  /** Sales for which more was given back than was charged. */
  overRefunds(): readonly OverRefund[];
  /** Offline sales that are unpaid, and those that are settled. */
  unpaid(terminalId: string): UnpaidOfTerminal;
  clock: Clock;
  /** Tracks the sales in progress that a close waits for. */
  gate: ClosingGate;
};

export type CloseOptions = Pick<HoldOptions, 'signal' | 'onWaiting'> & {
  /** Who answers for what is left open, and why. The caller has checked their permission. */
  override?: { by: string; reason: string };
  /** The person who closes the batch, when somebody is signed in. */
  by?: string;
};

/**
 * What would block a close now, after trying to send the queue. It can be called often, so it does not inquire about
 * every sale that never reached the gateway; only a close does. Throws `books.nothingToClose`.
 */
export const openMoney = async ({ books, drain }: ClosingParts): Promise<OpenMoney[]> => {
  batchToClose(books);
  await drain('due');
  return openIn(books);
};

/** The same without sending anything. Throws `books.nothingToClose`. */
export const openIn = (books: Books): OpenMoney[] => books.lines.open(batchToClose(books));

/**
 * Closes the batch whose close has begun, or else the open one, and returns its Z report. Throws
 * `books.nothingToClose`, `books.closeWaited`, `books.closeCancelled`, `books.openMoney`, `books.gatewaySilent`,
 * `books.unbalanced`, and the terminal's own faults.
 */
export const closeBatch = async (parts: ClosingParts, request: CloseOptions = {}): Promise<ZReport> => {
  const { batch, terminal } = await endBatch(parts, request);
  const compared = await compareBatch(parts, batch);
  if (compared.silentCount > 0 && batch.override === undefined)
    throw new Fault('books.gatewaySilent', { count: compared.silentCount });
  return writeZ(parts, batch, { ...compared, terminal });
};

type EndedBatch = { batch: Batch; terminal: TerminalDay | undefined };

/** Ends the batch: it takes no more sales, and its terminal's day is over. New sales are held back meanwhile. */
const endBatch = async (parts: ClosingParts, request: CloseOptions): Promise<EndedBatch> => {
  const { books, gate, endOfDay } = parts;
  const { terminalId, state, terminalDay: day } = batchToClose(books);
  const before = gate.endedCount(terminalId);
  await parts.drain('all');
  const needsTerminal = endOfDay(terminalId) !== undefined && day?.lines === undefined;
  // Sales in progress now are not part of a batch whose close began earlier.
  const isApart = state === 'closing' && !needsTerminal;
  const releaseHold = isApart ? () => {} : await gate.waitAndHold(terminalId, { ...request, needsTerminal });
  try {
    const hasSold = gate.endedCount(terminalId) > before;
    const open = openIn(books);
    if (hasSold && open.length > 0) await drainInTime(parts);
    if (!parts.sumsAgree())
      throw new Fault('books.unbalanced', { amount: 'the sums', why: 'they are not those of all sales' });
    const batch = beginClose(parts, batchToClose(books), { open: hasSold ? openIn(books) : open, options: request });
    const closeDay = dayToClose(parts, batch);
    // A terminal's own day includes everything that is sold before it ends.
    if (closeDay === undefined) releaseHold();
    return { batch, terminal: closeDay && (await closeDay()) };
  } finally {
    releaseHold();
  }
};

/** The longest that customers at the counter wait while the last sale's messages are sent. */
const DRAIN_WITHIN_MS = 5_000;

const drainInTime = async ({ drain, clock }: ClosingParts): Promise<void> => {
  const timeoutFault = () => new Fault('host.silent', { why: 'it took too long' });
  await within(clock, DRAIN_WITHIN_MS, drain('all'), timeoutFault).catch(() => {});
};

/** The batch to close: one whose close has begun, or else the open one. Throws as `currentBatch`. */
export const batchToClose = (books: Books): Batch => {
  const batches = books.batches();
  // A terminal that this till had before may have left a batch behind: it is closed after this one's.
  const others = books.ownOnly === true ? [] : batches.map(({ terminalId }) => terminalId);
  const ids = [books.terminalId, ...others];
  const batch = ids
    .map((id) => closingBatch(batches, id) ?? openBatch(batches, id))
    .find((candidate) => candidate !== undefined);
  if (batch === undefined) throw new Fault('books.nothingToClose');
  return refuseNewer(batch);
};

/** Starts closing, unless money is open that no override names. */
const beginClose = (
  { books, ledger, signer }: ClosingParts,
  batch: Batch,
  { open, options }: { open: readonly OpenMoney[]; options: CloseOptions },
): Batch => {
  const left = withoutNamed(open, batch.override?.amounts ?? []);
  if (left.length > 0 && options.override === undefined) throw refusal(batch, left);
  const isOverrideRepeated = options.override !== undefined && (left.length > 0 || batch.override === undefined);
  if (batch.state === 'closing' && !isOverrideRepeated) return batch;
  const override = options.override && signed(signer, batch, { ...options.override, amounts: open });
  const { terminalId, batch: number } = batch;
  const now = books.now();
  const who = options.by === undefined ? {} : { by: options.by };
  const evidence = batch.day.trusted ? undefined : firstGatewayTime(salesIn(books, ledger, batch));
  const day = correctedTime(batch.day, { evidence, now }, books.rule);
  books.note({ on: 'batchClosing', terminalId, batch: number, at: now.at, day, override, ...who });
  return books.batch(number, terminalId);
};

const refusal = ({ batch, terminalId }: Batch, open: readonly OpenMoney[]): Fault =>
  new Fault('books.openMoney', {
    batch,
    terminalId,
    count: open.length,
    amounts: open.map(({ receipt, amount }) => `receipt ${receipt}: ${amount}`).join(', '),
  });

const signed = (
  { sign, publicKey }: TillSigner,
  { terminalId, batch }: Batch,
  unsigned: Omit<Override, 'signature' | 'publicKey'>,
): Override => ({ ...unsigned, publicKey, signature: sign(overrideBytes({ terminalId, batch }, unsigned)) });

/** The bytes of an override that the till signs. */
export const overrideBytes = (
  { terminalId, batch }: Pick<Batch, 'terminalId' | 'batch'>,
  { by, reason, amounts }: Omit<Override, 'signature' | 'publicKey'>,
): Uint8Array =>
  new TextEncoder().encode(canonical({ statement: 'close with open money', terminalId, batch, by, reason, amounts }));

/** The earliest time in the gateway's answers, ms: no clock in the shop can change it. */
const firstGatewayTime = (sales: readonly Sale[]): number | undefined => {
  const times = sales.flatMap(({ answer }) => {
    const text = answer?.timestamp?.replace(' ', 'T') ?? '';
    const at = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
    return Number.isNaN(at) ? [] : [at];
  });
  return times.length === 0 ? undefined : times.reduce((first, i) => Math.min(first, i));
};

/** How to close the terminal's own day, if the batch has sales that a terminal authorised by itself. */
const dayToClose = (parts: ClosingParts, batch: Batch) => {
  const currency = parts.books.lines.currencyAtTerminal(batch);
  const endOfDay = parts.endOfDay(batch.terminalId);
  if (currency === undefined || endOfDay === undefined) return undefined;
  return () => terminalDay(parts, batch, { currency, endOfDay });
};

type OwnDay = { currency: string; endOfDay(): Promise<{ lines: readonly string[] }> };

/**
 * Asks the terminal once. After an interruption it asks again, and the report says so beside what the terminal prints.
 */
const terminalDay = async (
  { books }: ClosingParts,
  batch: Batch,
  { currency, endOfDay }: OwnDay,
): Promise<TerminalDay> => {
  const { terminalId, batch: number } = batch;
  if (batch.terminalDay?.lines === undefined) {
    books.note({ on: 'terminalClosing', terminalId, batch: number, at: books.now().at });
    const { lines } = await endOfDay();
    books.note({ on: 'terminalClosed', terminalId, batch: number, at: books.now().at, lines });
  }
  const { lines = [], asked: tries = 1 } = books.batch(number, terminalId).terminalDay ?? {};
  const own = books.lines.sums(batch).filter((sum) => sum.byTerminal && sum.currency === currency);
  const till = money(
    own.reduce((sum, { moved }) => sum + moved, 0n),
    currency,
  );
  // An empty day also prints a sum of zero, which proves nothing about the day before it.
  const isProof = tries === 1 || till.minor !== 0n;
  return { lines, till: printMoney(till), agrees: isProof && hasSum(lines, till), askedAgain: tries > 1 || undefined };
};

type Findings = Omit<Compared, 'silentCount'> & { terminal?: TerminalDay };

const writeZ = ({ books, ledger, overRefunds, unpaid }: ClosingParts, batch: Batch, findings: Findings): ZReport => {
  const { terminalId, batch: number, override } = batch;
  const reports = books.batches().flatMap((one) => (one.terminalId === terminalId && one.z ? [one.z] : []));
  verifyZ(reports);
  const before = lastZ(books.batches(), terminalId);
  const { number: zNumber, skipped } = nextZ(books.batches(), terminalId);
  const unpaidSales = unpaid(terminalId);
  const unpaidOver = unreportedEnds(unpaidSales.over, reports);
  const at = books.now().at;
  const { brands, differences, unknownHere, terminal } = findings;
  const { report, sums } = reportOn(books, batch);
  const unbalanced = overRefunds().flatMap(({ receipt, currency, minor }) =>
    books.lines.has(batch, receipt) ? [{ receipt, amount: printMoney({ minor, currency }) }] : [],
  );
  const z = sealed({
    mode: books.mode(),
    number: zNumber,
    terminalId,
    batch: number,
    day: batch.day,
    openedAt: dateTime(batch.openedAt),
    closedAt: dateTime(at),
    report,
    brands,
    differences,
    open: books.lines.open(batch),
    override: override && { by: override.by, reason: override.reason, signature: override.signature },
    settled: settledSince(books, ledger, batch),
    unpaid: unpaidSales.open.length > 0 ? unpaidSales.open : undefined,
    unpaidOver: unpaidOver.length > 0 ? unpaidOver : undefined,
    unknownHere: unknownHere.length > 0 ? unknownHere : undefined,
    terminal,
    unbalanced: unbalanced.length > 0 ? unbalanced : undefined,
    skipped: skipped || undefined,
    ...provenance(books, sums),
    previous: before?.hash ?? FIRST,
  });
  books.note({ on: 'batchClosed', terminalId, batch: number, at, z });
  return z;
};

/** Items that earlier Z reports left open and whose end no Z report has shown since. */
const settledSince = (books: Books, ledger: FullLedger, { terminalId, batch }: Batch): SettledSale[] => {
  const reported = new Set<number>();
  const open = new Map<number, { sale: string; batch: number }>();
  for (const { z, ...one } of books.batches()) {
    if (z === undefined || one.terminalId !== terminalId || one.batch >= batch) continue;
    for (const { receipt } of z.settled) reported.add(receipt);
    for (const { receipt, sale } of z.open) open.set(receipt, { sale, batch: one.batch });
  }
  return [...open].flatMap(([receipt, { sale: id, batch: from }]) => {
    const sale = replay(ledger.events(id));
    if (reported.has(receipt) || sale === undefined) return [];
    const line = bookLine(sale);
    if (line.open !== undefined) return [];
    const amount = printMoney(money(line.asked, line.currency));
    return [{ receipt, batch: from, amount, place: line.ending }];
  });
};

// Checks whether the terminal's own report contains a sum.

/**
 * Whether one of the lines contains this sum. Terminals print `1.234,56`, `1,234.56` or `1234.56`, so only the digits
 * and the currency's decimals count. A sum without decimals looks like any number: it must have its currency beside it.
 */
export const hasSum = (lines: readonly string[], { minor, currency }: Money): boolean => {
  const places = exponentOf(currency);
  const expected = (minor < 0n ? -minor : minor).toString();
  const sums = places === 0 ? WHOLE : new RegExp(`\\d[\\d.,']*[.,]\\d{${places}}(?!\\d)`, 'g');
  return lines
    .filter((line) => places > 0 || line.includes(currency))
    .some((line) => (line.match(sums) ?? []).some((text) => digitsOf(text) === expected));
};

const WHOLE = /\d{1,3}(?:[.,']\d{3})+(?!\d)|\d+/g;

const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
