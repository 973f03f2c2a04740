/**
 * Group commit: many units of work, one transaction, one sync of the disk.
 *
 * They run one after another in a transaction that stays open while more of them arrive, and each caller learns the
 * result only when all of it is durable. A unit of work that throws is rolled back alone, to its savepoint; a commit
 * that fails fails them all. A unit of work must wait for nothing but its own session, because all others wait for it.
 */
import type Database from 'better-sqlite3';
import type { Connection } from './engine.ts';
import { type Control, createControl, type PreparedStatements, Turn, type Unusable } from './sqlite-turn.ts';

export type GroupOptions = {
  /** The maximum number per transaction; 1: each has its own. */
  group: number;
  /** Called after each commit with the number of units of work that it made durable. */
  onCommit?: (workCount: number) => void;
  /** Called after each commit that changed a row. */
  onWrite?: () => void;
  unusable: Unusable;
};

export interface Groups {
  /** Resolves with the result when it is durable. With `writes: 'once'` it needs no savepoint. */
  add<T>(work: (db: Connection) => Promise<T>, writes: Writes): Promise<T>;
  /** Whether a transaction is open, or about to be: reads outside of it may miss data that are not durable yet. */
  readonly open: boolean;
  /** Resolves when no transaction is open any more. */
  whenIdle(): Promise<void>;
}

export type Writes = 'once' | 'often';

/** A unit of work, and its caller. */
type Waiting = {
  writes: Writes;
  work: (db: Connection) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (reason: unknown) => void;
  /** The result, delivered when it is durable. */
  end?: { result: unknown } | { error: unknown };
};

/** Each waiting unit of work belongs to a request in progress, whose number the server limits. */
export const createGroups = (
  file: Database.Database,
  statements: PreparedStatements,
  options: GroupOptions,
): Groups => {
  const waiting: Waiting[] = [];
  const group = createGroupRunner({ control: createControl(file), statements, waiting }, options);
  let running: Promise<void> | undefined;
  const runAll = async () => {
    try {
      while (waiting.length > 0) await group();
    } finally {
      running = undefined;
    }
  };
  return {
    get open() {
      return waiting.length > 0 || file.inTransaction;
    },
    add: <T>(work: (db: Connection) => Promise<T>, writes: Writes) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ writes, work, resolve, reject });
        running ??= runAll();
      }),
    whenIdle: async () => running,
  };
};

type Parts = { control: Control; statements: PreparedStatements; waiting: Waiting[] };

/** Runs one group: all that wait or arrive meanwhile, in one transaction. Never rejects. */
const createGroupRunner = (
  { control, statements, waiting }: Parts,
  { group, onCommit, onWrite, unusable }: GroupOptions,
) => {
  const next = (reports: readonly Waiting[]) => (reports.length < group ? waiting.shift() : undefined);
  const fill = async (reports: Waiting[]) => {
    do {
      for (let waiter = next(reports); waiter !== undefined; waiter = next(reports)) await attempt(waiter, reports);
      // Work that is ready in this turn of the event loop still joins.
      if (reports.length < group) await waitForNextTurn();
    } while (waiting.length > 0 && reports.length < group);
  };
  const attempt = async (waiter: Waiting, reports: Waiting[]) => {
    const turn = new Turn(statements, control, { unusable, writes: waiter.writes });
    // Added before it begins, so that it is rejected too if the whole group fails.
    reports.push(waiter);
    try {
      const result = await waiter.work(turn);
      turn.keep();
      waiter.end = { result };
    } catch (error) {
      waiter.end = { error };
      turn.undo();
    }
  };
  return async (): Promise<void> => {
    const reports: Waiting[] = [];
    const changesBefore = statements.changed();
    try {
      control.begin();
      await fill(reports);
      control.commit();
    } catch (error) {
      const fault = unusable(error);
      control.abandon();
      // A transaction that could not even begin fails those who wait for it; otherwise it would be retried forever.
      for (const { reject } of reports.length > 0 ? reports : waiting.splice(0, group)) reject(fault);
      return;
    }
    for (const each of reports) settleCaller(each);
    onCommit?.(reports.length);
    if (statements.changed() > changesBefore) onWrite?.();
  };
};

const settleCaller = ({ end, resolve, reject }: Waiting): void => {
  if (end === undefined || 'error' in end) reject(end?.error);
  else resolve(end.result as never);
};

const waitForNextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
