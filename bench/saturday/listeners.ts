/** The listeners to a till's events on a busy Saturday, and how often each receives each ending. */

import type { LiveSale } from '../../src/api/contract/sales.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import type { Person } from './person.ts';
import type { Server } from './processes.ts';

type EndedCallback = (sale: LiveSale) => void;

/** Waits for a sale's `result`. */
export type Endings = {
  /** Resolves once any listener learned that this sale has ended. */
  of(id: string): Promise<LiveSale>;
  onEnded: EndedCallback;
};

export const openEndings = (): Endings => {
  const waiting = new Map<string, PromiseWithResolvers<LiveSale>>();
  const waiterFor = (id: string): PromiseWithResolvers<LiveSale> => {
    const waiter = waiting.get(id) ?? Promise.withResolvers<LiveSale>();
    waiting.set(id, waiter);
    return waiter;
  };
  return { of: (id) => waiterFor(id).promise, onEnded: (sale) => waiterFor(sale.id).resolve(sale) };
};

type Gap = readonly [from: number, to: number];

export type Listener = {
  name: string;
  /** How often it received this ending of this sale: `ID ENDING REASON`. */
  replies: ReadonlyMap<string, number>;
  /** A register that prints at each `result`: its receipts, by sale. */
  printedCounts: ReadonlyMap<string, number>;
  /** Resolves when it listens for the first time. */
  listens: Promise<void>;
  /** Times without a connection, because the till was gone or had just returned; by `performance.now()`. */
  gaps: readonly Gap[];
  close(): Promise<void>;
};

export const endingKey = ({ id, result }: LiveSale): string => `${id} ${result?.ending} ${result?.reason}`;

const AGAIN_MS = 20;

type ListenerParts = { name: string; till: Pick<Server, 'up'>; person: Person; onEnded: EndedCallback };

/** Listens until it is closed; when the till returns, continues from the last event seen. */
export const openListener = ({ name, till, person, onEnded: ended }: ListenerParts): Listener => {
  const replies = new Map<string, number>();
  const printedCounts = new Map<string, number>();
  const controller = new AbortController();
  const first = Promise.withResolvers<void>();
  const gaps: Gap[] = [];
  let connections = 0;
  let leftAt = 0;
  let last: string | undefined;

  const readBlock = (block: string): void => {
    const fields = new Map(
      block.split('\n').map((line): [string, string] => {
        const index = line.indexOf(': ');
        return [line.slice(0, index), line.slice(index + 2)];
      }),
    );
    last = fields.get('id') ?? last;
    if (fields.get('event') !== 'sale') return;
    const { sale, number } = JSON.parse(fields.get('data') ?? '{}') as { sale: LiveSale; number?: number };
    if (sale.result === undefined) return;
    // A later result of the same sale is another receipt: an unknown ending may be known by now.
    const endingOnReceipt = endingKey(sale);
    printedCounts.set(endingOnReceipt, (printedCounts.get(endingOnReceipt) ?? 0) + 1);
    // Without a number it is an intermediate step or an error event.
    if (number === undefined) return;
    replies.set(endingOnReceipt, (replies.get(endingOnReceipt) ?? 0) + 1);
    ended(sale);
  };

  const listen = async (): Promise<void> => {
    const from: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
    const { body } = await person.stream('events', from, controller.signal);
    if (connections > 0) gaps.push([leftAt, performance.now()]);
    connections += 1;
    first.resolve();
    try {
      await readBlocks(body ?? [], readBlock);
    } finally {
      leftAt = performance.now();
    }
  };

  const work = (async () => {
    while (!controller.signal.aborted) {
      await Promise.race([till.up(), abort(controller.signal)]);
      // Its connection ends with the till, and with the listener.
      await listen().catch(() => undefined);
      if (!controller.signal.aborted) await pause(systemClock, AGAIN_MS);
    }
  })();
  return {
    ...{ name, replies, printedCounts, gaps, listens: first.promise },
    async close() {
      controller.abort();
      await work;
    },
  };
};

/** The lines of each event; rejects with the error that ends the stream. */
const readBlocks = async (body: AsyncIterable<Uint8Array> | [], listener: (block: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    blocks.forEach(listener);
  }
};

const abort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/**
 * A sale whose ending its cashier learned, at `at` of `performance.now()`. `wasKilled`: the till was killed before
 * that, so perhaps no event could be sent.
 */
export type ReportedSale = { sale: LiveSale; at: number; byProgram: boolean; wasKilled: boolean };

export type EndingCounts = {
  listener: string;
  endings: number;
  onceCount: number;
  neverCount: number;
  moreCount: number;
  mostTimes: number;
  /**
   * Endings while it was not connected, or during which the till was killed; and how many of those it received anyway.
   */
  awayCount: number;
  lateCount: number;
};

type Counted = Pick<Listener, 'name' | 'gaps'>;

/** `counts`: the events received, or the receipts printed. */
export const countEndings = (
  { name, gaps }: Counted,
  counts: ReadonlyMap<string, number>,
  sales: readonly ReportedSale[],
): EndingCounts => {
  const wasAway = ({ wasKilled, at }: ReportedSale): boolean =>
    wasKilled || gaps.some(([from, to]) => from <= at && at <= to);
  const timesOf = (reportedSales: readonly ReportedSale[]): number[] =>
    reportedSales.map(({ sale: ended }) => counts.get(endingKey(ended)) ?? 0);
  const times = timesOf(sales.filter((sale) => !wasAway(sale)));
  const awayTimes = timesOf(sales.filter(wasAway));
  return {
    listener: name,
    endings: times.length,
    onceCount: times.filter((count) => count === 1).length,
    neverCount: times.filter((count) => count === 0).length,
    moreCount: times.filter((count) => count > 1).length,
    mostTimes: Math.max(0, ...times),
    awayCount: awayTimes.length,
    lateCount: awayTimes.filter((count) => count > 0).length,
  };
};
