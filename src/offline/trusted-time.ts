/**
 * How long the gateway has not been heard, and what time it is, without trusting the wall clock.
 *
 * Each answer of the gateway is an anchor: its time, and how long the machine had been up. While the machine stays up
 * the time since is exact. After a restart only the time that it was up is proved; the wall clock may add to it, as
 * long as nothing shows that somebody has set it. Else nobody knows, until the gateway is heard again.
 */
import type { Clock } from '../base/clock.ts';
import type { Machine } from '../folder/machine.ts';
import type { Sql } from '../journal/sql.ts';
import type { Instant } from '../till/machine/offline-facts.ts';
import type { OfflineMoment } from '../till/offline/limits.ts';

export interface TrustedTime {
  /** An answer of the gateway came, with its own time where it told it, ms since 1970. */
  heard(serverMs: number | undefined): void;
  sinceAnswer(): OfflineMoment['sinceAnswer'];
  now(): Instant;
  /** When an answer last showed that this till's time was behind, in the gateway's time, ms; undefined if none did. */
  corrected(): number | undefined;
  /** Makes the anchor durable. To be called inside a journal step: it costs no sync of its own. */
  keep(): void;
}

/** A clock that keeps time is corrected by less than this. */
const TOLERANCE_MS = 60_000;
/** An answer's own time that is further back comes from a repeated answer, and says when the first was given. */
const REPEATED_MS = 5_000;

/** What stands on the disk of the time since the anchor may be this far behind. */
const KEPT_EACH_MS = 1_000;

/** The anchor: server time, machine time and wall time of the last answer; and the last moment that was kept. */
type Kept = {
  serverMs: number;
  boot: string;
  upMs: number;
  wallMs: number;
  seen: { boot: string; upMs: number; wallMs: number; provedMs: number };
  /** The wall clock was set since the anchor. */
  wasSet: boolean;
  corrected?: number | undefined;
};

type Here = { boot: string; upMs: number; wallMs: number };

type Parts = { sql: Sql; clock: Clock; machine: Machine };

const schema = `CREATE TABLE IF NOT EXISTS trusted_time (only INTEGER PRIMARY KEY CHECK (only = 1), server_ms INTEGER NOT NULL,
  boot TEXT NOT NULL, up_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL, seen_boot TEXT NOT NULL,
  seen_up_ms INTEGER NOT NULL, seen_wall_ms INTEGER NOT NULL, proved_ms INTEGER NOT NULL, was_set INTEGER NOT NULL) STRICT`;

const correctedSchema =
  'CREATE TABLE IF NOT EXISTS time_corrected (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL) STRICT';

export const openTrustedTime = ({ sql, clock, machine }: Parts): TrustedTime => {
  for (const statement of [schema, correctedSchema]) sql.run(statement);
  let kept = read(sql);

  /** One look at the machine for each question: asking it how long it has been up costs more than all the rest. */
  const here = (): Here => ({ boot: machine.boot, upMs: Math.floor(machine.upMs()), wallMs: clock.now() });

  const sinceAnswer = (now: Here): OfflineMoment['sinceAnswer'] => {
    if (kept === undefined) return { unknown: 'this till has not heard its gateway yet' };
    const proved = provedMs(kept, now);
    if (now.boot === kept.boot) return { ms: proved };
    const byClock = now.wallMs - kept.wallMs;
    if (wasSet(kept, now) || byClock < proved - TOLERANCE_MS || now.wallMs < kept.seen.wallMs - TOLERANCE_MS)
      return {
        unknown: 'the till was off and its clock was set: nobody knows how long the gateway has not been heard',
      };
    return byClock > proved ? { ms: byClock, byClock: true } : { ms: proved };
  };

  /** The server's time now: at least what is proved to have passed since it told it. */
  const serverTime = (now: Here): number => {
    if (kept === undefined) return now.wallMs;
    const since = sinceAnswer(now);
    return kept.serverMs + ('ms' in since ? since.ms : provedMs(kept, now));
  };

  return {
    sinceAnswer: () => sinceAnswer(here()),
    now() {
      const now = here();
      return { at: serverTime(now), boot: now.boot, upMs: now.upMs };
    },
    heard(told) {
      const now = here();
      // Only what is proved: a clock that was set while the till was off must not outweigh the gateway's own word.
      const reckoned = kept === undefined ? now.wallMs : kept.serverMs + provedMs(kept, now);
      const isNews = told !== undefined && (kept === undefined || told > reckoned - REPEATED_MS);
      // Also where the wall clock was believed: it may have been set back by less than the till was off.
      const corrected = isNews && told - serverTime(now) > TOLERANCE_MS ? told : kept?.corrected;
      kept = { ...now, serverMs: isNews ? told : reckoned, seen: { ...now, provedMs: 0 }, wasSet: false, corrected };
    },
    corrected: () => kept?.corrected,
    keep() {
      if (kept === undefined) return;
      const now = here();
      // A new value, not a change of the old one: a step that is undone leaves what is known as it was.
      kept = { ...kept, wasSet: wasSet(kept, now), seen: { ...now, provedMs: provedMs(kept, now) } };
      writeNews(sql, kept);
    },
  };
};

/** What has certainly passed since the answer of this anchor. */
const provedMs = (anchor: Kept, { boot, upMs }: Here): number => {
  if (boot === anchor.boot) return Math.max(0, upMs - anchor.upMs);
  return anchor.seen.provedMs + (boot === anchor.seen.boot ? Math.max(0, upMs - anchor.seen.upMs) : upMs);
};

/** Whether the wall clock has gone otherwise than the machine did, where both can be compared. */
const wasSet = ({ wasSet: before, seen }: Kept, { boot, upMs, wallMs }: Here): boolean => {
  if (before || boot !== seen.boot) return before;
  return Math.abs(wallMs - seen.wallMs - (upMs - seen.upMs)) > TOLERANCE_MS;
};

/** Steps follow each other within a blink: a moment that adds nothing to speak of is not worth a page of the disk. */
const isAsGood = (stored: Kept, now: Kept): boolean =>
  stored.serverMs === now.serverMs &&
  stored.boot === now.boot &&
  stored.upMs === now.upMs &&
  stored.wallMs === now.wallMs &&
  stored.wasSet === now.wasSet &&
  stored.corrected === now.corrected &&
  stored.seen.boot === now.seen.boot &&
  now.seen.upMs - stored.seen.upMs < KEPT_EACH_MS &&
  Math.abs(now.seen.wallMs - stored.seen.wallMs) < KEPT_EACH_MS;

const writeNews = (sql: Sql, now: Kept): void => {
  const stored = read(sql);
  if (stored === undefined || !isAsGood(stored, now)) write(sql, now);
};

const write = (sql: Sql, { serverMs, boot, upMs, wallMs, seen, wasSet, corrected }: Kept): void => {
  if (corrected !== undefined) sql.run('INSERT OR REPLACE INTO time_corrected (only, at) VALUES (1, ?)', corrected);
  const row = [serverMs, boot, upMs, wallMs, seen.boot, seen.upMs, seen.wallMs, seen.provedMs, wasSet ? 1 : 0];
  sql.run(
    `INSERT OR REPLACE INTO trusted_time (only, server_ms, boot, up_ms, wall_ms, seen_boot, seen_up_ms, seen_wall_ms,
     proved_ms, was_set) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...row,
  );
};

const read = (sql: Sql): Kept | undefined => {
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
    wasSet: row['was_set'] === 1,
    corrected: corrected === undefined ? undefined : Number(corrected),
  };
};
