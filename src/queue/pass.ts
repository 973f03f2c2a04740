/**
 * One pass over the queue. Due reversals are sent before the next stored message. Stored messages are sent in parallel,
 * up to a bound, each after the one it follows. The first one is sent alone, so that a line that is down is not tried
 * for each.
 */
import type { Clock } from '../base/clock.ts';
import { type AttemptParts, attempt, type Outcome } from './attempt.ts';
import type { MessageGroup, Outbox, OutboxCursor, Ready, WaitingMessage } from './outbox.ts';
import { LONGEST_BACKOFF_MS } from './policy.ts';

// The messages being sent. A caller that wants one of them joins its attempt: none is ever sent twice at once.

interface Flights {
  has(id: string): boolean;
  /** Sends the message, or joins its attempt. Undefined when it no longer waits. */
  send(message: WaitingMessage): Promise<Outcome> | undefined;
  /** Notes several tries in one durable step; returns those that still wait, to be sent with `sendNoted`. */
  note<T extends WaitingMessage>(messages: readonly T[]): T[];
  sendNoted(message: WaitingMessage): Promise<Outcome>;
}

export const flights = (parts: AttemptParts): Flights => {
  const inFlight = new Map<string, Promise<Outcome>>();
  const sendNoted = (message: WaitingMessage): Promise<Outcome> => {
    const flight = attempt(parts, message).finally(() => inFlight.delete(message.id));
    inFlight.set(message.id, flight);
    return flight;
  };
  return {
    has: (id) => inFlight.has(id),
    sendNoted,
    send(message) {
      const joined = inFlight.get(message.id);
      if (joined !== undefined) return joined;
      return parts.outbox.markTrying(message.id).has(message.id) ? sendNoted(message) : undefined;
    },
    note(messages) {
      if (messages.length === 0) return [];
      const waiting = parts.outbox.markTrying(...messages.map(({ id }) => id));
      return messages.filter(({ id }) => waiting.has(id));
    },
  };
};

export type DrainCounts = { done: number; later: number; parked: number };

export type PassParts = {
  outbox: Outbox;
  clock: Clock;
  flights: Flights;
  /** The maximum number of stored messages in parallel. */
  atOnce: number;
  /** Called after each message with the progress of the pass. */
  moved?(drained: Readonly<DrainCounts>): void;
};

export type PassResult = DrainCounts & {
  /** Whether the gateway answered the stored messages; undefined when none was sent. */
  lineIsUp: boolean | undefined;
};

/** `stored`: whether stored messages are sent too, or only reversals because the line was down a moment ago. */
export const pass = async (parts: PassParts, which: MessageGroup | undefined, stored: boolean): Promise<PassResult> => {
  const { outbox, clock } = parts;
  const { work, all } = openWorkers(parts);
  const isForced = which === 'all' || which === 'urgent';
  await all(outbox.due(clock.now(), isForced ? 'urgent' : 'reversals'));
  if (which === 'unknown') await all(outbox.due(clock.now(), 'unknown'));
  else if (which !== 'reversals' && which !== 'urgent' && stored) await storedOnes(parts, which, { work, all });
  const { drained, line } = work;
  const skipped = line.isUp === false || !stored ? outbox.countDue(clock.now(), which) : 0;
  const counted = which === undefined ? 0 : drained.later;
  return { ...drained, later: drained.later + Math.max(0, skipped - counted), lineIsUp: line.isUp };
};

type Workers = ReturnType<typeof openWorkers>;

/** A reversal that became due again counts once. */
const tally = (moved: PassParts['moved']) => {
  const drained: DrainCounts = { done: 0, later: 0, parked: 0 };
  const latest = new Map<string, Outcome['became']>();
  const count = (id: string, { became }: Outcome): void => {
    const before = latest.get(id);
    if (before !== undefined) drained[before] -= 1;
    latest.set(id, became);
    drained[became] += 1;
    moved?.(drained);
  };
  return { drained, count };
};

const openWorkers = ({ flights, atOnce, moved }: PassParts) => {
  const work = followers(moved);
  const all = (messages: readonly WaitingMessage[], again = false) =>
    sendAll({ flights, atOnce, work }, messages, again);
  return { work, all };
};

/** Counts the outcomes of the messages, and keeps the first disk error. */
const followers = (moved: PassParts['moved']) => {
  const { drained, count } = tally(moved);
  const handled = new Set<string>();
  const running = new Set<Promise<void>>();
  const line: { isUp: boolean | undefined } = { isUp: undefined };
  let failed: { error: unknown } | undefined;

  /** Never rejects. */
  const follow = (
    id: string,
    flight: Promise<Outcome>,
    onOutcome: (outcome: Outcome) => void = () => {},
  ): Promise<void> => {
    const done = flight
      .then((outcome) => {
        count(id, outcome);
        onOutcome(outcome);
      })
      .catch((error: unknown) => {
        failed ??= { error };
      })
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  const next = async (): Promise<void> => {
    await Promise.race(running);
  };

  /** Waits for all messages in progress; then throws the error. */
  const land = async (): Promise<void> => {
    while (running.size > 0) await next();
    if (failed !== undefined) throw failed.error;
  };

  return {
    drained,
    handled,
    line,
    follow,
    next,
    land,
    get busy() {
      return running.size;
    },
    get isFailed() {
      return failed !== undefined;
    },
  };
};

type SendContext = { flights: Flights; atOnce: number; work: ReturnType<typeof followers> };

/** Sends all of these, a few in parallel; those already sent in this pass only if they became due again. */
const sendAll = async (
  { flights, atOnce, work }: SendContext,
  messages: readonly WaitingMessage[],
  again: boolean,
): Promise<void> => {
  const inProgress = new Set<Promise<void>>();
  for (const message of messages) {
    if ((work.handled.has(message.id) && !again) || work.isFailed) continue;
    work.handled.add(message.id);
    const flight = flights.send(message);
    if (flight === undefined) continue;
    const done = work.follow(message.id, flight);
    inProgress.add(done);
    void done.finally(() => inProgress.delete(done));
    if (inProgress.size >= atOnce) await Promise.race(inProgress);
  }
  await Promise.all(inProgress);
  if (work.isFailed) await work.land();
};

/** How many are noted as tried in one durable step, once the line is known to be up. */
const PAGE = 16;

const storedOnes = async (parts: PassParts, which: 'all' | undefined, { work, all }: Workers): Promise<void> => {
  const { outbox, clock, flights, atOnce } = parts;
  const source = supply(parts, which, work);
  while (!work.isFailed) {
    const urgent = outbox.due(clock.now(), 'reversals');
    if (urgent.length > 0) {
      await all(urgent, true);
      // Another one may have become due meanwhile.
      continue;
    }
    if (work.line.isUp === false) break;
    if (work.busy >= (work.line.isUp === true ? atOnce : 1)) {
      await work.next();
      continue;
    }
    const nextMessage = source.take();
    if (nextMessage === undefined) {
      if (work.busy === 0) break;
      await work.next();
      continue;
    }
    const { message, noted: isNoted } = nextMessage;
    const flight = isNoted ? flights.sendNoted(message) : flights.send(message);
    if (flight === undefined) continue;
    work.follow(message.id, flight, ({ became, lineIsUp }) => {
      work.line.isUp = lineIsUp && work.line.isUp !== false;
      if (became === 'done') source.add(outbox.freedBy(message));
    });
  }
  await work.land();
};

type TakenMessage = { message: Ready; noted: boolean };

/** The stored messages in order, page by page, and those that settled messages release. */
const supply = ({ outbox, clock, flights }: PassParts, which: 'all' | undefined, work: Workers['work']) => {
  let place: OutboxCursor | undefined;
  const freed: Ready[] = [];
  const batch: TakenMessage[] = [];
  const isFresh = ({ id, kind }: Ready): boolean => kind !== 'reversal' && !work.handled.has(id) && !flights.has(id);
  const isTurn = ({ dueAt }: Ready): boolean =>
    which === 'all' || dueAt <= clock.now() || dueAt > clock.now() + LONGEST_BACKOFF_MS;

  const page = (): Ready[] => {
    for (;;) {
      const found = outbox.page(clock.now(), { which, after: place, most: work.line.isUp === true ? PAGE : 1 });
      place = found.at(-1)?.place ?? place;
      const newlyDue = found.filter(isFresh);
      if (newlyDue.length > 0 || found.length === 0) return newlyDue;
    }
  };

  const fill = (): void => {
    const free = freed.splice(0).filter(isFresh);
    const messages = free.length > 0 ? free : page();
    for (const { id } of messages) work.handled.add(id);
    // A sale may want a repeated request before its turn: its try is noted when it is sent.
    const mayGoEarlier = ({ kind }: Ready): boolean => kind === 'repeat';
    const notedIds = new Set(flights.note(messages.filter((message) => !mayGoEarlier(message))));
    for (const message of messages) {
      if (notedIds.has(message)) batch.push({ message, noted: true });
      else if (mayGoEarlier(message)) batch.push({ message, noted: false });
    }
  };

  return {
    add: (messages: readonly Ready[]) => void freed.push(...messages.filter(isTurn)),
    take(): TakenMessage | undefined {
      if (batch.length === 0) fill();
      return batch.shift();
    },
  };
};
