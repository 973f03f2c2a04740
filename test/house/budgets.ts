/**
 * What each folder of tests may cost by day: seconds of work at the speed of `YARDSTICK_MS`, about half as much again
 * as they took when the row was written, for a busy machine adds some work of its own. Whoever needs more makes
 * something else cheaper, or moves width to the night.
 */
export const budgets: Readonly<Record<string, number>> = {
  '.': 8,
  api: 8,
  base: 4,
  bench: 2,
  build: 5,
  cli: 2,
  conformance: 9,
  contract: 11,
  drivers: 22,
  electron: 2,
  emv: 4,
  fuzz: 6,
  gateway: 44,
  house: 2,
  journal: 12,
  loading: 31,
  queue: 4,
  receipt: 7,
  reconciliation: 5,
  runtime: 36,
  shop: 2,
  simulation: 23,
  staff: 2,
  support: 6,
  system: 278,
  tapes: 5,
  till: 16,
  ui: 2,
  words: 2,
};
