/**
 * The sources of PIN tries and what each has used up: every known browser is a source, and all others share one. The
 * counts are stored beside the journal before a wrong try is answered, so a restart gives no fresh guesses.
 */
import { type Clock, DAY_MS } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import type { Sql } from '../journal/sql.ts';

type Source = WaitingLine & {
  /** Durable when this returns. */
  noteWrong(): void;
};

export type Tries = {
  /** The source of this known browser or of all others. A browser whose day's tries are used up counts among them. */
  from(browser: string | undefined): Source;
  forget(browser: string): void;
  close(): void;
};

type Parts = Omit<LineParts, 'waitMs'> & { sql: Sql };

const schema = `CREATE TABLE IF NOT EXISTS pin_debt (source TEXT PRIMARY KEY, now_ms REAL NOT NULL, day_ms REAL NOT NULL,
  monotonic REAL NOT NULL) STRICT, WITHOUT ROWID`;

/** Not the hash of any browser. */
const STRANGERS = 'strangers';

export const openTries = (parts: Parts): Tries => {
  parts.sql.run(schema);
  const sources = new Map<string, Source & { waitMs(): number }>();
  const source = (name: string, pace: TryPace) => {
    const opened = sources.get(name) ?? openSource(parts, name, pace);
    sources.set(name, opened);
    return opened;
  };
  return {
    from(browser) {
      const own = browser === undefined ? undefined : source(browser, knownBrowser);
      return own === undefined || own.waitMs() > knownBrowser.everyMs ? source(STRANGERS, strangers) : own;
    },
    forget(browser) {
      sources.get(browser)?.close();
      sources.delete(browser);
      parts.sql.run('DELETE FROM pin_debt WHERE source = ?', browser);
    },
    close() {
      for (const one of sources.values()) one.close();
    },
  };
};

const openSource = ({ sql, clock, random }: Parts, name: string, pace: TryPace): Source & { waitMs(): number } => {
  let debt = readDebt(sql, name);
  const waitMs = (): number => waitOf(debtAt(debt, clock.monotonic()), pace);
  return {
    ...openLine({ clock, random, waitMs }),
    waitMs,
    noteWrong() {
      debt = addDebt(debtAt(debt, clock.monotonic()), pace);
      const row = [name, debt.nowMs, debt.dayMs, debt.monotonic];
      sql.run('INSERT OR REPLACE INTO pin_debt (source, now_ms, day_ms, monotonic) VALUES (?, ?, ?, ?)', ...row);
    },
  };
};

const readDebt = (sql: Sql, name: string): Debt => {
  const row = sql.get('SELECT now_ms, day_ms, monotonic FROM pin_debt WHERE source = ?', name);
  if (row === undefined) return noDebt;
  return { nowMs: Number(row['now_ms']), dayMs: Number(row['day_ms']), monotonic: Number(row['monotonic']) };
};

// How often wrong PINs can be tried. Each wrong one creates a debt that time pays off: a few are checked at once, then
// one in 50 s, and only a limited number per day. A right PIN costs nothing and pays off nothing, so signing in does
// not give somebody else their guesses back. The reasons and the resulting figures are in this folder's `README.md`.

type TryPace = {
  /** Wrong tries that are checked without waiting. */
  readonly atOnce: number;
  /** The time between two tries after that, ms. */
  readonly everyMs: number;
  readonly aDay: number;
};

/** Less than a minute: even a busy machine then checks a right PIN within a minute. */
const EVERY_MS = 50_000;

/** Everybody without a known browser, together, for all names. */
const strangers: TryPace = { atOnce: 5, everyMs: EVERY_MS, aDay: 100 };
/** Each browser that a manager has signed in at, for all names. */
const knownBrowser: TryPace = { atOnce: 5, everyMs: EVERY_MS, aDay: 200 };

/** What wrong tries have used up, as the time that pays it off, ms, at a moment of uptime. */
type Debt = { readonly nowMs: number; readonly dayMs: number; readonly monotonic: number };

const noDebt: Debt = { nowMs: 0, dayMs: 0, monotonic: 0 };

/** What is left of the debt. A smaller uptime means that the machine was restarted at least that long ago. */
const debtAt = ({ nowMs, dayMs, monotonic: since }: Debt, monotonic: number): Debt => {
  const passedMs = monotonic >= since ? monotonic - since : monotonic;
  return { nowMs: Math.max(0, nowMs - passedMs), dayMs: Math.max(0, dayMs - passedMs), monotonic };
};

const addDebt = (debt: Debt, { everyMs, aDay }: TryPace): Debt => ({
  ...debt,
  nowMs: debt.nowMs + everyMs,
  dayMs: debt.dayMs + DAY_MS / aDay,
});

/** How long until the next try is allowed, ms; 0 for now. */
const waitOf = ({ nowMs, dayMs }: Debt, { atOnce, everyMs, aDay }: TryPace): number =>
  Math.max(0, nowMs - (atOnce - 1) * everyMs, dayMs - (DAY_MS / aDay) * (aDay - 1));

// The waiting line for tries while the rate limit allows none: one try at a time, whenever the limit allows the next.
// In a short line the turn goes to the latest newcomer who was not just refused, so that a program that keeps trying
// shuts nobody out. In a long line chance decides, and a newcomer takes the place of a random one, so that no number of
// requests can fill the line.

export type WaitingLine = {
  /**
   * Resolves when it is this one's turn; afterwards `leave` must be called. Throws `staff.locked` when no turn comes
   * within `patienceMs`, and the reason of `abortSignal`.
   */
  enter(request: { patienceMs: number; abortSignal?: AbortSignal | undefined }): Promise<void>;
  leave(): void;
  /** Nobody gets a turn any more. */
  close(): void;
};

type HeldTry = {
  admit(): void;
  refuse(error: unknown): void;
  readyAt: number;
  /** The first to enter the line after a wrong PIN: usually the one who gave it. */
  isBack: boolean;
};

const PLACES = 16;
/** Up to this number of waiting tries, chance does not decide whose turn it is. */
const FEW = 2;

type LineParts = {
  clock: Clock;
  random: Random;
  /** How long until the next try is allowed, ms. */
  waitMs(): number;
};

const anyOf = (count: number, random: Random): number => Buffer.from(random(4)).readUInt32BE() % count;

const turnOf = (tries: readonly HeldTry[], random: Random): number =>
  tries.length <= FEW ? tries.findLastIndex(({ isBack }, i) => !isBack || i === 0) : anyOf(tries.length, random);

/** Removes those that would not wait until then. */
const takeOverdue = (tries: HeldTry[], dueAt: number): HeldTry[] => {
  const late = tries.filter(({ readyAt }) => readyAt < dueAt);
  for (const one of late) tries.splice(tries.indexOf(one), 1);
  return late;
};

export const openLine = ({ clock, random, waitMs }: LineParts): WaitingLine => {
  const tries: HeldTry[] = [];
  let isTaken = false;
  let isLeft = false;
  let stop = (): void => {};

  const take = (i: number): HeldTry | undefined => tries.splice(i, 1)[0];
  const locked = (): Fault => lockedFor(waitMs());

  const move = (): void => {
    stop();
    stop = () => {};
    if (isTaken) return;
    const ms = Math.ceil(waitMs());
    if (ms > 0) for (const one of takeOverdue(tries, clock.monotonic() + ms)) one.refuse(locked());
    if (tries.length === 0) return;
    if (ms > 0) {
      stop = clock.after(ms, move);
      return;
    }
    isTaken = true;
    take(turnOf(tries, random))?.admit();
  };

  const hold = (readyAt: number, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: HeldTry = { readyAt, admit: resolve, refuse: reject, isBack: isLeft };
    isLeft = false;
    const onGone = (): void => {
      take(tries.indexOf(one));
      reject(signal?.reason);
      move();
    };
    signal?.addEventListener('abort', onGone);
    if (tries.length === PLACES) take(anyOf(PLACES, random))?.refuse(locked());
    tries.push(one);
    move();
    return promise.finally(() => signal?.removeEventListener('abort', onGone));
  };

  return {
    async enter({ patienceMs, abortSignal }) {
      abortSignal?.throwIfAborted();
      if (isTaken || tries.length > 0 || waitMs() > 0)
        return hold(clock.monotonic() + Math.ceil(patienceMs), abortSignal);
      isTaken = true;
    },
    leave() {
      isTaken = false;
      isLeft = waitMs() > 0;
      move();
    },
    close() {
      stop();
      isTaken = true;
      for (const one of tries.splice(0)) one.refuse(locked());
    },
  };
};

const lockedFor = (ms: number): Fault => new Fault('staff.locked', { minutes: Math.max(1, Math.ceil(ms / 60_000)) });
