/**
 * Where tries of PINs come from, with what each source has used up: a known browser has a line of its own, all others
 * share one. It is kept beside the journal, durable before a wrong try is answered: a restart gives no fresh guesses.
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
  /** Of this known browser, or of everybody else. One that has used up its day tries among everybody else. */
  from(browser: string | undefined): Source;
  forget(browser: string): void;
  close(): void;
};

type Parts = Omit<LineParts, 'waitMs'> & { sql: Sql };

const schema = `CREATE TABLE IF NOT EXISTS pin_debt (source TEXT PRIMARY KEY, now_ms REAL NOT NULL, day_ms REAL NOT NULL,
  monotonic REAL NOT NULL) STRICT, WITHOUT ROWID`;

/** No browser's hash. */
const STRANGERS = 'strangers';

export const openTries = (parts: Parts): Tries => {
  parts.sql.run(schema);
  const sources = new Map<string, Source & { waitMs(): number }>();
  const source = (name: string, pace: Pace) => {
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

const openSource = ({ sql, clock, random }: Parts, name: string, pace: Pace): Source & { waitMs(): number } => {
  let debt = keptDebt(sql, name);
  const waitMs = (): number => waitOf(debtAt(debt, clock.monotonic()), pace);
  return {
    ...openLine({ clock, random, waitMs }),
    waitMs,
    noteWrong() {
      debt = moreDebt(debtAt(debt, clock.monotonic()), pace);
      const row = [name, debt.nowMs, debt.dayMs, debt.monotonic];
      sql.run('INSERT OR REPLACE INTO pin_debt (source, now_ms, day_ms, monotonic) VALUES (?, ?, ?, ?)', ...row);
    },
  };
};

const keptDebt = (sql: Sql, name: string): Debt => {
  const row = sql.get('SELECT now_ms, day_ms, monotonic FROM pin_debt WHERE source = ?', name);
  if (row === undefined) return noDebt;
  return { nowMs: Number(row['now_ms']), dayMs: Number(row['day_ms']), monotonic: Number(row['monotonic']) };
};

// How often wrong PINs may be tried. Each wrong one makes a debt that time pays off: a few are let through at once,
// then one in 50 s, and only so many a day. A right PIN costs nothing and forgives nothing, so that nobody's own
// sign-in gives somebody else's guesses back. `README.md` of this folder says why, and what that comes to.

type Pace = {
  /** Wrong tries that are let through without a wait. */
  readonly atOnce: number;
  /** Then one each so often, ms. */
  readonly everyMs: number;
  readonly aDay: number;
};

/** Less than a minute: within that a right PIN is looked at, too, on a machine that has much else to do. */
const EVERY_MS = 50_000;

/** Everybody without a known browser together, over all names. */
const strangers: Pace = { atOnce: 5, everyMs: EVERY_MS, aDay: 100 };
/** Each browser that a manager has signed in at, over all names. */
const knownBrowser: Pace = { atOnce: 5, everyMs: EVERY_MS, aDay: 200 };

/** What wrong tries have used up, as the time that pays it off, ms, at a moment of the machine's running time. */
type Debt = { readonly nowMs: number; readonly dayMs: number; readonly monotonic: number };

const noDebt: Debt = { nowMs: 0, dayMs: 0, monotonic: 0 };

/** What is left of it. A running time below that of the debt: the machine was started since, that long ago at least. */
const debtAt = ({ nowMs, dayMs, monotonic: since }: Debt, monotonic: number): Debt => {
  const passedMs = monotonic >= since ? monotonic - since : monotonic;
  return { nowMs: Math.max(0, nowMs - passedMs), dayMs: Math.max(0, dayMs - passedMs), monotonic };
};

/** After one more wrong try. */
const moreDebt = (debt: Debt, { everyMs, aDay }: Pace): Debt => ({
  ...debt,
  nowMs: debt.nowMs + everyMs,
  dayMs: debt.dayMs + DAY_MS / aDay,
});

/** How long until the next try may be made, ms; 0 for at once. */
const waitOf = ({ nowMs, dayMs }: Debt, { atOnce, everyMs, aDay }: Pace): number =>
  Math.max(0, nowMs - (atOnce - 1) * everyMs, dayMs - (DAY_MS / aDay) * (aDay - 1));

// The line of those who try a PIN while the pace holds them: one try at a time, and a turn whenever the pace has one.
// Few in the line: whoever has not just been there has the turn, and of those who came last, so that a program that
// stands in it again and again keeps nobody out. Many: chance says who, and a newcomer takes the place of any one of
// them, so that no number of requests fills the line up.

export type WaitingLine = {
  /**
   * Resolves when it is this one's turn; then `leave` is called. Throws `staff.locked` where no turn comes within
   * `patienceMs`, and with what `gone` is aborted with.
   */
  enter(asking: { patienceMs: number; gone?: AbortSignal | undefined }): Promise<void>;
  leave(): void;
  /** Nobody gets a turn any more. */
  close(): void;
};

type Held = {
  go(): void;
  refuse(error: unknown): void;
  until: number;
  /** The first one in the line after a wrong PIN: as a rule whoever gave it. */
  isBack: boolean;
};

const PLACES = 16;
/** Up to so many it is not chance that says whose turn it is. */
const FEW = 2;

type LineParts = {
  clock: Clock;
  random: Random;
  /** How long until the next try may be made, ms. */
  waitMs(): number;
};

const anyOf = (count: number, random: Random): number => Buffer.from(random(4)).readUInt32BE() % count;

const turnOf = (held: readonly Held[], random: Random): number =>
  held.length <= FEW ? held.findLastIndex(({ isBack }, at) => !isBack || at === 0) : anyOf(held.length, random);

/** Takes those out who would not wait until then. */
const takeLate = (held: Held[], then: number): Held[] => {
  const late = held.filter(({ until }) => until < then);
  for (const one of late) held.splice(held.indexOf(one), 1);
  return late;
};

export const openLine = ({ clock, random, waitMs }: LineParts): WaitingLine => {
  const held: Held[] = [];
  let isTaken = false;
  let isLeft = false;
  let stop = (): void => {};

  const take = (at: number): Held | undefined => held.splice(at, 1)[0];
  const locked = (): Fault => lockedFor(waitMs());

  const move = (): void => {
    stop();
    stop = () => {};
    if (isTaken) return;
    const ms = Math.ceil(waitMs());
    if (ms > 0) for (const one of takeLate(held, clock.monotonic() + ms)) one.refuse(locked());
    if (held.length === 0) return;
    if (ms > 0) {
      stop = clock.after(ms, move);
      return;
    }
    isTaken = true;
    take(turnOf(held, random))?.go();
  };

  const hold = (until: number, gone: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Held = { until, go: resolve, refuse: reject, isBack: isLeft };
    isLeft = false;
    const onGone = (): void => {
      take(held.indexOf(one));
      reject(gone?.reason);
      move();
    };
    gone?.addEventListener('abort', onGone);
    if (held.length === PLACES) take(anyOf(PLACES, random))?.refuse(locked());
    held.push(one);
    move();
    return promise.finally(() => gone?.removeEventListener('abort', onGone));
  };

  return {
    async enter({ patienceMs, gone }) {
      gone?.throwIfAborted();
      if (isTaken || held.length > 0 || waitMs() > 0) return hold(clock.monotonic() + Math.ceil(patienceMs), gone);
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
      for (const one of held.splice(0)) one.refuse(locked());
    },
  };
};

const lockedFor = (ms: number): Fault => new Fault('staff.locked', { minutes: Math.max(1, Math.ceil(ms / 60_000)) });
