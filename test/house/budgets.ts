/**
 * What each folder of tests may cost by day: seconds of work at the speed of `YARDSTICK_MS`, about a third more than
 * they took when the row was written. Whoever needs more makes something else cheaper, or moves width to the night.
 */
export const budgets: Readonly<Record<string, number>> = {
  '.': 15,
  api: 15,
  base: 5,
  bench: 3,
  build: 6,
  cli: 3,
  conformance: 26,
  contract: 38,
  drivers: 105,
  electron: 3,
  emv: 8,
  fuzz: 8,
  gateway: 110,
  house: 3,
  journal: 53,
  queue: 6,
  receipt: 9,
  reconciliation: 6,
  runtime: 129,
  shop: 3,
  simulation: 44,
  staff: 8,
  support: 6,
  system: 3000,
  tapes: 6,
  till: 41,
  ui: 3,
  words: 3,
};
