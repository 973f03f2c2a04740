/**
 * What the selling service looks after by itself: terminals that are away are looked for, a line that is down is asked,
 * and the screens are told when counters, line or books have changed without them.
 */
import type { Counter } from '../api/ports/selling.ts';
import type { LineState } from '../api/ports/wire.ts';
import type { SellingCounter, SellingParts } from './port.ts';

export type WatchParts = Pick<SellingParts, 'running' | 'clock' | 'events' | 'report'> & {
  counters(): Counter[];
  line(): LineState;
  isBusy(counter: SellingCounter): boolean;
  /** Tells what the journal has of sales that ended since the last look. */
  news(): void;
};

export type CountersWatch = {
  /** Tells what has changed, now. */
  look(): void;
  close(): Promise<void>;
};

/** Between two looks at books and queue, and between two tries of a terminal or a line that is not there, ms. */
const LOOK_EVERY_MS = 2_000;
const TRY_EVERY_MS = 15_000;

/** Tells what is not as it was at the last look. */
const lookout = ({ running, events, counters, line, report, news }: WatchParts): (() => void) => {
  let told = { counters: '', line: '', length: running.journal.length };
  const look = (): void => {
    const [nowCounters, nowLine] = [counters(), line()];
    const before = told;
    told = {
      counters: JSON.stringify(nowCounters),
      line: JSON.stringify(nowLine),
      length: running.journal.length,
    };
    if (told.counters !== before.counters) events.tell({ on: 'counters', counters: nowCounters });
    if (told.line !== before.line) {
      events.tell({ on: 'line', line: nowLine });
      events.tell({ on: 'changed', what: 'openItems' });
    }
    // What the queue settled nobody else tells of.
    news();
    if (told.length !== before.length) events.tell({ on: 'changed', what: 'sales' });
  };
  return () => {
    try {
      look();
    } catch (error) {
      report(error);
    }
  };
};

export const attendCounters = (parts: WatchParts): CountersWatch => {
  const { running, clock, report } = parts;
  const look = lookout(parts);
  const under = new Set<Promise<void>>();
  let stopped = false;
  let stop = (): void => {};

  const run = (work: Promise<unknown>): void => {
    const mine = work.then(look, report).finally(() => {
      under.delete(mine);
    });
    under.add(mine);
  };

  /** One that sells is left alone: it opens its terminal itself. */
  const tryAll = (): void => {
    for (const one of running.counters)
      if (!parts.isBusy(one) && one.presence().state !== 'unpaired') run(one.ready().catch(() => undefined));
    if (!running.line.now().online) run(running.hearsGateway());
  };

  const turn = (sinceTry: number): void => {
    if (stopped) return;
    const isTime = sinceTry >= TRY_EVERY_MS;
    if (isTime && under.size === 0) tryAll();
    look();
    running.forwarder.look();
    stop = clock.after(LOOK_EVERY_MS, () => turn(isTime ? 0 : sinceTry + LOOK_EVERY_MS));
  };

  const unhear = running.line.changed(look);
  turn(TRY_EVERY_MS);
  return {
    look,
    async close() {
      stopped = true;
      stop();
      unhear();
      await Promise.all(under);
    },
  };
};
