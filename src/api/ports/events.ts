/** The one stream that tells screens and programs what has changed. */
import type { ClosingWait } from './books.ts';
import type { Counter, LiveSale, SellingPort } from './selling.ts';
import type { LineState } from './wire.ts';

/** The session of whoever listens has ended, by time or by hand. */
export type Locked = { on: 'locked' };

/** A place in the order of events. */
export type Position = {
  /** Grows from one event to the next, with gaps. A start of the till changes none. */
  number: number;
  /** The number, and a mark of the till that gave it: what `Last-Event-ID` and `after` take. */
  id: string;
};

/** What the journal has of a sale that ended. It is told again to whoever asks for what came after an earlier one. */
export type SaleNews = Position &
  (
    | {
        /** It ended: `sale.result` says how. Once for each ending: what was unknown ends again when it is known. */
        on: 'sale';
        sale: LiveSale;
      }
    | {
        /** Its ending is as it was told, and something else of its result is another: it was sent, its money came. */
        on: 'amended';
        sale: LiveSale;
      }
  );

export type ApiEvent =
  | SaleNews
  /**
   * A step of a sale, the last one in phase `ended`, when its terminal takes the next one. It tells no result, unless
   * the journal could not be written to the sale's end.
   */
  | { on: 'sale'; sale: LiveSale }
  /** All events up to here were told to this listener. */
  | ({ on: 'here' } & Position)
  | { on: 'counters'; counters: Counter[] }
  | { on: 'line'; line: LineState }
  /** What a close waits for has changed; without `waits` it waits for nothing any more. */
  | { on: 'closing'; waits?: ClosingWait }
  /** Lists that show these are to be read again. */
  | {
      on: 'changed';
      what: 'sales' | 'openItems' | 'batches' | 'closing' | 'staff' | 'limits' | 'devices' | 'printers' | 'machine';
    }
  | Locked;

/** Whether it is told again: without that it is told to those alone who listen as it happens. */
export type Replayed<Event> = Event & { replays: boolean };

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
