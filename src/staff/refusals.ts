/**
 * Records refused tries in the journal: the first under a name at once, later ones as one entry an hour, so that
 * continued guessing, even by commands, does not fill the disk. Tries that were checked are counted in a table beside
 * the journal, which survives a crash; tries turned away unchecked are counted in memory until the close.
 */
import type { Permission } from '../api/contract/roles.ts';
import { type Clock, HOUR_MS } from '../base/clock.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { SignInRefusal, StaffEvent } from './people.ts';

export type Refusals = {
  /** `name`: of a known person. Durable when this returns, except for `locked`. Throws `journal.unwritable`. */
  note(refusal: { name: string | undefined; why: SignInRefusal; permission: Permission }): void;
  /** How many there were under this name in the current hour. */
  count(name: string): number;
  /** Stores the counts for the next start: an hour continues across it. */
  close(): void;
};

/** `also` runs in one step with the entry. */
type Parts = { sql: Sql; clock: Clock; write(event: StaffEvent, also: () => void): void };
type Summed = { tries: Partial<Record<SignInRefusal, number>>; from: number; to: number };
/** `first` is 1 if the entry that began the hour is one of the tries. */
type Hour = { first: number; summed: Summed | undefined; stop(): void };

/** The empty name stands for unknown names. */
const NOBODY = '';

export const openRefusals = ({ sql, clock, write }: Parts): Refusals => {
  const saved = openKept(sql);
  const hours = new Map<string, Hour>();

  const begin = (name: string, hour: Omit<Hour, 'stop'>, leftMs = HOUR_MS): void =>
    void hours.set(name, { ...hour, stop: clock.after(leftMs, () => end(name)) });

  /** After an hour without tries, the next try gets its own entry again. */
  const end = (name: string): void => {
    const { summed, stop } = hours.get(name) ?? {};
    stop?.();
    hours.delete(name);
    try {
      if (summed === undefined) {
        saved.forget(name);
        return;
      }
      write({ on: 'staffRefusals', ...named(name), ...summed }, () => {
        saved.forget(name);
        saved.beginHour(name, clock.monotonic());
      });
      begin(name, { first: 0, summed: undefined });
    } catch {
      // On a full disk the counts are kept and written an hour later.
      begin(name, { first: 0, summed });
    }
  };

  for (const [name, { since, summed }] of saved.all()) {
    const leftMs = HOUR_MS - passedSince(since, clock.monotonic());
    begin(name, { first: 0, summed }, Math.max(0, leftMs));
    if (leftMs <= 0) end(name);
  }

  return {
    note({ name = NOBODY, why, permission }) {
      const hour = hours.get(name);
      if (hour !== undefined) {
        hour.summed = addTry(hour.summed, why, clock.now());
        if (why !== 'locked') saved.put(name, hour.summed);
        return;
      }
      const monotonic = clock.monotonic();
      write({ on: 'staffRefused', ...named(name), why, permission, monotonic }, () => saved.beginHour(name, monotonic));
      begin(name, { first: 1, summed: undefined });
    },
    count(name) {
      const hour = hours.get(name);
      return hour === undefined ? 0 : hour.first + sumOf(hour);
    },
    close() {
      for (const [name, { summed, stop }] of hours) {
        stop();
        if (summed !== undefined) saved.put(name, summed);
      }
      hours.clear();
    },
  };
};

/** An uptime below that of the beginning means that the machine was restarted at least that long ago. */
const passedSince = (since: number, monotonic: number): number => (monotonic >= since ? monotonic - since : monotonic);

const named = (name: string) => name !== NOBODY && { name };

const sumOf = ({ summed }: Hour): number => Object.values(summed?.tries ?? {}).reduce((sum, tries) => sum + tries, 0);

const addTry = ({ tries, from }: Summed = { tries: {}, from: 0, to: 0 }, why: SignInRefusal, at: number): Summed => ({
  tries: { ...tries, [why]: (tries[why] ?? 0) + 1 },
  from: from === 0 ? at : from,
  to: at,
});

/** `since`: when the hour began, in ms of uptime. `summed` is JSON. */
const schema = `CREATE TABLE IF NOT EXISTS refused_hour (name TEXT PRIMARY KEY, since REAL NOT NULL, summed TEXT) STRICT,
  WITHOUT ROWID`;

/** The current hours, stored beside the journal. */
const openKept = (sql: Sql) => {
  sql.run(schema);
  return {
    beginHour: (name: string, since: number): void =>
      sql.run('INSERT OR REPLACE INTO refused_hour (name, since) VALUES (?, ?)', name, since),
    put: (name: string, summed: Summed): void =>
      sql.run('UPDATE refused_hour SET summed = ? WHERE name = ?', JSON.stringify(summed), name),
    forget: (name: string): void => sql.run('DELETE FROM refused_hour WHERE name = ?', name),
    all: () => new Map(sql.all('SELECT name, since, summed FROM refused_hour').map(hourOf)),
  };
};

const hourOf = ({ name, since, summed }: SqlRow) =>
  [
    String(name),
    { since: Number(since), summed: typeof summed === 'string' ? (JSON.parse(summed) as Summed) : undefined },
  ] as const;
