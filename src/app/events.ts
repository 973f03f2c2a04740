/** The events of a served till, for all present listeners. */
import type { ApiEvent } from '../api/contract/events.ts';
import type { Events } from '../api/ports/events.ts';

/** A listener that throws is reported, and does not affect the others. */
export const openEvents = (report: (error: unknown) => void): Events & { listeners(): number } => {
  const registered = new Set<(event: ApiEvent) => void>();
  return {
    listen(listener) {
      // The same function added twice counts as two listeners.
      const added = (event: ApiEvent): void => listener(event);
      registered.add(added);
      return () => void registered.delete(added);
    },
    tell(event) {
      for (const callback of [...registered]) {
        try {
          callback(event);
        } catch (error) {
          report(error);
        }
      }
    },
    listeners: () => registered.size,
  };
};
