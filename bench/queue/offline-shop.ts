/** A shop whose people act at once, and whose till accepts any sale offline: only the till is measured. */
import { type Clock, systemClock } from '../../src/base/clock.ts';

export const instant: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 1000, then) };

export const noLimits = {
  chip: { upTo: '50.00' },
  deferred: { upTo: '0.00' },
  total: '9999999.00',
  count: 10_000,
  withoutDataAuthentication: true,
} as const;
