/**
 * What each folder of tests costs by day: seconds of work at the speed of `YARDSTICK_MS`, as seen when the row was
 * written. `mayTake` says how far above it a run may be. Whoever needs more makes something else cheaper, or moves
 * width to the night.
 */
export const budgets: Readonly<Record<string, number>> = {
  '.': 4,
  api: 5,
  base: 1,
  bench: 1,
  build: 2,
  cli: 1,
  conformance: 6,
  contract: 14,
  drivers: 16,
  electron: 2,
  emv: 2,
  fuzz: 4,
  gateway: 32,
  house: 1,
  journal: 9,
  loading: 16,
  owner: 1,
  queue: 3,
  receipt: 4,
  reconciliation: 3,
  runtime: 26,
  shop: 1,
  simulation: 15,
  staff: 6,
  support: 2,
  system: 190,
  tapes: 3,
  till: 11,
  ui: 1,
  windows: 1,
  words: 1,
};
