/** Measures how long a terminal takes to answer many harmless requests, as figures and as a histogram. */
import type { Clock } from '../../base/clock.ts';
import { errorText, isFault } from '../../base/fault.ts';

export type Loopback = {
  asked: number;
  answered: number;
  /** Why the first unanswered request failed. */
  why?: string;
  minMs?: number;
  medianMs?: number;
  p95Ms?: number;
  maxMs?: number;
  /** The time of each answer in ms, in the order of the requests. */
  tookMs: readonly number[];
};

/**
 * Sends `echoes` requests, one after the other. A request that the terminal refuses counts as unanswered. A fault that
 * ends the session ends the measurement. Never rejects with a fault.
 */
export const runLoopback = async (
  echo: () => Promise<void>,
  { clock, echoes, tell = () => {} }: { clock: Clock; echoes: number; tell?: (done: number) => void },
): Promise<Loopback> => {
  const tookMs: number[] = [];
  let asked = 0;
  let reason: string | undefined;
  while (asked < echoes) {
    const startedAt = clock.monotonic();
    asked += 1;
    try {
      await echo();
      tookMs.push(hundredths(clock.monotonic() - startedAt));
    } catch (error) {
      if (!isFault(error)) throw error;
      reason ??= errorText(error);
      if (!isFault(error, 'terminal.refused', 'terminal.busy', 'terminal.unready')) break;
    }
    tell(asked);
  }
  return { asked, answered: tookMs.length, tookMs, ...statisticsOf(tookMs), why: reason };
};

/** Finer times mean nothing here, and a dozen decimals look like a card number. */
const hundredths = (ms: number): number => Math.round(ms * 100) / 100;

const statisticsOf = (tookMs: readonly number[]): Pick<Loopback, 'minMs' | 'medianMs' | 'p95Ms' | 'maxMs'> => {
  const sorted = [...tookMs].sort((a, b) => a - b);
  /** Nearest rank: the smallest time that is not below this share of all times. */
  const percentile = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return {};
  return { minMs: percentile(0), medianMs: percentile(0.5), p95Ms: percentile(0.95), maxMs: percentile(1) };
};

/** The upper ends of the histogram's bars, ms; the last is open. */
const ends = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, Number.POSITIVE_INFINITY] as const;
const BAR = 40;

/** How many answers fell into each range of time, from the fastest to the slowest; `toMs` of the last is infinite. */
export const barsOf = (tookMs: readonly number[]): { fromMs: number; toMs: number; count: number }[] => {
  const bars = ends.map((toMs, i) => {
    const fromMs = ends[i - 1] ?? 0;
    return { fromMs, toMs, count: tookMs.filter((ms) => ms < toMs && ms >= fromMs).length };
  });
  const first = bars.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : bars.slice(first, bars.findLastIndex(({ count }) => count > 0) + 1);
};

/** One line for each range of time from the fastest to the slowest answer, with a bar in proportion to its share. */
export const histogram = (tookMs: readonly number[]): string[] => {
  const bars = barsOf(tookMs);
  const most = Math.max(...bars.map(({ count }) => count));
  return bars.map(({ count, ...range }) => {
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR)));
    return `${rangeOf(range).padStart(16)}  ${bar.padEnd(BAR)}  ${count}`;
  });
};

const rangeOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }): string =>
  Number.isFinite(toMs) ? `${fromMs} to ${toMs} ms` : `${fromMs} ms or more`;
