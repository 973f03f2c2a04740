/**
 * Sends what the outbox holds, one message at a time, reversals first. A message that fails goes behind its backoff and
 * blocks nobody. There is one forwarder per journal: the journal's lock sees to that.
 */
import type { Clock } from '../base/clock.ts';
import { isFault, wordsOf } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import type { Message, Outbox, Waiting, Which } from './outbox.ts';
import { backoffMs, type Means, UNKNOWN_ANSWERS_MOST, verdicts } from './policy.ts';

export type Delivery = {
  readonly means: Means;
  /** In words, for the queue's list. */
  readonly note: string;
  /** Settles it: writes the event it led to and takes the message out of the outbox, in one durable step. */
  settle(): void;
};

export type ForwarderParts = {
  outbox: Outbox;
  deliver(message: Message): Promise<Delivery>;
  clock: Clock;
  random: Random;
  /** Called after each pass. */
  passed?(drained: Drained): void;
  /** What went wrong in a pass that nobody waits for. */
  report(error: unknown): void;
};

export type Drained = { done: number; later: number; parked: number };

export interface Forwarder {
  /** One pass over what is due, or over what `which` names, now. Calls at the same time share one pass. */
  drain(which?: Which): Promise<Drained>;
  /** Keeps draining as messages fall due, until stopped. */
  start(): void;
  /** Wakes a started forwarder: something was put, or the line is back. */
  wake(): void;
  /** Resolves when the pass under way has ended. */
  stop(): Promise<void>;
}

export const forwarder = (parts: ForwarderParts): Forwarder => {
  const { outbox, clock, report } = parts;
  let running: Promise<Drained> | undefined;
  let started = false;
  let unschedule = () => {};

  const drain = (which?: Which): Promise<Drained> => {
    // A forced pass asked for during another one follows it: the running one has already chosen its messages.
    if (running !== undefined && which !== undefined)
      return running.then(
        () => drain(which),
        () => drain(which),
      );
    running ??= pass(parts, which).finally(() => {
      running = undefined;
    });
    return running;
  };

  /** After a failure at the disk: without a pause it would start over at once. */
  const pauseAfter = (error: unknown): void => {
    report(error);
    if (started) unschedule = clock.after(AFTER_FAILURE_MS, schedule);
  };

  const schedule = (): void => {
    unschedule();
    if (!started) return;
    try {
      const next = outbox.nextAt();
      if (next === undefined) return;
      const napMs = Math.max(0, Math.min(next - clock.now(), LONGEST_NAP_MS));
      unschedule = clock.after(napMs, () => void drain().then(schedule, pauseAfter));
    } catch (error) {
      pauseAfter(error);
    }
  };

  return {
    drain,
    start() {
      started = true;
      schedule();
    },
    wake: schedule,
    async stop() {
      started = false;
      unschedule();
      // A forced pass may stand behind the one under way.
      while (running !== undefined) await running.catch(report);
    },
  };
};

const AFTER_FAILURE_MS = 10_000;
/** A clock that was set back must not put the queue to sleep for years. */
const LONGEST_NAP_MS = 60_000;

/** Reversals that come up during a pass go before the next stored sale. A line that is down is not tried for each. */
const pass = async (parts: ForwarderParts, which?: Which): Promise<Drained> => {
  const { outbox, clock } = parts;
  const drained: Drained = { done: 0, later: 0, parked: 0 };
  const handled = new Set<string>();
  const take = async (message: Waiting): Promise<boolean> => {
    if (handled.has(message.id)) return true;
    handled.add(message.id);
    const { outcome, answered } = await handle(parts, message);
    drained[outcome] += 1;
    return answered;
  };

  let lineIsUp = true;
  for (const message of outbox.due(clock.now(), which)) {
    for (const urgent of outbox.due(clock.now(), 'reversals')) await take(urgent);
    if (message.kind !== 'forward') await take(message);
    else if (lineIsUp) lineIsUp = await take(message);
    else drained.later += 1;
  }
  parts.passed?.(drained);
  return drained;
};

type Handled = { outcome: keyof Drained; answered: boolean };

const handle = async (parts: ForwarderParts, message: Waiting): Promise<Handled> => {
  const { outbox, clock, random, report } = parts;
  const { means, note, settle } = await delivered(parts, message);
  const answered = means !== 'notSent' && means !== 'silent';
  const unknown = means === 'unknown';
  const verdict = unknown && message.unknowns >= UNKNOWN_ANSWERS_MOST ? 'park' : verdicts[means];
  if (verdict === 'park') {
    outbox.park(message.id, note);
    return { outcome: 'parked', answered };
  }
  try {
    if (verdict === 'done') {
      settle();
      return { outcome: 'done', answered };
    }
  } catch (error) {
    // The answer could not be written down: the same message gets the same answer again.
    report(error);
  }
  outbox.retryAt(message.id, { dueAt: clock.now() + backoffMs(message.attempts, random), note, unknown });
  return { outcome: 'later', answered };
};

const delivered = async ({ outbox, deliver }: ForwarderParts, message: Waiting): Promise<Delivery> => {
  try {
    const secret = outbox.open(message.id);
    outbox.trying(message.id);
    return await deliver(secret === undefined ? message : { ...message, secret });
  } catch (error) {
    // A record that cannot be opened is parked; anything else may have reached the gateway.
    return { means: isFault(error, 'seal.broken') ? 'refused' : 'silent', note: wordsOf(error), settle: () => {} };
  }
};
