/** How long the shell waits for the till's process, and when a process that died is started again. */
import type { Clock } from '../src/base/clock.ts';

export type Deadlines = {
  /**
   * From its start until it listens, ms. Twice as long after each start in a row that took too long: opening a big
   * journal after an update gets the time it needs in the end.
   */
  startMs: number;
  /** How often a till that listens is asked for a sign of life, ms. */
  beatMs: number;
  /** After so many beats in a row without an answer the window says that the till does not answer. */
  silentBeats: number;
  /** After so many it is ended by force. */
  hungBeats: number;
  /** For the answer to a question, ms. */
  answerMs: number;
  /** For an end in peace, ms: a customer may have the card in the terminal, as long as a sale may take. */
  stopMs: number;
  /** For a process that was ended by force to be gone, ms: one that waits for a dead disk may stay. */
  goneMs: number;
};

/**
 * A minute of silence is beyond anything that a till in order does in one go: a slow disk's sync, a report over a
 * year's sales, opening its journal anew.
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

// When a process that died is started again: soon, then later and later, and at last only by a person.

const SPAN_MS = 5 * 60_000;
const TILL_WAITS_MS = [200, 1_000, 3_000, 10_000, 30_000, 30_000, 30_000];
/** A page loads in a moment: one that fell over four times in a row falls over a fifth time. */
const PAGE_WAITS_MS = [0, 1_000, 5_000, 15_000];

const waitAfter = (deaths: readonly number[], waits: readonly number[]): number | undefined => {
  const now = deaths.at(-1) ?? 0;
  const lately = deaths.filter((at) => now - at < SPAN_MS).length;
  return waits[lately - 1];
};

/**
 * `deaths`: when it died, ms of a clock that only grows, the last one now. How long to wait before the next start, ms;
 * undefined when it has died too often in five minutes for another one to help.
 */
export const waitBefore = (deaths: readonly number[]): number | undefined => waitAfter(deaths, TILL_WAITS_MS);

/** The same for the page in the window, before it is loaded anew. */
export const waitBeforeReload = (deaths: readonly number[]): number | undefined => waitAfter(deaths, PAGE_WAITS_MS);

export type Deaths = {
  /** It died now, after it hung for so long. How long to wait before the next start, ms, as `waitBefore` has it. */
  add(hungMs: number): number | undefined;
  forget(): void;
};

/** Deaths on a clock that stands still while a process hangs: what a hang takes does not part one from the next. */
export const openDeaths = (clock: Clock): Deaths => {
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
