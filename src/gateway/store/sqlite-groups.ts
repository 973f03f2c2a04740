/**
 * Many works, one transaction, one sync of the disk.
 *
 * Works run one after another in a transaction that stays open while more of them come, and each is told its end only
 * when all of it is durable. A work that throws is undone alone, to its savepoint; a commit that fails fails them all.
 * A work must wait for nothing but its own session: everybody else waits for it.
 */
import type Database from 'better-sqlite3';
import type { Connection } from './engine.ts';
import { type Control, controlOn, type PreparedStatements, Turn, type Unusable } from './sqlite-turn.ts';

export type GroupOptions = {
  /** At most so many works share a transaction; 1: each has its own. */
  group: number;
  /** Told after each commit how many works it made durable. */
  committed?: (works: number) => void;
  /** Told after each commit that changed a row. */
  wrote?: () => void;
  unusable: Unusable;
};

export interface Groups {
  /** Resolves with the work's result when it is durable. One that `writes` once needs no savepoint. */
  add<T>(work: (on: Connection) => Promise<T>, writes: Writes): Promise<T>;
  /** Whether a transaction is open, or about to be: what is read outside of it may not be durable. */
  readonly open: boolean;
  /** Resolves when nothing is open any more. */
  idle(): Promise<void>;
}

export type Writes = 'once' | 'often';

/** A work, and whom to tell its end. */
type Waiting = {
  writes: Writes;
  work: (on: Connection) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (reason: unknown) => void;
  /** How it went, to be told when that is durable. */
  end?: { result: unknown } | { error: unknown };
};

/** Each work that waits belongs to a request under way: their number is bounded where requests are let in. */
export const groupsOn = (file: Database.Database, statements: PreparedStatements, options: GroupOptions): Groups => {
  const waiting: Waiting[] = [];
  const group = groupOn({ control: controlOn(file), statements, waiting }, options);
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
    add: <T>(work: (on: Connection) => Promise<T>, writes: Writes) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ writes, work, resolve, reject });
        running ??= runAll();
      }),
    idle: async () => running,
  };
};

type Parts = { control: Control; statements: PreparedStatements; waiting: Waiting[] };

/** Runs one group: works that wait and that come meanwhile, in one transaction. Never rejects. */
const groupOn = ({ control, statements, waiting }: Parts, { group, committed, wrote, unusable }: GroupOptions) => {
  const next = (told: readonly Waiting[]) => (told.length < group ? waiting.shift() : undefined);
  const fill = async (told: Waiting[]) => {
    do {
      for (let one = next(told); one !== undefined; one = next(told)) await attempt(one, told);
      // Whoever is ready in this turn of the event loop still comes in.
      if (told.length < group) await nextTurn();
    } while (waiting.length > 0 && told.length < group);
  };
  const attempt = async (one: Waiting, told: Waiting[]) => {
    const turn = new Turn(statements, control, { unusable, writes: one.writes });
    // Before it begins: should the whole group fail during it, it is told so too.
    told.push(one);
    try {
      const result = await one.work(turn);
      turn.keep();
      one.end = { result };
    } catch (error) {
      one.end = { error };
      turn.undo();
    }
  };
  return async (): Promise<void> => {
    const told: Waiting[] = [];
    const before = statements.changed();
    try {
      control.begin();
      await fill(told);
      control.commit();
    } catch (error) {
      const fault = unusable(error);
      control.abandon();
      // A transaction that could not even begin fails whoever waits for it, lest it be tried for ever.
      for (const { reject } of told.length > 0 ? told : waiting.splice(0, group)) reject(fault);
      return;
    }
    for (const each of told) tell(each);
    committed?.(told.length);
    if (statements.changed() > before) wrote?.();
  };
};

const tell = ({ end, resolve, reject }: Waiting): void => {
  if (end === undefined || 'error' in end) reject(end?.error);
  else resolve(end.result as never);
};

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
