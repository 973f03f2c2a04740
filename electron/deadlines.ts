/** How long the shell waits for the till's process, and when a process that died is restarted. */
import type { Clock } from '../src/base/clock.ts';

export type Deadlines = {
  /**
   * The time from the till's start until it listens, ms. Doubled after each start in a row that took too long, so that
   * opening a big journal after an update eventually gets enough time.
   */
  startMs: number;
  /** The interval of pings to a till that listens, ms. */
  beatMs: number;
  /** After this many unanswered pings in a row the window says that the till does not answer. */
  silentBeats: number;
  /** After this many unanswered pings in a row it is killed. */
  hungBeats: number;
  /** The wait for the answer to a request, ms. */
  answerMs: number;
  /** The wait for a graceful end, ms: a customer may have the card in the terminal for as long as a sale takes. */
  stopMs: number;
  /** The wait for a killed process to be gone, ms: a process that waits for a dead disk may stay. */
  goneMs: number;
};

/**
 * A minute of silence exceeds any single operation of a healthy till: a slow disk's sync, a report over a year's sales,
 * reopening its journal.
 */
export const usualDeadlines: Deadlines = {
  startMs: 10 * 60_000,
  beatMs: 5_000,
  silentBeats: 3,
  hungBeats: 12,
  answerMs: 10_000,
  stopMs: 120_000,
  goneMs: 10_000,
};

// When a process that died is restarted: soon, then at growing intervals, and at last only by a person.

const SPAN_MS = 5 * 60_000;
const TILL_WAITS_MS = [200, 1_000, 3_000, 10_000, 30_000, 30_000, 30_000];
/** A page loads quickly: after four failures in a row a fifth attempt would fail too. */
const PAGE_WAITS_MS = [0, 1_000, 5_000, 15_000];

const waitAfter = (deaths: readonly number[], waits: readonly number[]): number | undefined => {
  const last = deaths.at(-1) ?? 0;
  const lately = deaths.filter((at) => last - at < SPAN_MS).length;
  return waits[lately - 1];
};

/**
 * `deaths`: when it died, ms on a monotonic clock, the last one now. Returns the delay before the next start, ms;
 * undefined if it died too often within five minutes for another start to help.
 */
export const waitBefore = (deaths: readonly number[]): number | undefined => waitAfter(deaths, TILL_WAITS_MS);

/** As `waitBefore`, for the page in the window before it is reloaded. */
export const waitBeforeReload = (deaths: readonly number[]): number | undefined => waitAfter(deaths, PAGE_WAITS_MS);

export type ProcessDeaths = {
  /**
   * Records a death now, after a hang of this duration. Returns the delay before the next start, ms, as `waitBefore`
   * does.
   */
  add(hungMs: number): number | undefined;
  forget(): void;
};

/** Deaths on a clock that stops while a process hangs, so that the duration of a hang does not separate two deaths. */
export const openDeaths = (clock: Clock): ProcessDeaths => {
  let deaths: number[] = [];
  let lostMs = 0;
  return {
    add(hungMs) {
      lostMs += hungMs;
      deaths = [...deaths, clock.monotonic() - lostMs];
      return waitBefore(deaths);
    },
    forget() {
      deaths = [];
    },
  };
};
