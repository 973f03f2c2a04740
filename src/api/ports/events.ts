/** The one stream that tells the screens what has changed. */
import type { ClosingWait } from './books.ts';
import type { LineState } from './line.ts';
import type { Counter, LiveSale } from './selling.ts';

/** The session of whoever listens has ended, by time or by hand. */
export type Locked = { on: 'locked' };

export type ApiEvent =
  | { on: 'sale'; sale: LiveSale }
  | { on: 'counters'; counters: Counter[] }
  | { on: 'line'; line: LineState }
  /** What a close waits for has changed; without `waits` it waits for nothing any more. */
  | { on: 'closing'; waits?: ClosingWait }
  /** Lists that show these are to be read again. */
  | { on: 'changed'; what: 'sales' | 'openItems' | 'batches' | 'staff' | 'limits' | 'devices' | 'printers' | 'machine' }
  | Locked;

export interface Events {
  /** `hear` is called with each event from now on, until the returned function is called. */
  listen(hear: (event: ApiEvent) => void): () => void;
  /** Tells all who listen. */
  tell(event: ApiEvent): void;
}
