/** Settlement files: of a stored batch, and of payments that are due and in no batch yet. */
import type { Payment } from '../store/records.ts';
import type { Settlement } from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import { hasMemo, lineFor, settlementHeader, settlementLine } from './settlement-csv.ts';
import { endOfDay, nextDay } from './settlement-day.ts';
import { memoOf } from './settlement-record.ts';
import { beginSettling, settlePayments } from './settling.ts';
import { type Terms, type TermsOf, termsOf } from './terms.ts';

/** Lines in one piece of a file. */
const PIECE = 1_000;

/** Includes the entityId, because the channels of one gateway share a folder. */
export const fileNameOf = ({ entityId, day }: Pick<Settlement, 'entityId' | 'day'>): string =>
  `settlement_${entityId}_${day}.csv`;

/**
 * The file of a closed batch, piece by piece: the same bytes each time. `progress` is called with the number of each
 * line.
 */
export async function* batchFile(
  store: Pick<Store, 'settlements'>,
  settlementId: string,
  progress: (number: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const kind = { withMemos: await hasMemos(store, settlementId) };
  yield Buffer.from(`${settlementHeader(kind)}\n`);
  for await (const lines of linesOf(store, settlementId)) {
    yield Buffer.from(lines.map(({ line }) => lineFor(kind, line)).join(''));
    progress(lines.at(-1)?.number ?? 0);
  }
}

async function* linesOf({ settlements }: Pick<Store, 'settlements'>, settlementId: string) {
  for (let number = 0; ; ) {
    const lines = await settlements.recordLinesAfter({ settlementId, number, limit: PIECE });
    const lastLine = lines.at(-1);
    if (lastLine === undefined) return;
    yield lines;
    number = lastLine.number;
  }
}

/** Determined before the header is written, because the header has one cell more then. */
const hasMemos = async (store: Pick<Store, 'settlements'>, settlementId: string): Promise<boolean> => {
  for await (const lines of linesOf(store, settlementId)) if (lines.some(({ line }) => hasMemo(line))) return true;
  return false;
};

/**
 * The payments of one day that are due and in no batch yet, in the form that the day's file would have now. No batch is
 * made, and each of these payments will be in one: from here on the channel is settled.
 */
export async function* provisionalFile(
  store: Pick<Store, 'settlements' | 'transact'>,
  day: string,
  terms: Terms,
): AsyncGenerator<Buffer> {
  await beginSettling(store, terms.entityId);
  const kind = { withMemos: await hasDueMemos(store, { day, terms }) };
  yield Buffer.from(`${settlementHeader(kind)}\n`);
  const run = { day, terms, paidOut: new Map<string, boolean>() };
  for await (const due of readDue(store, { day, terms })) {
    const settled = await settlePayments(store.settlements, due, run);
    const rows = settled.flatMap(({ recorded, fees }) => [
      ...(recorded === undefined ? [] : [recorded.row]),
      ...fees.map((fee) => fee.recorded.row),
    ]);
    if (rows.length > 0) yield Buffer.from(rows.map((row) => lineFor(kind, settlementLine(row))).join(''));
  }
}

const hasDueMemos = async (store: Pick<Store, 'settlements'>, period: DueOf): Promise<boolean> => {
  for await (const due of readDue(store, period)) if (due.some((payment) => memoOf(payment) !== undefined)) return true;
  return false;
};

type DueOf = { readonly day: string; readonly terms: Terms };

/** Page after page. Payments of one millisecond may be on two pages, and are taken once. */
async function* readDue(
  { settlements }: Pick<Store, 'settlements'>,
  { day, terms }: DueOf,
): AsyncGenerator<readonly Payment[]> {
  const endAt = endOfDay(day, terms);
  let startAt = endOfDay(nextDay(day, -1), terms);
  let seenIds = new Set<string>();
  for (let limit = PIECE; ; ) {
    const page = await settlements.due({ entityId: terms.entityId, from: startAt, before: endAt, limit });
    const unseen = page.filter(({ id }) => !seenIds.has(id));
    if (unseen.length > 0) yield unseen;
    if (page.length < limit) return;
    if (unseen.length === 0) limit *= 2;
    startAt = page.at(-1)?.at ?? endAt;
    seenIds = new Set(page.filter(({ at }) => at === startAt).map(({ id }) => id));
  }
}

export type SettlementOptions = TermsOf & {
  /** `YYYY-MM-DD`. */
  readonly date: string;
};

/** The day's file as a text: the batch's, or the due payments if there is none. For days that fit into memory. */
export const settlementFileOf = async (
  store: Pick<Store, 'settlements' | 'transact'>,
  { date, ...channel }: SettlementOptions,
): Promise<string> => {
  const batch = await store.settlements.ofDay(channel.entityId, date);
  const pieces =
    batch?.closedAt === undefined ? provisionalFile(store, date, termsOf(channel)) : batchFile(store, batch.id);
  return Buffer.concat(await Array.fromAsync(pieces)).toString('utf8');
};
