/** Wraps electron-updater: it downloads by itself, but a download is installed only when the till is idle. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AutoUpdater } from 'electron';
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { QuietState } from '../src/app/till-health.ts';
import type { Clock } from '../src/base/clock.ts';
import { systemCode, systemErrorText } from '../src/base/system-error-text.ts';
import { tellUpdate, type UpdateReason } from '../src/terminals/support/updates.ts';
import { bytesToInstall, hasRoom, type PreparedUpdate, type PutParts, prepare, wayOf } from './put-in-place.ts';
import type { UpdateFiles } from './update-files.ts';
import { installWhenQuiet, isOutOfTries, onFailed, onInstall, type UpdateState } from './updates.ts';

export type UpdaterParts = {
  updater: Pick<AppUpdater, 'on' | 'once' | 'checkForUpdates' | 'quitAndInstall'> & {
    autoDownload: boolean;
    autoInstallOnAppQuit: boolean;
    allowDowngrade: boolean;
  };
  clock: Clock;
  version: string;
  platform: string;
  /** On Windows: the programs folder for all users, if this program is below it. */
  programFiles: string | undefined;
  /**
   * On a Mac: lets the system's own updater take over and verify the download. Rejects with the reason if it refuses.
   */
  take(): Promise<void>;
  /** The folder for reports of failures. */
  reports: string;
  files: UpdateFiles;
  /** How another version replaces this one. */
  put: Omit<PutParts, 'installer'>;
  quiet(): Promise<QuietState | undefined>;
  /** Ends the till gracefully before another version takes over. */
  end(): Promise<void>;
  /** Restarts the till if none has taken over. */
  resume(): void;
  /** Ends this app: another version has taken over. */
  leave(): void;
  tell(news: { available: string; why?: UpdateReason }): void;
  report(error: unknown): void;
};

const LOOK_EACH_MS = 6 * 3_600_000;

/** Looks for updates now and every six hours. The returned function stops that. */
export const keepUpdated = (parts: UpdaterParts): (() => void) => {
  const { updater, clock, report } = parts;
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  let stopWaiting = (): void => {};
  updater.on('update-downloaded', (update: UpdateDownloadedEvent) => {
    stopWaiting();
    stopWaiting = waitForQuiet(parts, update);
  });
  updater.on('error', report);
  let stop = (): void => {};
  const checkForUpdate = (): void => {
    updater.checkForUpdates().catch(report);
    stop = clock.after(LOOK_EACH_MS, checkForUpdate);
  };
  checkForUpdate();
  return () => {
    stop();
    stopWaiting();
  };
};

const waitForQuiet = (parts: UpdaterParts, update: UpdateDownloadedEvent): (() => void) => {
  const { clock, quiet, tell } = parts;
  const { version } = update;
  let isOver = false;
  let stop = (): void => {};
  const waitUntilQuiet = (): void => {
    const reason = obstacleTo({ ...parts, version, state: parts.files.read(), put: putOf(parts, update) });
    tell({ available: version, why: reason });
    if (reason !== undefined) return;
    stop = installWhenQuiet({
      clock,
      quiet,
      waits: (text) => tell({ available: version, why: { code: 'updates.waits', says: text } }),
      install: () => void install(parts, update).then((isQuiet) => isQuiet || isOver || waitUntilQuiet()),
    });
  };
  waitUntilQuiet();
  return () => {
    isOver = true;
    stop();
  };
};

const putOf = ({ put }: UpdaterParts, { downloadedFile }: UpdateDownloadedEvent): PutParts => ({
  ...put,
  installer: downloadedFile,
});

/**
 * Nothing is ended before everything that may fail is done. False if a sale is in progress again by then: nothing was
 * ended. Never rejects.
 */
const install = async (parts: UpdaterParts, update: UpdateDownloadedEvent): Promise<boolean> => {
  const { version: from, files, quiet, put, end, leave } = parts;
  let isEnded = false;
  try {
    const to = files.keep(update.version, update.downloadedFile);
    const ready = await prepareOf(parts, to.installer);
    try {
      if ((await quiet())?.quiet !== true) {
        ready.drop();
        return false;
      }
      const { state, remove } = onInstall(files.read(), { from, to, args: put.args });
      files.write(state);
      files.remove(remove);
      isEnded = true;
      await end();
      await ready.start();
    } catch (error) {
      ready.drop();
      throw error;
    }
  } catch (error) {
    takeBack(parts, update, { error, isEnded });
    return true;
  }
  leave();
  return true;
};

const prepareOf = async (parts: UpdaterParts, installer: string): Promise<PreparedUpdate> => {
  if (parts.platform !== 'darwin') return prepare({ ...parts.put, installer });
  await parts.take();
  return { start: () => leaveToMac(parts), drop() {} };
};

/** After this time a Mac's updater has ended this app. */
const MAC_ENDS_WITHIN_MS = 60_000;

/** Never resolves: that updater ends this app and starts the other version. Rejects if it does not. */
const leaveToMac = ({ updater, clock }: UpdaterParts): Promise<never> =>
  new Promise((_, reject) => {
    updater.once('error', reject);
    clock.after(MAC_ENDS_WITHIN_MS, () => reject(new Error('the system’s own updater did not end the app')));
    updater.quitAndInstall(true, true);
  });

type Failure = { error: unknown; isEnded: boolean };

/** The present version continues, whatever else fails. */
const takeBack = (parts: UpdaterParts, update: UpdateDownloadedEvent, { error, isEnded }: Failure): void => {
  const { files, report, resume, tell } = parts;
  const { version, downloadedFile } = update;
  report(error);
  if (isEnded) {
    try {
      files.write(onFailed(files.read(), version));
    } catch (full) {
      report(full);
    }
    resume();
  }
  tell({ available: version, why: tellFailure(error, { version, installer: downloadedFile }) });
};

/** Obstacles to an update that are known before anything is ended for it, as text for the technician. */
export type ObstacleParts = {
  /** The downloaded version. */
  version: string;
  state: UpdateState;
  platform: string;
  /**
   * On Windows: the programs folder for all users, if this program is below it: only an administrator can change it.
   */
  programFiles: string | undefined;
  /** The folder for reports of failures. */
  reports: string;
  put: PutParts;
};

/** Undefined if there is none: perhaps nobody is there to answer the system's questions. */
const obstacleTo = ({ version, state, platform, ...parts }: ObstacleParts): UpdateReason | undefined => {
  const { programFiles, reports, put } = parts;
  if (state.bad.includes(version)) return tellUpdate('bad', { version });
  if (isOutOfTries(state, version)) return tellUpdate('gaveUp', { version, folder: reports });
  // The system's own updater handles the rest.
  if (platform === 'darwin') return undefined;
  const way = wayOf(put);
  if (way === 'person') return tellUpdate('package', { file: put.installer });
  if (programFiles !== undefined) return tellUpdate('programFiles', { folder: programFiles, file: put.installer });
  if (way === 'appImage') {
    const folder = dirname(put.appImage ?? '');
    return mayReplace(put.appImage ?? '') ? undefined : tellUpdate('folder', { folder });
  }
  return hasRoom(put) ? undefined : tellRoom(version, put.installer);
};

/** Why it could not be installed after all. */
const tellFailure = (error: unknown, { version, installer }: { version: string; installer: string }): UpdateReason =>
  systemCode(error) === 'ENOSPC'
    ? tellRoom(version, installer)
    : tellUpdate('failed', { version, why: systemErrorText(error) });

const tellRoom = (version: string, installer: string): UpdateReason =>
  tellUpdate('room', { version, megabytes: Math.ceil(bytesToInstall(installer) / 1e6) });

/**
 * Tested by an attempt to write, because the folder's permissions do not show it: its disk may be read-only, or belong
 * to another system.
 */
const mayReplace = (appImage: string): boolean => {
  const trial = `${appImage}.new`;
  try {
    closeSync(openSync(trial, 'w'));
    rmSync(trial, { force: true });
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOSPC';
  }
};

// The Mac's built-in updater (Squirrel.Mac): it takes over the download, and verifies its signature.

/**
 * Resolves when it has unpacked and verified the version; it then only has to end this app. Rejects with the reason if
 * it refuses the version. electron-updater has told it before where the downloaded file is.
 */
export const handToMacUpdater = (
  updater: Pick<AutoUpdater, 'on' | 'removeListener' | 'checkForUpdates'>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      updater.removeListener('error', fail);
      updater.removeListener('update-not-available', failUnoffered);
      updater.removeListener('update-downloaded', take);
      settle();
    };
    const fail = (error: Error): void => end(() => reject(error));
    const failUnoffered = (): void => fail(new Error('it was not offered the version that was fetched'));
    const take = (): void => end(resolve);
    updater.on('error', fail);
    updater.on('update-not-available', failUnoffered);
    updater.on('update-downloaded', take);
    updater.checkForUpdates();
  });
