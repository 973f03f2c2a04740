/** Whether a terminal is connected, according to its last opening: for the screens, which do not ask it themselves. */
import { errorText, Fault, isFault } from '../base/fault.ts';
import type { KeptTerminal } from '../till/ports.ts';

export type Presence =
  | { readonly state: 'ready' }
  /** It was asked for, and was not connected or did not answer. */
  | { readonly state: 'away'; readonly fault: Fault }
  /** None is known at this counter. */
  | { readonly state: 'unpaired' };

export type Watch = {
  current(): Presence;
  /** The same terminal, with the result of each opening remembered here. */
  watch<T>(saved: KeptTerminal<T>): KeptTerminal<T>;
};

/** A terminal that nobody has asked for yet counts as connected. `isThere` is called whenever it was opened. */
export const watchPresence = (isKnown: boolean, isThere: () => void = () => {}): Watch => {
  let presence: Presence = isKnown ? { state: 'ready' } : { state: 'unpaired' };
  const presenceAway = (error: unknown): Presence =>
    isFault(error, 'terminal.unpaired')
      ? { state: 'unpaired' }
      : {
          state: 'away',
          fault: isFault(error) ? error : new Fault('terminal.unready', { why: errorText(error) }, error),
        };
  return {
    current: () => presence,
    watch: (saved) => ({
      drop: () => saved.drop(),
      async get() {
        try {
          const terminal = await saved.get();
          presence = { state: 'ready' };
          isThere();
          return terminal;
        } catch (error) {
          presence = presenceAway(error);
          throw error;
        }
      },
    }),
  };
};
