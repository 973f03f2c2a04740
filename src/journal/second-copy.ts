/**
 * Keeps a second copy of journal and queue on another disk, soon after each durable step and without delaying it. One
 * step is in progress at a time; later ones are read from the journal once it is answered.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, within } from '../base/clock.ts';
import { errorText, Fault } from '../base/fault.ts';
import { endThread } from './copy-disk.ts';
import type { CopyAnswer, CopyRow, CopyStep, CopyTask } from './copy-worker.ts';
import type { Journal } from './journal.ts';
import { REACH_TABLE } from './migrate.ts';
import type { Sql } from './sql.ts';

export type CopyState = {
  folder: string;
  /** The entries in the copy, and how many are missing. */
  entries: number;
  behind: number;
  /** Why the copy cannot be written; absent while all is well. */
  fault?: string;
};

export interface SecondCopy {
  state(): CopyState;
  /** Resolves when the copy is complete, or has failed. */
  waitUntilCaughtUp(): Promise<CopyState>;
  /** Waits up to two seconds for the copy to be complete. */
  close(): Promise<void>;
}

export type CopyParts = {
  journal: Journal;
  folder: string;
  clock: Clock;
  report(error: unknown): void;
  /** The program of the thread that writes the copy. */
  thread?: URL;
};

/** The entries of one sale are written in several steps and copied together. */
const SOON_MS = 100;
const AFTER_FAILURE_MS = 30_000;
const CLOSE_WITHIN_MS = 2_000;
/** A hanging share can block for minutes; a disk that is only slow answers within this time. */
const ANSWER_WITHIN_MS = 60_000;
const ENTRIES_AT_ONCE = 500;

/** The copy in `folder`. Never throws, never rejects: failures are reported, and retried. */
export const keepSecondCopy = (parts: CopyParts): SecondCopy => {
  const { journal, folder, clock, report } = parts;
  const copying: Copying = {
    parts,
    changes: watchMessages(journal.sql),
    ready: false,
    worker: undefined,
    sent: undefined,
    state: { folder, entries: 0, behind: journal.length },
    waiting: [],
    inStep: [],
    timer: undefined,
    gone: Promise.resolve(),
    stopTimeout: undefined,
    isClosed: false,
  };
  journal.watch(() => {
    if (copying.worker !== undefined && copying.sent === undefined) schedule(copying, SOON_MS, next);
  });
  begin(copying);
  return {
    state: () => ({ ...copying.state, behind: journal.length - copying.state.entries }),
    waitUntilCaughtUp: () => waitUntilCaughtUp(copying),
    async close() {
      const timeoutFault = () => new Fault('copy.failed', { folder, why: 'it is slow' });
      await within(clock, CLOSE_WITHIN_MS, waitUntilCaughtUp(copying), timeoutFault).catch(report);
      journal.watch(() => {});
      copying.timer?.();
      copying.isClosed = true;
      giveUp(copying);
      await within(clock, CLOSE_WITHIN_MS, copying.gone, timeoutFault).catch(report);
    },
  };
};

type Copying = {
  parts: CopyParts;
  changes: ReturnType<typeof watchMessages>;
  worker: Worker | undefined;
  /** Resolves when the last thread has ended: one that hangs in a system call ends with the call. */
  gone: Promise<unknown>;
  /** Cancels the deadline of the step in progress. */
  stopTimeout: (() => void) | undefined;
  isClosed: boolean;
  /** Whether the thread has reported the state of the copy. */
  ready: boolean;
  /** The messages of the step in progress. */
  sent: readonly string[] | undefined;
  state: CopyState;
  /** Callers that wait for a complete copy. */
  waiting: (() => void)[];
  /** Callers whose wait ends with the step in progress, however much is written meanwhile. */
  inStep: (() => void)[];
  /** Cancels the scheduled action. */
  timer: (() => void) | undefined;
};

const schedule = (copying: Copying, ms: number, work: (copying: Copying) => void): void => {
  copying.timer ??= copying.parts.clock.after(ms, () => {
    copying.timer = undefined;
    work(copying);
  });
};

const finishWaiting = (copying: Copying): void => {
  for (const finish of [...copying.inStep, ...copying.waiting]) finish();
  copying.inStep = [];
  copying.waiting = [];
};

const waitUntilCaughtUp = (copying: Copying): Promise<CopyState> =>
  new Promise((resolve) => {
    // The process is kept alive while a caller waits for it.
    copying.worker?.ref();
    copying.waiting.push(() => {
      copying.worker?.unref();
      resolve(copying.state);
    });
    if (copying.worker === undefined) finishWaiting(copying);
    else next(copying);
  });

const begin = (copying: Copying): void => {
  const { journal, folder, thread = new URL('./copy-worker.ts', import.meta.url) } = copying.parts;
  try {
    const workerData = taskFor(journal.sql, folder);
    const worker = new Worker(thread, { workerData });
    // A thread that was given up can still answer.
    const ifCurrent = (work: () => void) => void (worker === copying.worker && work());
    worker.on('message', (answer: CopyAnswer) => ifCurrent(() => handleAnswer(copying, answer)));
    worker.on('error', (error) => ifCurrent(() => fail(copying, errorText(error))));
    worker.unref();
    copying.worker = worker;
    awaitAnswer(copying);
  } catch (error) {
    fail(copying, errorText(error));
  }
};

const next = (copying: Copying): void => {
  const { parts, worker, state, changes } = copying;
  const { journal } = parts;
  if (worker === undefined || !copying.ready || copying.sent !== undefined) return;
  try {
    const step = stepAfter(journal, state.entries, changes.take);
    copying.state = { ...state, behind: journal.length - state.entries };
    if (step === undefined) {
      finishWaiting(copying);
      return;
    }
    if (step.whole) {
      copying.inStep = copying.waiting;
      copying.waiting = [];
    }
    copying.sent = step.messages.map(({ id }) => String(id));
    worker.postMessage(step);
    awaitAnswer(copying);
  } catch (error) {
    fail(copying, errorText(error));
  }
};

const awaitAnswer = (copying: Copying): void => {
  copying.stopTimeout?.();
  const reason = `it has not answered for ${ANSWER_WITHIN_MS / 1000} s`;
  copying.stopTimeout = copying.parts.clock.after(ANSWER_WITHIN_MS, () => fail(copying, reason));
};

/** Tells the thread to end; it has ended when `gone` resolves. */
const giveUp = (copying: Copying): void => {
  const { worker } = copying;
  copying.stopTimeout?.();
  Object.assign(copying, { worker: undefined, ready: false, sent: undefined, patience: undefined });
  if (worker === undefined) return;
  copying.gone = endThread(worker);
};

const handleAnswer = (copying: Copying, answer: CopyAnswer): void => {
  const { parts, changes } = copying;
  copying.stopTimeout?.();
  const { journal, folder } = parts;
  if (answer.kind === 'failed') {
    fail(copying, answer.why);
    return;
  }
  try {
    if (answer.kind === 'ready') {
      if (!isPrefix(journal, answer)) throw new Error('it is the copy of another journal: name an empty folder');
      changes.note([...answer.unsettled, ...unsettledIn(journal.sql)]);
      copying.ready = true;
    }
  } catch (error) {
    fail(copying, errorText(error));
    return;
  }
  copying.sent = undefined;
  copying.state = { folder, entries: answer.entry, behind: journal.length - answer.entry };
  for (const finish of copying.inStep) finish();
  copying.inStep = [];
  next(copying);
};

const fail = (copying: Copying, reason: string): void => {
  const { parts, changes, sent = [], state } = copying;
  const { journal, folder, report } = parts;
  report(new Fault('copy.failed', { folder, why: reason }));
  giveUp(copying);
  try {
    changes.note(sent);
  } catch (error) {
    // When the copy is opened again it reports its state: changes that could not be noted are found then.
    report(error);
  }
  copying.state = { ...state, behind: journal.length - state.entries, fault: reason };
  finishWaiting(copying);
  // The next thread starts only once this one has ended, because it can hang; it then finds out what to do.
  copying.timer?.();
  copying.timer = undefined;
  void copying.gone.then(() => {
    if (!copying.isClosed) schedule(copying, AFTER_FAILURE_MS, begin);
  });
};

/** The till's identity, whether it moves money, its machine, and which versions may open it: one row each. */
const ofTill = ['till_key', 'till_mode', 'till_machine', REACH_TABLE] as const;

const rowIn = (sql: Sql, table: (typeof ofTill)[number]): [string, CopyRow][] => {
  const isThere = sql.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table) !== undefined;
  const row = isThere ? sql.get(`SELECT * FROM ${table}`) : undefined;
  return row === undefined ? [] : [[table, row as CopyRow]];
};

const taskFor = (sql: Sql, folder: string): CopyTask => {
  const tables = sql
    .all(
      'SELECT sql FROM sqlite_master WHERE tbl_name IN (SELECT value FROM json_each(?)) AND sql IS NOT NULL',
      JSON.stringify(['entry', 'head', 'message', ...ofTill]),
    )
    .map(({ sql: text }) => String(text));
  return {
    path: join(folder, 'journal.db'),
    version: Number(sql.get('PRAGMA user_version')?.['user_version'] ?? 0),
    tables,
    till: Object.fromEntries(ofTill.flatMap((table) => rowIn(sql, table))),
  };
};

/** What the copy lacks; undefined when it lacks nothing. Messages are sent with the last of the entries. */
const stepAfter = ({ sql, length }: Journal, entry: number, takeChanged: () => string[]): CopyStep | undefined => {
  const entries = sql.all('SELECT * FROM entry WHERE entry > ? ORDER BY entry LIMIT ?', entry, ENTRIES_AT_ONCE);
  const whole = entry + entries.length === length;
  const changed = whole ? takeChanged() : [];
  if (entries.length === 0 && changed.length === 0) return undefined;
  const messages =
    changed.length === 0
      ? []
      : sql.all('SELECT rowid, * FROM message WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(changed));
  return { entries: entries as CopyRow[], messages: messages as CopyRow[], whole };
};

const isPrefix = ({ sql }: Journal, { entry, hash }: { entry: number; hash: string }): boolean => {
  if (entry === 0) return true;
  const own = sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash'];
  return own instanceof Uint8Array && Buffer.from(own).toString('hex') === hash;
};

const unsettledIn = (sql: Sql): string[] =>
  sql.all("SELECT id FROM message WHERE state IN ('waiting', 'parked')").map(({ id }) => String(id));

/** The queue also changes without the journal: the changed ids are noted in memory, together with the change. */
const watchMessages = (sql: Sql) => {
  sql.run('PRAGMA temp_store = MEMORY');
  sql.run('CREATE TEMP TABLE IF NOT EXISTS changed_message (id TEXT PRIMARY KEY)');
  for (const when of ['INSERT', 'UPDATE'])
    sql.run(
      `CREATE TEMP TRIGGER IF NOT EXISTS message_${when} AFTER ${when} ON main.message BEGIN
       INSERT OR REPLACE INTO changed_message (id) VALUES (NEW.id); END`,
    );
  return {
    /** The ids changed since the last call; clears the list. */
    take(): string[] {
      const ids = sql.all('SELECT id FROM changed_message').map(({ id }) => String(id));
      if (ids.length > 0) sql.run('DELETE FROM changed_message');
      return ids;
    },
    note(ids: readonly string[]): void {
      sql.run('INSERT OR REPLACE INTO changed_message (id) SELECT value FROM json_each(?)', JSON.stringify(ids));
    },
  };
};
