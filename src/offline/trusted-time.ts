/**
 * How long ago the gateway last answered, and what time it is, without trusting the wall clock.
 *
 * Each answer of the gateway is an anchor: the gateway's time together with the machine's uptime. While the machine
 * stays up, the time since then is exact. After a restart only the uptime is proved; the wall clock can add to it as
 * long as nothing shows that somebody has set it. Otherwise the time is unknown until the gateway answers again.
 */
import type { Clock } from '../base/clock.ts';
import type { Machine } from '../folder/machine.ts';
import type { Sql } from '../journal/sql.ts';
import type { Instant } from '../till/machine/offline-facts.ts';
import type { OfflineMoment } from '../till/offline/limits.ts';

export interface TrustedTime {
  /** Records an answer of the gateway, with the gateway's time if the answer contained it, ms since 1970. */
  noteAnswer(serverMs: number | undefined): void;
  sinceAnswer(): OfflineMoment['sinceAnswer'];
  now(): Instant;
  /** When an answer last showed that this till's clock was behind, in the gateway's time, ms. Undefined if none did. */
  corrected(): number | undefined;
  /** Makes the anchor durable. Call it inside a journal step: it then costs no sync of its own. */
  keep(): void;
}

/** A clock that keeps time is never corrected by more than this. */
const TOLERANCE_MS = 60_000;
/** An answer whose time is further back than this repeats an earlier answer, and carries the time of the first one. */
const REPEATED_MS = 5_000;

/** How far the stored time since the anchor may lag behind the real one. */
const STORED_EACH_MS = 1_000;

/** The anchor (server time, uptime and wall time of the last answer) and the last moment that was stored. */
type Anchor = {
  serverMs: number;
  boot: string;
  upMs: number;
  wallMs: number;
  seen: { boot: string; upMs: number; wallMs: number; provedMs: number };
  /** The wall clock was set after the anchor. */
  isClockSet: boolean;
  corrected?: number | undefined;
};

type ClockReadings = { boot: string; upMs: number; wallMs: number };

type Parts = { sql: Sql; clock: Clock; machine: Machine };

const schema = `CREATE TABLE IF NOT EXISTS trusted_time (only INTEGER PRIMARY KEY CHECK (only = 1), server_ms INTEGER NOT NULL,
  boot TEXT NOT NULL, up_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL, seen_boot TEXT NOT NULL,
  seen_up_ms INTEGER NOT NULL, seen_wall_ms INTEGER NOT NULL, proved_ms INTEGER NOT NULL, was_set INTEGER NOT NULL) STRICT`;

const correctedSchema =
  'CREATE TABLE IF NOT EXISTS time_corrected (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL) STRICT';

export const openTrustedTime = ({ sql, clock, machine }: Parts): TrustedTime => {
  for (const statement of [schema, correctedSchema]) sql.run(statement);
  let latest = read(sql);

  /** Reads the machine once for each question: asking for its uptime costs more than all the rest. */
  const readClocks = (): ClockReadings => ({
    boot: machine.boot,
    upMs: Math.floor(machine.upMs()),
    wallMs: clock.now(),
  });

  const sinceAnswer = (now: ClockReadings): OfflineMoment['sinceAnswer'] => {
    if (latest === undefined) return { unknown: 'this till has not heard its gateway yet' };
    const proved = provedMs(latest, now);
    if (now.boot === latest.boot) return { ms: proved };
    const byClock = now.wallMs - latest.wallMs;
    if (isClockSet(latest, now) || byClock < proved - TOLERANCE_MS || now.wallMs < latest.seen.wallMs - TOLERANCE_MS)
      return {
        unknown: 'the till was off and its clock was set: nobody knows how long the gateway has not been heard',
      };
    return byClock > proved ? { ms: byClock, byClock: true } : { ms: proved };
  };

  /** The server's time now: the last time that it reported, plus the time since, or at least the proved part of it. */
  const serverTime = (now: ClockReadings): number => {
    if (latest === undefined) return now.wallMs;
    const since = sinceAnswer(now);
    return latest.serverMs + ('ms' in since ? since.ms : provedMs(latest, now));
  };

  return {
    sinceAnswer: () => sinceAnswer(readClocks()),
    now() {
      const now = readClocks();
      return { at: serverTime(now), boot: now.boot, upMs: now.upMs };
    },
    noteAnswer(toldMs) {
      const now = readClocks();
      // Only proved time counts here: a clock that was set while the till was off must not outweigh the gateway's own
      // time.
      const estimatedMs = latest === undefined ? now.wallMs : latest.serverMs + provedMs(latest, now);
      const isNewer = toldMs !== undefined && (latest === undefined || toldMs > estimatedMs - REPEATED_MS);
      // A clock that was believed is corrected too: it can have been set back by less than the till was off.
      const corrected = isNewer && toldMs - serverTime(now) > TOLERANCE_MS ? toldMs : latest?.corrected;
      latest = {
        ...now,
        serverMs: isNewer ? toldMs : estimatedMs,
        seen: { ...now, provedMs: 0 },
        isClockSet: false,
        corrected,
      };
    },
    corrected: () => latest?.corrected,
    keep() {
      if (latest === undefined) return;
      const now = readClocks();
      // A new object, not a change of the old one, so that undoing the step leaves the old anchor as it was.
      latest = { ...latest, isClockSet: isClockSet(latest, now), seen: { ...now, provedMs: provedMs(latest, now) } };
      writeNews(sql, latest);
    },
  };
};

/** The time that has certainly passed since this anchor's answer. */
const provedMs = (anchor: Anchor, { boot, upMs }: ClockReadings): number => {
  if (boot === anchor.boot) return Math.max(0, upMs - anchor.upMs);
  return anchor.seen.provedMs + (boot === anchor.seen.boot ? Math.max(0, upMs - anchor.seen.upMs) : upMs);
};

/** Whether the wall clock and the machine's uptime have diverged, where the two can be compared. */
const isClockSet = ({ isClockSet: before, seen }: Anchor, { boot, upMs, wallMs }: ClockReadings): boolean => {
  if (before || boot !== seen.boot) return before;
  return Math.abs(wallMs - seen.wallMs - (upMs - seen.upMs)) > TOLERANCE_MS;
};

/**
 * Steps can follow each other within milliseconds: a new moment that adds next to nothing is not worth writing a page.
 */
const isAsGood = (stored: Anchor, now: Anchor): boolean =>
  stored.serverMs === now.serverMs &&
  stored.boot === now.boot &&
  stored.upMs === now.upMs &&
  stored.wallMs === now.wallMs &&
  stored.isClockSet === now.isClockSet &&
  stored.corrected === now.corrected &&
  stored.seen.boot === now.seen.boot &&
  now.seen.upMs - stored.seen.upMs < STORED_EACH_MS &&
  Math.abs(now.seen.wallMs - stored.seen.wallMs) < STORED_EACH_MS;

const writeNews = (sql: Sql, now: Anchor): void => {
  const stored = read(sql);
  if (stored === undefined || !isAsGood(stored, now)) write(sql, now);
};

const write = (sql: Sql, { serverMs, boot, upMs, wallMs, seen, isClockSet, corrected }: Anchor): void => {
  if (corrected !== undefined) sql.run('INSERT OR REPLACE INTO time_corrected (only, at) VALUES (1, ?)', corrected);
  const row = [serverMs, boot, upMs, wallMs, seen.boot, seen.upMs, seen.wallMs, seen.provedMs, isClockSet ? 1 : 0];
  sql.run(
    `INSERT OR REPLACE INTO trusted_time (only, server_ms, boot, up_ms, wall_ms, seen_boot, seen_up_ms, seen_wall_ms,
     proved_ms, was_set) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...row,
  );
};

const read = (sql: Sql): Anchor | undefined => {
  const row = sql.get('SELECT * FROM trusted_time');
  if (row === undefined) return undefined;
  const number = (name: string): number => Number(row[name]);
  const corrected = sql.get('SELECT at FROM time_corrected')?.['at'];
  return {
    serverMs: number('server_ms'),
    boot: String(row['boot']),
    upMs: number('up_ms'),
    wallMs: number('wall_ms'),
    seen: {
      boot: String(row['seen_boot']),
      upMs: number('seen_up_ms'),
      wallMs: number('seen_wall_ms'),
      provedMs: number('proved_ms'),
    },
    isClockSet: row['was_set'] === 1,
    corrected: corrected === undefined ? undefined : Number(corrected),
  };
};
