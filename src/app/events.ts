/** The events of a served till: told to everybody who listens, and to nobody who has gone. */
import type { ApiEvent, Events } from '../api/ports/events.ts';

/** A listener that throws is told of by `report`, and hinders no other. */
export const openEvents = (report: (error: unknown) => void): Events & { listeners(): number } => {
  const hearing = new Set<(event: ApiEvent) => void>();
  return {
    listen(hear) {
      // One function given twice is two listeners.
      const mine = (event: ApiEvent): void => hear(event);
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
