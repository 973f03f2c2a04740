/**
 * A disk in memory that fails as told: full, slow, with errors, or without power at any operation. Files have a write
 * cache: data that was not synced can be lost, torn or reordered in a power cut.
 */
import type { Dice } from '../chance/dice.ts';
import { type Medium, medium, type Sector } from './medium.ts';

export type Operation = {
  readonly what: 'write' | 'sync' | 'truncate' | 'delete';
  readonly file: string;
  /** The bytes written. */
  readonly bytes?: Uint8Array;
};

/**
 * The result of an operation. `failedAfter`: it was done, but an error is reported. `lied`: it is reported as done, but
 * a sync has made nothing safe. `powerCut`, `powerCutAfter`: nothing works until the power is back.
 */
export type Fate = 'done' | 'full' | 'failed' | 'failedAfter' | 'lied' | 'powerCut' | 'powerCutAfter';

export class DiskError extends Error {
  readonly kind: 'full' | 'failed';
  constructor(kind: 'full' | 'failed') {
    super(kind);
    this.kind = kind;
  }
}

/** How far a handle has locked its file, SQLite's five levels from 0 (none) to 4 (exclusive). */
export type LockLevel = 0 | 1 | 2 | 3 | 4;

export interface Handle {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
  write(offset: number, bytes: Uint8Array): void;
  truncate(size: number): void;
  sync(): void;
  /** False when another handle prevents it. */
  lock(level: LockLevel): boolean;
  unlock(level: LockLevel): void;
  readonly isReserved: boolean;
  close(): void;
}

export interface Disk {
  /** Called at each operation that changes something. */
  judge: (operation: Operation) => Fate;
  /** The size that is written completely or not at all. */
  sector: Sector;
  /** The number of operations so far. */
  readonly operations: number;
  /** The power is off, or the program was killed: everything fails until `restart` or `powerOn`. */
  readonly isDead: boolean;
  open(file: string): Handle;
  exists(file: string): boolean;
  delete(file: string): void;
  /** The program ends here, as if killed. */
  kill(): void;
  /** The program is started again on the same machine: everything that it wrote is there. */
  restart(): void;
  /** The power is back after a cut: the dice decide what is left of unsynced data. */
  powerOn(dice: Dice): void;
  /** The present content of each file. */
  files(): ReadonlyMap<string, Uint8Array>;
}

type State = { files: Map<string, Medium>; life: number; dead: boolean; operations: number };

export const simulatedDisk = (): Disk => {
  const state: State = { files: new Map(), life: 0, dead: false, operations: 0 };
  const locks = new Map<Medium, Map<object, LockLevel>>();

  const reviveFiles = (each: (file: Medium) => void): void => {
    for (const [name, file] of state.files) {
      const isKept = file.isNamed;
      each(file);
      if (!isKept && file.size === 0) state.files.delete(name);
    }
    locks.clear();
    state.life += 1;
    state.dead = false;
  };

  const disk: Disk = {
    judge: () => 'done',
    sector: 512,
    get operations() {
      return state.operations;
    },
    get isDead() {
      return state.dead;
    },
    open(name) {
      if (state.dead) throw new DiskError('failed');
      const file = state.files.get(name) ?? medium();
      state.files.set(name, file);
      const held = locks.get(file) ?? new Map<object, LockLevel>();
      locks.set(file, held);
      return handleOf({ name, file, held, life: state.life, attempt, isAlive: (life) => isAlive(life) });
    },
    exists: (name) => state.files.has(name),
    delete: (name) => attempt({ what: 'delete', file: name }, () => void state.files.delete(name)),
    kill() {
      state.dead = true;
    },
    restart: () => reviveFiles((file) => file.settle()),
    powerOn: (dice) => reviveFiles((file) => file.lose(dice, disk.sector)),
    files: () => new Map([...state.files].map(([name, file]) => [name, file.read(0, file.size)])),
  };

  const isAlive = (life: number): boolean => !state.dead && life === state.life;

  const attempt = (operation: Operation, run: () => void): void => {
    if (state.dead) throw new DiskError('failed');
    state.operations += 1;
    const fate = disk.judge(operation);
    if (fate === 'full' || fate === 'failed') throw new DiskError(fate);
    if (fate !== 'powerCut' && !(fate === 'lied' && operation.what === 'sync')) run();
    if (fate === 'powerCut' || fate === 'powerCutAfter') state.dead = true;
    if (state.dead || fate === 'failedAfter') throw new DiskError('failed');
  };

  return disk;
};

type Opened = {
  name: string;
  file: Medium;
  held: Map<object, LockLevel>;
  life: number;
  attempt(operation: Operation, run: () => void): void;
  isAlive(life: number): boolean;
};

/** A handle from before a power cut only returns errors. */
const handleOf = ({ name, file, held, life, attempt, isAlive }: Opened): Handle => {
  const change = (operation: Omit<Operation, 'file'>, run: () => void): void => {
    if (!isAlive(life)) throw new DiskError('failed');
    attempt({ ...operation, file: name }, run);
  };
  const handle: Handle = {
    get size() {
      return file.size;
    },
    read(offset, length) {
      if (!isAlive(life)) throw new DiskError('failed');
      return file.read(offset, length);
    },
    write: (offset, bytes) => change({ what: 'write', bytes }, () => file.write(offset, bytes)),
    truncate: (size) => change({ what: 'truncate' }, () => file.truncate(size)),
    sync: () => change({ what: 'sync' }, () => file.sync()),
    lock(level) {
      const otherLocks = [...held].filter(([each]) => each !== handle).map(([, otherLock]) => otherLock);
      const highest = Math.max(0, ...otherLocks);
      if (level === 1 ? highest >= 3 : level === 4 ? highest >= 1 : highest >= 2) return false;
      held.set(handle, level);
      return true;
    },
    unlock: (level) => void (level === 0 ? held.delete(handle) : held.set(handle, level)),
    get isReserved() {
      return [...held.values()].some((level) => level >= 2);
    },
    close: () => void held.delete(handle),
  };
  return handle;
};
