/** The time of simulated terminals in tests: their customers are quick, but their own timeouts are unchanged. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';

/** Customers and cards take less time; a device waits at least this long for an answer or a customer. */
const PATIENCE_MS = 5_000;

export const quickClock: Clock = {
  ...systemClock,
  after: (ms, then) => systemClock.after(ms < PATIENCE_MS ? ms / 1_000 : ms, then),
};
