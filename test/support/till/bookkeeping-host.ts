/**
 * A simulated payment gateway from the till's view: it keeps records, answers a repeated key with its first answer, and
 * on request loses requests, loses answers, or processes a request long after its sender gave up.
 */
import type { Clock } from '../../../src/base/clock.ts';
import { pause } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import type { Mode } from '../../../src/base/mode.ts';
import type { Host, HostReply } from '../../../src/till/ports.ts';
import { textParameters } from './card-parameters.ts';
import { type Approval, type Booking, type IssuerBooks, issuerBooks, meaningOf, replyOf } from './issuer-books.ts';

export type { Booking } from './issuer-books.ts';

/**
 * What becomes of one request. `doubled`: the network delivers it twice, the second time as late as possible.
 * `decided…`: the gateway has it in time, and the issuer decides this many seconds later.
 */
export type Fate =
  | 'answered'
  | 'notReached'
  | 'requestLost'
  | 'answerLost'
  | 'answerLate'
  | 'takenLate'
  | 'doubled'
  | 'throttled'
  | 'nonsense'
  | SlowFate;

/** How long the issuer takes, ms: all longer than a till waits. */
export const slowFates = { decidedAfter16s: 16_000, decidedAfter20s: 20_000, decidedAfter60s: 60_000 } as const;
export type SlowFate = keyof typeof slowFates;
export const isSlow = (fate: string): fate is SlowFate => Object.hasOwn(slowFates, fate);

export type LineOptions = {
  clock: Clock;
  fate(): Fate;
  /** How long an answered request takes, ms. */
  takesMs(): number;
  timeoutMs: number;
  /** After this time a sent request is certainly received or lost. */
  requestLifeMs: number;
};

export type BookkeepingOptions = LineOptions & {
  /** Whether the issuer approves this amount. */
  approves(amount: string): Approval;
  /** The codes of a test channel, or of a live one; a function if it changes midway. */
  mode: Mode | (() => Mode);
};

export type BookkeepingHost = Host & { readonly books: readonly Booking[] };

export const bookkeepingHost = (options: BookkeepingOptions): BookkeepingHost => {
  const { mode } = options;
  const issuer = issuerBooks(options.approves, typeof mode === 'function' ? mode : () => mode, options.clock);
  return { ...lineTo(issuer, options), books: issuer.books };
};

/** One till's line to the records; `fate` decides what becomes of each of its requests. */
export const lineTo = (issuer: IssuerBooks, options: LineOptions): Host => {
  const { clock, timeoutMs, requestLifeMs } = options;
  const silent = (): HostReply => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) });

  const schedule = arrivalsAt(issuer, clock);

  /** `begin`: records a request whose decision takes time, where possible. */
  const deliver = async (take: () => HostReply, begin?: () => () => HostReply): Promise<HostReply> => {
    const fate = options.fate();
    if (fate === 'notReached') return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) };
    if (fate === 'throttled') return replyOf('800.120.100', {});
    if (fate === 'takenLate') void schedule(timeoutMs + (requestLifeMs - timeoutMs) / 2, take);
    if (fate === 'doubled') void schedule(requestLifeMs - 1, take);
    const takesMs = Math.min(options.takesMs(), timeoutMs - 1);
    if (isSlow(fate)) {
      if (begin === undefined) return schedule(takesMs, take);
      void decideLate({ clock, takesMs, decidesMs: slowFates[fate] }, begin);
    }
    if (!processed.has(fate)) {
      await pause(clock, timeoutMs);
      return silent();
    }
    const reply = await schedule(takesMs, take);
    if (fate === 'answered' || fate === 'doubled') return reply;
    if (fate === 'nonsense') return replyOf('999.999.999', {});
    if (fate === 'answerLate') {
      await pause(clock, timeoutMs - 1 - takesMs);
      return reply;
    }
    await pause(clock, timeoutMs - takesMs);
    return silent();
  };

  return {
    pay: (parameters, key) =>
      deliver(
        () => issuer.take(textParameters(parameters), key),
        () => issuer.takeSlowly(textParameters(parameters), key),
      ),
    refer: (payment, parameters, key) =>
      deliver(
        () => issuer.take(parameters, key, payment),
        () => issuer.takeSlowly(parameters, key, payment),
      ),
    find: (reference, linked) => deliver(() => issuer.find(reference, linked)),
    list: (period) => deliver(() => issuer.list(period)),
    meaningOf,
  };
};

type SlowDecision = { clock: Clock; takesMs: number; decidesMs: number };

const decideLate = async ({ clock, takesMs, decidesMs }: SlowDecision, begin: () => () => HostReply): Promise<void> => {
  await pause(clock, takesMs);
  const decide = begin();
  await pause(clock, decidesMs - takesMs);
  decide();
};

/** Fates in which the gateway receives the request in time. */
const processed: ReadonlySet<Fate> = new Set<Fate>(['answered', 'doubled', 'answerLate', 'nonsense', 'answerLost']);

/**
 * Requests arrive in the order of their times, even if the till was stopped meanwhile and a shared clock fires its
 * timers late: a gateway does not wait for a till's disk.
 */
const arrivalsAt = (issuer: IssuerBooks, clock: Clock) => {
  const underWay = inTransit.get(issuer) ?? new Set();
  inTransit.set(issuer, underWay);
  return async (ms: number, take: () => HostReply): Promise<HostReply> => {
    let reply: HostReply | undefined;
    const one = { at: clock.monotonic() + ms, take: () => (reply ??= take()) };
    underWay.add(one);
    await pause(clock, ms);
    const due = [...underWay].filter(({ at }) => at <= one.at).toSorted((first, second) => first.at - second.at);
    for (const arrival of due) {
      arrival.take();
      underWay.delete(arrival);
    }
    return one.take();
  };
};

/** The requests of all lines to the same records. */
const inTransit = new WeakMap<IssuerBooks, Set<{ at: number; take(): HostReply }>>();
