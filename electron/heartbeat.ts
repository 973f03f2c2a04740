/**
 * Whether the till's process still turns: asked for a sign of life at each beat, and given up after a row of beats
 * without one. Beats are counted by the shell's own timers, one after the other: a machine that slept, or a shell that
 * was held up itself, makes one late beat, which does not count.
 */
import type { Clock } from '../src/base/clock.ts';
import type { Deadlines } from './deadlines.ts';

export type HeartbeatParts = {
  clock: Clock;
  deadlines: Pick<Deadlines, 'beatMs' | 'silentBeats' | 'hungBeats'>;
  ping(): void;
  /** It does not answer, or answers again. */
  silent(isSilent: boolean): void;
  /** It has not answered for so long that it will not. Called once; then nothing more is asked. */
  hung(): void;
};

export type Heartbeat = {
  /** Anything that the till said. */
  heard(): void;
  stop(): void;
};

/** Begins at once. */
export const startHeartbeat = ({ clock, deadlines, ping, silent, hung }: HeartbeatParts): Heartbeat => {
  const { beatMs, silentBeats, hungBeats } = deadlines;
  let missed = 0;
  let isAnswered = false;
  let stop = (): void => {};

  const beat = (): void => {
    isAnswered = false;
    ping();
    const due = clock.monotonic() + beatMs;
    stop = clock.after(beatMs, () => {
      const isLate = clock.monotonic() - due >= beatMs;
      if (!isAnswered && !isLate) missed += 1;
      if (missed >= hungBeats) return hung();
      if (!isAnswered && !isLate && missed === silentBeats) silent(true);
      beat();
    });
  };

  beat();
  return {
    heard() {
      isAnswered = true;
      if (missed >= silentBeats) silent(false);
      missed = 0;
    },
    stop: () => stop(),
  };
};
