/** The events of a served till, for all present listeners. */
import type { ApiEvent } from '../api/contract/events.ts';
import type { Events } from '../api/ports/events.ts';

/** A listener that throws is reported, and does not affect the others. */
export const openEvents = (report: (error: unknown) => void): Events & { listeners(): number } => {
  const hearing = new Set<(event: ApiEvent) => void>();
  return {
    listen(listener) {
      // The same function added twice counts as two listeners.
      const mine = (event: ApiEvent): void => listener(event);
      hearing.add(mine);
      return () => void hearing.delete(mine);
    },
    tell(event) {
      for (const hear of [...hearing]) {
        try {
          hear(event);
        } catch (error) {
          report(error);
        }
      }
    },
    listeners: () => hearing.size,
  };
};
