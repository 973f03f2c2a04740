/**
 * Replaces the running version by another, newer or older, through its installer and without a person's answers. If
 * that fails, everything is as before.
 */
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname } from 'node:path';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { renameFile, replaceFile } from '../src/base/files.ts';

/** A package or a disk image can be installed only by a person, as the system's administrator. */
type Way = 'installer' | 'appImage' | 'person';

export type PutParts = {
  installer: string;
  appImage?: string | undefined;
  /** The file that a person starts. */
  program: string;
  /** The free space on the disk of this folder. Throws if the disk does not report it. */
  freeBytes(folder: string): number;
  /** The arguments for the other version. An installer accepts no arguments: its version reads them from the notes. */
  args: readonly string[];
  /**
   * The lock that allows one running app at a time. It is released before the other version starts, which would
   * otherwise end itself, and taken back if that one fails.
   */
  lock: { release(): void; take(): void };
  start(command: string, args: readonly string[]): Promise<StartedProgram>;
};

/** How this installer is applied. */
export const wayOf = ({ installer, appImage }: Pick<PutParts, 'installer' | 'appImage'>): Way => {
  switch (extname(installer).toLowerCase()) {
    case '.exe':
      return 'installer';
    case '.appimage':
      return appImage === undefined ? 'person' : 'appImage';
    default:
      return 'person';
  }
};

/** Prepared beside the running version, which is unchanged. */
export type PreparedUpdate = {
  /**
   * Resolves when the other version has taken over: this process can only end. Rejects with the reason if it has not;
   * this version is then in place as before.
   */
  start(): Promise<void>;
  /** Removes what was prepared, if it is not started. */
  drop(): void;
};

/**
 * Does everything that may fail before anything is ended: disk space, permissions, copies. Throws the reason if it is
 * impossible.
 */
export const prepare = (parts: PutParts): PreparedUpdate => {
  const way = wayOf(parts);
  if (way === 'person') throw new Error(`${parts.installer} must be installed by the system’s administrator`);
  return way === 'installer' ? prepareInstaller(parts) : prepareAppImage(parts, parts.appImage ?? '');
};

/** For a version that does not work: there is nothing to end gracefully. */
export const putInPlace = async (parts: PutParts): Promise<void> => {
  const ready = prepare(parts);
  try {
    await ready.start();
  } catch (error) {
    ready.drop();
    throw error;
  }
};

/** A Windows installer ends this app itself, a little more than a second after its start. */
const INSTALLER_LIVES_MS = 1_000;

const prepareInstaller = (parts: PutParts): PreparedUpdate => {
  // The error has the code of a full disk.
  if (!hasRoom(parts)) throw Object.assign(new Error('the disk has too little room'), { code: 'ENOSPC' });
  return {
    drop() {},
    async start() {
      const started = await startUnlocked(parts, () =>
        parts.start(parts.installer, ['--updated', '/S', '--force-run']),
      );
      await mustLive(parts, started, INSTALLER_LIVES_MS);
    },
  };
};

/**
 * The multiple of its size that a Windows installer may write: its archive, the contents, those again in place, and the
 * copy of itself that it keeps.
 */
const TIMES_ITS_SIZE = 8;

export const bytesToInstall = (installer: string): number =>
  TIMES_ITS_SIZE * (statSync(installer, { throwIfNoEntry: false })?.size ?? 0);

/** Whether a Windows installer can write that much. A disk that cannot tell counts as big enough. */
export const hasRoom = ({ installer, program, freeBytes }: PutParts): boolean => {
  const bytes = bytesToInstall(installer);
  return [dirname(program), tmpdir()].every((folder) => {
    try {
      return freeBytes(folder) >= bytes;
    } catch {
      return true;
    }
  });
};

const mustLive = async ({ lock }: PutParts, started: StartedProgram, ms: number): Promise<void> => {
  if (await started.staysAlive(ms)) return;
  lock.take();
  throw new Error('it ended as soon as it was started');
};

/** The lock is released for as long as the other program may need it. */
const startUnlocked = async ({ lock }: PutParts, start: () => Promise<StartedProgram>): Promise<StartedProgram> => {
  lock.release();
  try {
    return await start();
  } catch (error) {
    lock.take();
    throw error;
  }
};

/** After this time an AppImage has opened its window, or failed. */
const LIVES_MS = 30_000;

/**
 * The running file is never overwritten: the system refuses that (ETXTBSY). Another file gets its name, while the
 * program continues from the original one. At each moment a complete file has that name.
 */
const prepareAppImage = (parts: PutParts, appImage: string): PreparedUpdate => {
  const [newFile, oldFile] = [`${appImage}.new`, `${appImage}.before`];
  const drop = (): void => {
    for (const path of [newFile, oldFile]) rmSync(path, { force: true });
  };
  copyWhole(parts.installer, newFile);
  try {
    rmSync(oldFile, { force: true });
    linkSync(appImage, oldFile);
  } catch (error) {
    rmSync(newFile, { force: true });
    throw error;
  }
  return {
    drop,
    async start() {
      replaceFile(newFile, appImage);
      try {
        const started = await startUnlocked(parts, () => parts.start(appImage, parts.args));
        await mustLive(parts, started, LIVES_MS);
      } catch (error) {
        renameFile(oldFile, appImage);
        throw error;
      }
      drop();
    },
  };
};

const copyWhole = (from: string, to: string): void => {
  try {
    rmSync(to, { force: true });
    copyFileSync(from, to);
    chmodSync(to, 0o755);
    const file = openSync(to, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
};

// Starts a program that outlives this one, and reports whether it could be started.

export type StartedProgram = {
  /**
   * Whether it still runs after this time. A program that ended with status 0 does not count: an app that finds another
   * instance running ends like that.
   */
  staysAlive(ms: number): Promise<boolean>;
};

/** Rejects if the system cannot start it: it is missing, not a program, or not executable. */
export const startDetached = (
  command: string,
  args: readonly string[],
  clock: Clock = systemClock,
): Promise<StartedProgram> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsHide: false });
    const exited = new Promise<void>((listener) => void child.once('exit', () => listener()));
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      const staysAlive = (ms: number): Promise<boolean> =>
        new Promise((listener) => {
          const stop = clock.after(ms, () => listener(true));
          void exited.then(() => {
            stop();
            listener(false);
          });
        });
      resolve({ staysAlive });
    });
  });
