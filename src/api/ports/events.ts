/** The one stream that tells screens and programs what has changed. */
import type { ApiEvent, Position, SaleNews } from '../contract/events.ts';
import type { SellingPort } from './selling.ts';

export interface EventLog {
  /** The last that was told. */
  here(): Position;
  /** What was told after this id, oldest first, read as it is asked for. Throws `events.elsewhere`, `events.tooOld`. */
  since(id: string): Iterable<SaleNews>;
  /** As `SellingPort.isOwn`. */
  isOwn: SellingPort['isOwn'];
}

export interface Events {
  /** `hear` is called with each event from now on, until the returned function is called. */
  listen(hear: (event: ApiEvent) => void): () => void;
  /** Tells all who listen. */
  tell(event: ApiEvent): void;
  /** Of the till that runs now. Listeners outlive it: one that is opened anew puts its own in this place. */
  log?: EventLog | undefined;
}
