/**
 * What each folder of tests costs by day: seconds of work at the speed of `YARDSTICK_MS`, as seen when the row was
 * written. `mayTake` says how far above it a run may be. Whoever needs more makes something else cheaper, or moves
 * width to the night.
 */
export const budgets: Readonly<Record<string, number>> = {
  '.': 5,
  api: 7,
  base: 1,
  bench: 1,
  build: 3,
  cli: 1,
  conformance: 7,
  contract: 16,
  drivers: 19,
  electron: 2,
  emv: 2,
  fuzz: 5,
  gateway: 42,
  house: 1,
  journal: 13,
  loading: 31,
  owner: 1,
  queue: 3,
  receipt: 6,
  reconciliation: 4,
  runtime: 34,
  shop: 1,
  simulation: 19,
  staff: 8,
  support: 3,
  system: 222,
  tapes: 4,
  till: 15,
  ui: 2,
  windows: 1,
  words: 1,
};
