/** Ends a process that cannot be asked to. */
import type { UtilityProcess } from 'electron';

/**
 * The system ends it, whatever it does: Electron's own `kill` sends SIGTERM, which a stopped process never gets. On
 * Windows both end it at once.
 */
export const endByForce = (child: Pick<UtilityProcess, 'pid' | 'kill'>): void => {
  try {
    if (child.pid === undefined) child.kill();
    else process.kill(child.pid, 'SIGKILL');
  } catch {
    // It is gone already, and its `exit` is on the way.
    child.kill();
  }
};
