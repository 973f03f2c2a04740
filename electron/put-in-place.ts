/**
 * Puts a version in place of the one that runs, forward or back, by its installer; without anybody there to answer a
 * question. Where it cannot, everything is as it was before.
 */
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname } from 'node:path';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { renameFile, replaceFile } from '../src/base/files.ts';

/** Of a package or a disk image only a person makes an installed program, as the system's administrator. */
type Way = 'installer' | 'appImage' | 'person';

export type PutParts = {
  installer: string;
  /** Of an AppImage: the file that was started. */
  appImage?: string | undefined;
  /** The file that a person starts. */
  program: string;
  /** What may still be written on the disk of this folder. Throws where the disk cannot tell. */
  freeBytes(folder: string): number;
  /** What the other version is started with. An installer takes none: that version reads them from the notes. */
  args: readonly string[];
  /**
   * The lock by which one app runs at a time. It is given away before the version that takes over is started, which
   * would end itself otherwise, and taken back where that one does not live.
   */
  lock: { release(): void; take(): void };
  start(command: string, args: readonly string[]): Promise<StartedProgram>;
};

/** How this installer gets there. */
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

/** Made ready beside the version that runs, which has not changed. */
export type Prepared = {
  /**
   * Resolves when the other version has taken over: this process has nothing left but to end. Rejects why it has not;
   * then this one is in place as before.
   */
  start(): Promise<void>;
  /** Takes away what was made ready, where it is not started. */
  drop(): void;
};

/** Does all that may fail while nothing was ended yet: room on the disk, rights, copies. Throws why it cannot be. */
export const prepare = (parts: PutParts): Prepared => {
  const way = wayOf(parts);
  if (way === 'person') throw new Error(`${parts.installer} is installed by the system’s administrator`);
  return way === 'installer' ? prepareInstaller(parts) : prepareAppImage(parts, parts.appImage ?? '');
};

/** For a version that does not run well: nothing of it is left to end. */
export const putInPlace = async (parts: PutParts): Promise<void> => {
  const ready = prepare(parts);
  try {
    await ready.start();
  } catch (error) {
    ready.drop();
    throw error;
  }
};

/** An installer for Windows ends this app itself, a little more than a second after its start. */
const INSTALLER_LIVES_MS = 1_000;

const prepareInstaller = (parts: PutParts): Prepared => {
  // As the system says it of a disk that is full already.
  if (!hasRoom(parts)) throw Object.assign(new Error('the disk has too little room'), { code: 'ENOSPC' });
  return {
    drop() {},
    async start() {
      const started = await handOver(parts, () => parts.start(parts.installer, ['--updated', '/S', '--force-run']));
      await mustLive(parts, started, INSTALLER_LIVES_MS);
    },
  };
};

/**
 * Of its own size, what an installer for Windows may write: its archive, what is in it, that again in its place, and
 * the copy of itself that it keeps.
 */
const TIMES_ITS_SIZE = 8;

/** What installing it may write, in bytes. */
export const bytesToInstall = (installer: string): number =>
  TIMES_ITS_SIZE * (statSync(installer, { throwIfNoEntry: false })?.size ?? 0);

/** Whether an installer for Windows can write all that. A disk that cannot tell is taken for big enough. */
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
  if (await started.lives(ms)) return;
  lock.take();
  throw new Error('it ended as soon as it was started');
};

/** The lock is given away for as long as the other program may need it. */
const handOver = async ({ lock }: PutParts, start: () => Promise<StartedProgram>): Promise<StartedProgram> => {
  lock.release();
  try {
    return await start();
  } catch (error) {
    lock.take();
    throw error;
  }
};

/** So long, and an AppImage has opened its window, or said that it cannot. */
const LIVES_MS = 30_000;

/**
 * The file that runs is never written over: the system refuses that (ETXTBSY). Another one gets its name, while the
 * program goes on from what it was started from. At each moment there is a whole file of that name.
 */
const prepareAppImage = (parts: PutParts, appImage: string): Prepared => {
  const [fresh, before] = [`${appImage}.new`, `${appImage}.before`];
  const drop = (): void => {
    for (const path of [fresh, before]) rmSync(path, { force: true });
  };
  copyWhole(parts.installer, fresh);
  try {
    rmSync(before, { force: true });
    linkSync(appImage, before);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  return {
    drop,
    async start() {
      replaceFile(fresh, appImage);
      try {
        const started = await handOver(parts, () => parts.start(appImage, parts.args));
        await mustLive(parts, started, LIVES_MS);
      } catch (error) {
        renameFile(before, appImage);
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

// Starts a program that outlives this one, and hears whether it could be started.

export type StartedProgram = {
  /**
   * Whether it still runs after so long. One that ends with status 0 does not: so does an app that finds another one of
   * its kind running and gives its turn to it.
   */
  lives(ms: number): Promise<boolean>;
};

/** Rejects where the system cannot start it: it is missing, no program, or may not be run. */
export const startDetached = (
  command: string,
  args: readonly string[],
  clock: Clock = systemClock,
): Promise<StartedProgram> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsHide: false });
    const ended = new Promise<void>((hear) => void child.once('exit', () => hear()));
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      const lives = (ms: number): Promise<boolean> =>
        new Promise((hear) => {
          const stop = clock.after(ms, () => hear(true));
          void ended.then(() => {
            stop();
            hear(false);
          });
        });
      resolve({ lives });
    });
  });
