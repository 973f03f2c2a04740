/**
 * Where tries of PINs come from, with what each source has used up: a known browser has a line of its own, all others
 * share one. It is kept beside the journal, durable before a wrong try is answered: a restart gives no fresh guesses.
 */
import type { Sql } from '../journal/sql.ts';
import { type LineParts, openLine, type WaitingLine } from './line.ts';
import { type Debt, debtAt, knownBrowser, moreDebt, noDebt, type Pace, strangers, waitOf } from './throttle.ts';

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
      sql.run(
        'INSERT OR REPLACE INTO pin_debt (source, now_ms, day_ms, monotonic) VALUES (?, ?, ?, ?)',
        ...[name, debt.nowMs, debt.dayMs, debt.monotonic],
      );
    },
  };
};

const keptDebt = (sql: Sql, name: string): Debt => {
  const row = sql.get('SELECT now_ms, day_ms, monotonic FROM pin_debt WHERE source = ?', name);
  if (row === undefined) return noDebt;
  return { nowMs: Number(row['now_ms']), dayMs: Number(row['day_ms']), monotonic: Number(row['monotonic']) };
};
