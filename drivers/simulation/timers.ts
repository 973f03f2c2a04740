/** What is still going to happen at a simulated device: callbacks that can all be taken back at once. */
import type { Clock } from '../../src/base/clock.ts';

export class Timers {
  readonly #clock: Clock;
  readonly #stops = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back after `ms`, unless stopped before. */
  after(ms: number, then: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#stops.delete(stop);
      then();
    });
    this.#stops.add(stop);
  }

  /** Nothing of it happens any more. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }
}
