/**
 * Repairs a till whose folder was restored from an older copy: takes over the sales that the gateway knows and the
 * journal lacks, as records marked as learned. Numbers continue after the highest that any copy can have used.
 */
import type { TakenOver } from '../api/contract/machine.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import type { Books } from '../books/books.ts';
import { noteCompared } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { openWords } from '../locales/messages/en/sales.ts';
import type { Outbox } from '../queue/outbox.ts';
import { lastBatch, lastZ } from '../reconciliation/batches.ts';
import { type LearnedSale, type LearningParts, type ListedSale, learnedFrom } from '../till/gateway/learned.ts';
import type { SaleEvent } from '../till/machine/events.ts';
import type { Intent } from '../till/machine/facts.ts';
import type { Host } from '../till/ports.ts';
import { type CopyNumbers, copyNumbers } from './copy-numbers.ts';
import { type GatewayFindings, ownTerminals, type TillComparison } from './till-comparison.ts';

export type TakeOverParts = {
  journal: Journal;
  ledger: FullLedger;
  books: Books;
  outbox: Outbox;
  host: Pick<Host, 'meaningOf'>;
  ids: Ids;
  clock: Clock;
  comparison: TillComparison;
  terminalIds: readonly string[];
  currency: string;
  gateway: string;
  /** The number of journal entries when this till was started. */
  startedWith: number;
  /** The folder of the second copy, if there is one. */
  secondCopy?: string | undefined;
};

/** Throws `machine.uncompared` when the gateway gives no list, and `journal.unwritable`. */
export const takeOver = async (parts: TakeOverParts): Promise<TakenOver> => {
  const { journal, ledger, comparison } = parts;
  const found = await comparison.find();
  if (found === undefined) throw new Fault('machine.uncompared');
  const { unknown } = found;
  const before = new Map([...ownTerminals(journal, parts.terminalIds)].map((id) => [id, lastNumbersOf(parts, id)]));
  if (unknown.length > 0) skipNumbers(parts, unknown, { before, copy: await copyNumbers(parts) });
  const setAside = unknown.length === 0 ? 0 : setAsideUnknown(parts, found);
  const records = recordsOf(parts, unknown, before);
  if (records.length > 0) ledger.recordAll(records.flatMap(eventsOf));
  const left = unknown.length - records.length;
  noteCompared(journal, left);
  return { sales: records.length, left, setAside };
};

/** The last numbers of a terminal before the takeover. */
type LastNumbers = { receipt: number; sequence: number };

const lastNumbersOf = ({ ledger }: TakeOverParts, terminalId: string): LastNumbers => {
  const { receipt, sequence } = ledger.nextNumbers(terminalId);
  return { receipt: receipt - 1, sequence: sequence - 1 };
};

/** The other copy began at least this many sales at this terminal: each uses a number, whatever became of the sale. */
const countBegun = (unknown: readonly ListedSale[], { sequence }: LastNumbers): number =>
  Math.max(unknown.length, ...unknown.map((one) => one.sequence - sequence));

/**
 * A gateway knows no Z report numbers. But a batch is opened by its first sale, so after the current batch a lost copy
 * has closed at most as many batches as it began sales, plus the current one. A second copy as recent as the gateway's
 * last sale gives the exact numbers.
 */
const skipNumbers = (
  { books }: TakeOverParts,
  unknown: readonly ListedSale[],
  { before, copy }: { before: ReadonlyMap<string, LastNumbers>; copy: CopyNumbers | undefined },
): void => {
  for (const [terminalId, group] of Map.groupBy(unknown, (one) => one.terminalId)) {
    const last = lastBatch(books.batches(), terminalId);
    const lastBefore = before.get(terminalId);
    if (last === undefined || lastBefore === undefined) continue;
    const startedAt = countBegun(group, lastBefore);
    const most = startedAt + (last.state === 'closed' ? 0 : 1);
    const reported = copy?.[terminalId];
    const isNew = reported !== undefined && reported.sequence >= lastBefore.sequence + startedAt;
    const givenNumbers = { batches: last.batch, zs: lastZ(books.batches(), terminalId)?.number ?? 0 };
    const skipped = isNew
      ? { batches: Math.max(0, reported.batch - givenNumbers.batches), zs: Math.max(0, reported.z - givenNumbers.zs) }
      : { batches: most, zs: most };
    if (skipped.batches + skipped.zs === 0) continue;
    books.note({ on: 'numbersSkipped', terminalId, batch: last.batch, at: books.now().at, ...skipped });
  }
};

/**
 * Parks messages of sales from before this start that the gateway does not know: a stored sale that the lost copy may
 * have voided before sending it, and the reversal of a sale that the copy may have ended. No gateway learns of either.
 * A person decides whether to send them.
 */
const setAsideUnknown = (
  { journal, outbox, startedWith }: TakeOverParts,
  { heard: known, reversed }: GatewayFindings,
): number => {
  const waiting = journal.sql
    .all(
      `SELECT id, sale, kind FROM message WHERE state = 'waiting' AND kind IN ('forward', 'follow', 'reversal')
       AND EXISTS (SELECT 1 FROM entry WHERE subject = message.sale AND entry <= ?)`,
      startedWith,
    )
    .filter(({ sale, kind }) => !(kind === 'reversal' ? reversed : known).has(String(sale)));
  for (const { id } of waiting) outbox.park(String(id), openWords.restored);
  return waiting.length;
};

type TakenRecord = LearnedSale & { intent: Intent };

/** Gives each sale its numbers, parents before follow-ups: the list is in the order of the gateway's time. */
const recordsOf = (
  parts: TakeOverParts,
  unknown: readonly ListedSale[],
  before: ReadonlyMap<string, LastNumbers>,
): TakenRecord[] => {
  const { ledger, ids, gateway, currency, host } = parts;
  const byPayment = new Map(
    [...ledger.all()].flatMap(({ intent, answer }) =>
      answer?.payment === undefined ? [] : [[answer.payment, intent]],
    ),
  );
  const parentOf: LearningParts['parentOf'] = (payment) => {
    const intent = byPayment.get(payment);
    if (intent === undefined) return undefined;
    const { sale, receipt, operation, amount } = intent;
    return { followed: { sale, payment, receipt }, operation, amount };
  };
  const receiptOf = receiptsFor(unknown, before);
  return unknown.flatMap((listed) => {
    const record = learnedFrom(listed, { meaningOf: host.meaningOf, parentOf, currency });
    if (record === undefined) return [];
    const { operation, amount, follows, card } = record;
    const { sale, terminalId, sequence, at } = listed;
    const intent: Intent = {
      sale,
      operation,
      amount,
      terminalId,
      sequence,
      at,
      gateway,
      key: ids.next(),
      receipt: receiptOf(listed),
      follows,
      learned: { card },
    };
    const payment = paymentIn(record.events);
    if (payment !== undefined) byPayment.set(payment, intent);
    return [{ ...record, intent }];
  });
};

const paymentIn = (events: readonly SaleEvent[]): string | undefined =>
  events.flatMap((event) => ('answer' in event ? (event.answer?.payment ?? []) : [])).at(-1);

/**
 * A till with one terminal counts receipts and the terminal's numbers in step, so the sale gets the number on the
 * customer's receipt again. With several terminals only the order is known; the numbers end where those of all
 * terminals end.
 */
const receiptsFor = (unknown: readonly ListedSale[], before: ReadonlyMap<string, LastNumbers>) => {
  const [first, ...others] = before.values();
  const byTerminal = Map.groupBy(unknown, ({ terminalId }) => terminalId);
  const startedAt = [...byTerminal].reduce((sum, [id, group]) => {
    const lastBefore = before.get(id);
    return lastBefore === undefined ? sum : sum + countBegun(group, lastBefore);
  }, 0);
  const receipt = first?.receipt ?? 0;
  const numbers = new Set(unknown.map(({ sequence }) => sequence));
  const isCounted = others.length === 0 && numbers.size === unknown.length;
  return (one: ListedSale): number => {
    const missingCount = one.sequence - (first?.sequence ?? 0);
    return isCounted && missingCount > 0
      ? receipt + missingCount
      : receipt + startedAt - unknown.length + unknown.indexOf(one) + 1;
  };
};

const eventsOf = ({ intent, events }: TakenRecord) =>
  [{ on: 'intended' as const, intent }, ...events].map((event): { sale: string; event: SaleEvent } => ({
    sale: intent.sale,
    event,
  }));
