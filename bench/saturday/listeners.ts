/** Who listens to a till's events on a busy Saturday, and how often each is told of each ending. */

import type { LiveSale } from '../../src/api/ports/selling.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import type { Person } from './person.ts';
import type { Server } from './processes.ts';

type Ended = (sale: LiveSale) => void;

/** Its `result` is what is waited for. */
export type Endings = {
  /** Resolves once anybody was told that this sale has ended. */
  of(id: string): Promise<LiveSale>;
  heard: Ended;
};

export const openEndings = (): Endings => {
  const waiting = new Map<string, PromiseWithResolvers<LiveSale>>();
  const one = (id: string): PromiseWithResolvers<LiveSale> => {
    const known = waiting.get(id) ?? Promise.withResolvers<LiveSale>();
    waiting.set(id, known);
    return known;
  };
  return { of: (id) => one(id).promise, heard: (sale) => one(sale.id).resolve(sale) };
};

type Gap = readonly [from: number, to: number];

export type Listener = {
  name: string;
  /** How often it was told that this sale ended in this way: `ID ENDING REASON`. */
  told: ReadonlyMap<string, number>;
  /** A register that prints whenever it sees a `result`: its papers, by the sale. */
  printed: ReadonlyMap<string, number>;
  /** Resolves when it listens for the first time. */
  listens: Promise<void>;
  /** When nobody listened, because the till was gone or had just come back; by `performance.now()`. */
  gaps: readonly Gap[];
  close(): Promise<void>;
};

export const endingKey = ({ id, result }: LiveSale): string => `${id} ${result?.ending} ${result?.reason}`;

const AGAIN_MS = 20;

type ListenerParts = { name: string; till: Pick<Server, 'up'>; person: Person; ended: Ended };

/** Listens until it is closed; whenever the till is there again it goes on from the last event that it has seen. */
export const openListener = ({ name, till, person, ended }: ListenerParts): Listener => {
  const told = new Map<string, number>();
  const printed = new Map<string, number>();
  const over = new AbortController();
  const first = Promise.withResolvers<void>();
  const gaps: Gap[] = [];
  let connections = 0;
  let leftAt = 0;
  let last: string | undefined;

  const hear = (block: string): void => {
    const fields = new Map(
      block.split('\n').map((line): [string, string] => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    last = fields.get('id') ?? last;
    if (fields.get('event') !== 'sale') return;
    const { sale, number } = JSON.parse(fields.get('data') ?? '{}') as { sale: LiveSale; number?: number };
    if (sale.result === undefined) return;
    // A later word on the same sale is another paper: what was unknown may be known by now.
    const paper = endingKey(sale);
    printed.set(paper, (printed.get(paper) ?? 0) + 1);
    // Without a number it is a step on its way, or a fault's word.
    if (number === undefined) return;
    told.set(paper, (told.get(paper) ?? 0) + 1);
    ended(sale);
  };

  const listen = async (): Promise<void> => {
    const from: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
    const { body } = await person.stream('events', from, over.signal);
    if (connections > 0) gaps.push([leftAt, performance.now()]);
    connections += 1;
    first.resolve();
    try {
      await readBlocks(body ?? [], hear);
    } finally {
      leftAt = performance.now();
    }
  };

  const work = (async () => {
    while (!over.signal.aborted) {
      await Promise.race([till.up(), aborted(over.signal)]);
      // Its connection ends with the till, and with the listener.
      await listen().catch(() => undefined);
      if (!over.signal.aborted) await pause(systemClock, AGAIN_MS);
    }
  })();
  return {
    ...{ name, told, printed, gaps, listens: first.promise },
    async close() {
      over.abort();
      await work;
    },
  };
};

/** Each event's lines; rejects with whatever ends the stream. */
const readBlocks = async (body: AsyncIterable<Uint8Array> | [], hear: (block: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    blocks.forEach(hear);
  }
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/**
 * A sale whose ending its cashier heard, at `at` of `performance.now()`. `apart`: the till was killed meanwhile, and
 * perhaps there was nobody who could have told.
 */
export type HeardSale = { ended: LiveSale; at: number; byProgram: boolean; apart: boolean };

export type Told = {
  listener: string;
  endings: number;
  once: number;
  never: number;
  often: number;
  most: number;
  /** Endings while it was not connected, or that a killed till lies in; and how many of those it was told as well. */
  away: number;
  toldAfterwards: number;
};

type Counted = Pick<Listener, 'name' | 'gaps'>;

/** `counts`: what it was told, or what it printed. */
export const toldOf = (
  { name, gaps }: Counted,
  counts: ReadonlyMap<string, number>,
  sales: readonly HeardSale[],
): Told => {
  const isAway = ({ apart, at }: HeardSale): boolean => apart || gaps.some(([from, to]) => from <= at && at <= to);
  const timesOf = (some: readonly HeardSale[]): number[] => some.map(({ ended }) => counts.get(endingKey(ended)) ?? 0);
  const times = timesOf(sales.filter((sale) => !isAway(sale)));
  const away = timesOf(sales.filter(isAway));
  return {
    listener: name,
    endings: times.length,
    once: times.filter((count) => count === 1).length,
    never: times.filter((count) => count === 0).length,
    often: times.filter((count) => count > 1).length,
    most: Math.max(0, ...times),
    away: away.length,
    toldAfterwards: away.filter((count) => count > 0).length,
  };
};
