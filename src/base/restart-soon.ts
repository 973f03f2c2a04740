/** Reopens the till on behalf of a request that must be answered first. */
import type { Clock } from './clock.ts';
import { isFault } from './fault.ts';

/** A sale or a long request keeps the till open meanwhile; reopening is tried again afterwards. */
const AGAIN_MS = 2_000;

type RestartParts = { restart(): Promise<void>; report(error: unknown): void; clock: Clock };

/** Reopens the till once this request is answered and no sale is running. Failures are reported. */
export const createRestarter = ({ restart, report, clock }: RestartParts): (() => void) => {
  const tryRestart = (): void => {
    void restart().catch((error: unknown) => {
      report(error);
      if (isFault(error, 'terminal.busy') || isFault(error, 'till.occupied')) clock.after(AGAIN_MS, tryRestart);
    });
  };
  return tryRestart;
};
