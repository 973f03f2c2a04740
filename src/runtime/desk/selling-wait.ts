/** The wait for a terminal that a sale which has ended still holds: its card is in it, or it says its last words. */
import { Fault, isFault } from '../../base/fault.ts';

export interface TerminalWaits {
  /**
   * Resolves once this is resolved. Rejects with `terminal.busy` when whoever asks has gone: nothing is begun for
   * nobody. A fault that `gone` brings as its reason is thrown itself. `till.stopping` after `end`.
   */
  until(free: Promise<void>, gone?: AbortSignal): Promise<void>;
  /** For good: nothing waits any more. */
  end(): void;
}

export const openTerminalWaits = (): TerminalWaits => {
  const ended = new AbortController();
  return {
    async until(free, gone) {
      const stopped = Promise.withResolvers<never>();
      const onGone = (): void =>
        stopped.reject(
          isFault(gone?.reason) ? gone.reason : new Fault('terminal.busy', { command: 'the card of the last sale' }),
        );
      const onEnd = (): void => stopped.reject(new Fault('till.stopping'));
      gone?.addEventListener('abort', onGone);
      ended.signal.addEventListener('abort', onEnd);
      if (gone?.aborted === true) onGone();
      try {
        await Promise.race([free, stopped.promise]);
      } finally {
        gone?.removeEventListener('abort', onGone);
        ended.signal.removeEventListener('abort', onEnd);
      }
      if (ended.signal.aborted) throw new Fault('till.stopping');
    },
    end: () => ended.abort(),
  };
};
