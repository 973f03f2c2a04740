/**
 * Sends the messages of the outbox: reversals first, follow-ups after their payment, independent sales in parallel. A
 * message that fails waits for its backoff and blocks nothing. A lock and a lease allow one forwarder per journal. A
 * forced pass, and messages that a sale waits for, need not wait for the current pass.
 */
import type { AttemptParts } from './attempt.ts';
import type { MessageGroup, Outbox } from './outbox.ts';
import { type DrainCounts, flights, type PassResult, pass } from './pass.ts';
import { backoffMs } from './policy.ts';

export type { Delivery } from './attempt.ts';
export type { DrainCounts } from './pass.ts';

export type ForwarderParts = AttemptParts & {
  /** The forwarder's name, for the error that a second forwarder gets. */
  name?: string;
  /** How many stored messages are sent in parallel; 4 by default. */
  atOnce?: number | undefined;
};

export interface Forwarder {
  /**
   * One pass over the messages that are due, or that `which` selects, now. Simultaneous calls share one pass; `all`
   * follows the current one, which has already chosen its messages; messages that a sale waits for (`unknown`) are sent
   * in parallel with it once they are due: a sale does not hurry them. Rejects with `queue.held` when another forwarder
   * has this journal.
   */
  drain(which?: MessageGroup, moved?: (drained: Readonly<DrainCounts>) => void): Promise<DrainCounts>;
  /** Keeps draining as messages become due, until stopped. Throws `queue.held`. */
  start(): void;
  /** Wakes a started forwarder: the line is up again. */
  wake(): void;
  /** Makes a started forwarder check for new messages: it is not notified when a message enters the outbox. */
  look(): void;
  /** Calls back after each pass. */
  onPass(listener: (drained: DrainCounts) => void): void;
  /** Resolves when all messages in progress have ended. Releases the journal for another forwarder. */
  stop(): Promise<void>;
}

const AT_ONCE = 4;

export const createForwarder = (parts: ForwarderParts): Forwarder => {
  const { outbox, clock, report } = parts;
  const line = lineOf(parts);
  const lease = leaseOf(parts);
  const { drain, pending, onPass } = drains(parts, { line, lease });
  let started = false;
  let unschedule = () => {};
  let notBefore = 0;

  /** After a disk error: without a pause it would start over at once. */
  const pauseAfter = (error: unknown): void => {
    report(error);
    notBefore = clock.monotonic() + AFTER_FAILURE_MS;
    if (started) unschedule = clock.after(AFTER_FAILURE_MS, () => schedule());
  };

  /** If other passes were sending all the messages, an immediate new pass would find the same ones again. */
  const again = ({ done, later, parked }: DrainCounts): void => schedule(done + later + parked === 0 ? IN_HAND_MS : 0);

  const schedule = (leastMs = 0): void => {
    unschedule();
    if (!started) return;
    try {
      const napMs = line.napMs(outbox);
      if (napMs === undefined) return;
      const restMs = Math.max(leastMs, Math.min(napMs, LONGEST_NAP_MS));
      unschedule = clock.after(restMs, () => void drain().then(again, pauseAfter));
    } catch (error) {
      pauseAfter(error);
    }
  };

  return {
    drain,
    onPass,
    start() {
      lease.takeNow();
      started = true;
      schedule();
    },
    wake() {
      line.clear();
      schedule();
    },
    look() {
      if (clock.monotonic() >= notBefore) schedule();
    },
    async stop() {
      started = false;
      unschedule();
      // A forced pass may be queued after the current one.
      while (pending.size > 0) await Promise.allSettled(pending);
      lease.release();
    },
  };
};

type ForwarderTools = { line: ReturnType<typeof lineOf>; lease: ReturnType<typeof leaseOf> };

/** The passes that are running or requested. */
const drains = (parts: ForwarderParts, { line, lease }: ForwarderTools) => {
  const { outbox, clock, atOnce = AT_ONCE } = parts;
  const inFlight = flights(parts);
  const pending = new Set<Promise<DrainCounts>>();
  const drainListeners: ((drained: DrainCounts) => void)[] = [];
  let main: Promise<DrainCounts> | undefined;

  const one = async (which?: MessageGroup, moved?: (drained: Readonly<DrainCounts>) => void): Promise<DrainCounts> => {
    const may = which !== undefined || line.mayBeTried();
    const passed = await pass({ outbox, clock, flights: inFlight, atOnce, moved }, which, may);
    line.note(passed);
    const { done, later, parked } = passed;
    for (const notify of drainListeners) notify({ done, later, parked });
    return { done, later, parked };
  };

  const drain: Forwarder['drain'] = (which, moved) => {
    const begin = (): Promise<DrainCounts> => {
      if (which === undefined || which === 'all') {
        // A forced pass requested during another one follows it: the running one has already chosen its messages.
        if (main !== undefined) return which === undefined ? main : main.then(begin, begin);
        main = one(which, moved).finally(() => {
          main = undefined;
        });
        return main;
      }
      return one(which, moved);
    };
    const request = lease.take().then(begin);
    pending.add(request);
    const forget = () => void pending.delete(request);
    request.then(forget, forget);
    return request;
  };

  return { drain, pending, onPass: (listener: (drained: DrainCounts) => void) => void drainListeners.push(listener) };
};

const leaseOf = ({ outbox, name = 'the till’s own sender' }: ForwarderParts) => {
  let release: (() => void) | undefined;
  const takeNow = (): void => {
    release ??= outbox.lease(name);
  };
  return {
    takeNow,
    take: async (): Promise<void> => takeNow(),
    release(): void {
      release?.();
      release = undefined;
    },
  };
};

/** If the line was down a moment ago, stored messages wait before the next try. Reversals do not. */
const lineOf = ({ clock, random }: ForwarderParts) => {
  let failures = 0;
  let leasedUntil = 0;
  const clear = (): void => {
    failures = 0;
    leasedUntil = 0;
  };
  return {
    clear,
    mayBeTried: (): boolean => clock.monotonic() >= leasedUntil,
    note({ lineIsUp }: PassResult): void {
      if (lineIsUp === true) clear();
      if (lineIsUp !== false) return;
      leasedUntil = clock.monotonic() + backoffMs(failures, random);
      failures += 1;
    },
    /** How long until something can be sent; undefined when nothing waits. */
    napMs(outbox: Outbox): number | undefined {
      const toGo = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, at - clock.now()));
      const next = toGo(outbox.nextAt());
      const pausedMs = Math.max(0, leasedUntil - clock.monotonic());
      if (next === undefined || pausedMs <= next) return next;
      return Math.min(toGo(outbox.nextAt('reversals')) ?? pausedMs, pausedMs);
    },
  };
};

const AFTER_FAILURE_MS = 10_000;
const IN_HAND_MS = 1_000;
/** A clock that was set back must not stop the queue for years. */
const LONGEST_NAP_MS = 60_000;
