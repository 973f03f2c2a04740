/** The event stream for screens and programs. */
import type { ApiEvent, Position, SaleNews } from '../contract/events.ts';
import type { SellingPort } from './selling.ts';

export interface EventLog {
  /** The position of the last event. */
  here(): Position;
  /** The events after this id, oldest first, read lazily. Throws `events.elsewhere`, `events.tooOld`. */
  since(id: string): Iterable<SaleNews>;
  /** As `SellingPort.isOwn`. */
  isOwn: SellingPort['isOwn'];
}

export interface Events {
  /** Calls `hear` for each event from now on, until the returned function is called. */
  listen(listener: (event: ApiEvent) => void): () => void;
  tell(event: ApiEvent): void;
  /** The log of the current till. Listeners outlive a till: after a restart the new till replaces it. */
  log?: EventLog | undefined;
}
