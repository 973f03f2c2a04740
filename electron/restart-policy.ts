/** When a till process that died is started again: soon, then later and later, and at last only by a person. Pure. */

const SPAN_MS = 5 * 60_000;
const WAITS_MS = [200, 1_000, 3_000, 10_000, 30_000, 30_000, 30_000];

/**
 * `deaths`: when it died, ms of a clock that only grows, the last one now. How long to wait before the next start, ms;
 * undefined when it has died too often in five minutes for another one to help.
 */
export const waitBefore = (deaths: readonly number[]): number | undefined => {
  const now = deaths.at(-1) ?? 0;
  const lately = deaths.filter((at) => now - at < SPAN_MS).length;
  return WAITS_MS[lately - 1];
};
