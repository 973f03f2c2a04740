/** The time of simulated terminals in tests: their customers are quick, and their own patience is as ever. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';

/** What customers and cards take is less; what a device waits for an answer, and for a customer, is this or more. */
const PATIENCE_MS = 5_000;

export const quickClock: Clock = {
  ...systemClock,
  after: (ms, then) => systemClock.after(ms < PATIENCE_MS ? ms / 1_000 : ms, then),
};
