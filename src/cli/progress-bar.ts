/** A bar for people, on a terminal, for what takes longer than they like to wait. A log or a script gets none. */
import { systemClock } from '../base/clock.ts';

export type ProgressBar = { at(done: number): void; end(): void };

const BAR = 30;
/** What is over before this needs no bar. */
const AFTER_MS = 2_000;
const EVERY_MS = 100;

export const progressBar = (total: number): ProgressBar => {
  const start = systemClock.monotonic();
  let drawnAt = 0;
  return {
    at(done) {
      const now = systemClock.monotonic();
      if (!process.stderr.isTTY || total === 0 || now - start < AFTER_MS || now - drawnAt < EVERY_MS) return;
      drawnAt = now;
      const full = Math.round((Math.min(done, total) / total) * BAR);
      process.stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total}`);
    },
    end() {
      if (drawnAt > 0) process.stderr.write('\r\x1b[K');
    },
  };
};
