/**
 * Puts a version in place of the one that runs, forward or back, by its installer; without anybody there to answer a
 * question. Where it cannot, everything is as it was before.
 */
import { chmodSync, closeSync, copyFileSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { renameFile, replaceFile } from '../src/base/replace-file.ts';
import type { StartedProgram } from './start-detached.ts';

/** Of a package or a disk image only a person makes an installed program, as the system's administrator. */
export type Way = 'installer' | 'appImage' | 'person';

export type PutParts = {
  installer: string;
  /** Of an AppImage: the file that was started. */
  appImage?: string | undefined;
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

/** Resolves when the other version has taken over: this process has nothing left but to end. Rejects why it has not. */
export const putInPlace = async (parts: PutParts): Promise<void> => {
  const way = wayOf(parts);
  if (way === 'person') throw new Error(`${parts.installer} is installed by the system’s administrator`);
  if (way === 'installer')
    await handOver(parts, () => parts.start(parts.installer, ['--updated', '/S', '--force-run']));
  else await replaceAppImage(parts, parts.appImage ?? '');
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

/** So long, and it has opened its window, or said that it cannot. */
const LIVES_MS = 30_000;

const replaceAppImage = async (parts: PutParts, appImage: string): Promise<void> => {
  const putBack = exchange(parts.installer, appImage);
  try {
    const started = await handOver(parts, () => parts.start(appImage, parts.args));
    if (await started.lives(LIVES_MS)) return putBack.forget();
    parts.lock.take();
    throw new Error('it ended as soon as it was started');
  } catch (error) {
    putBack.now();
    throw error;
  }
};

/**
 * The file that runs is never written over: the system refuses that (ETXTBSY). Another one gets its name, while the
 * program goes on from what it was started from. At each moment there is a whole file of that name.
 */
const exchange = (installer: string, appImage: string): { now(): void; forget(): void } => {
  const [fresh, before] = [`${appImage}.new`, `${appImage}.before`];
  copyWhole(installer, fresh);
  try {
    rmSync(before, { force: true });
    linkSync(appImage, before);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  replaceFile(fresh, appImage);
  return { now: () => renameFile(before, appImage), forget: () => rmSync(before, { force: true }) };
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
