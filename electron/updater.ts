/** The ecosystem's updater, held back: it fetches by itself; what it fetched is installed when the till is quiet. */
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { Clock } from '../src/base/clock.ts';
import { type PutParts, putInPlace, wayOf } from './put-in-place.ts';
import type { UpdateFiles } from './update-files.ts';
import { installWhenQuiet, onInstall, onRefused, type Quiet } from './updates.ts';

export type UpdaterParts = {
  updater: Pick<AppUpdater, 'on' | 'checkForUpdates' | 'quitAndInstall'> & {
    autoDownload: boolean;
    autoInstallOnAppQuit: boolean;
    allowDowngrade: boolean;
  };
  clock: Clock;
  version: string;
  platform: string;
  /** Whether who installed it was the administrator, for everybody: only they can replace it. */
  isForEverybody: boolean;
  files: UpdateFiles;
  /** How another version gets in place of this one. */
  put: Omit<PutParts, 'installer'>;
  quiet(): Promise<Quiet | undefined>;
  /** Ends the till in peace before another version takes over. */
  end(): Promise<void>;
  /** Starts the till again, where none has taken over. */
  resume(): void;
  /** Ends this app: another version has taken over. */
  leave(): void;
  tell(news: { available: string; why?: string }): void;
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
  const look = (): void => {
    updater.checkForUpdates().catch(report);
    stop = clock.after(LOOK_EACH_MS, look);
  };
  look();
  return () => {
    stop();
    stopWaiting();
  };
};

const waitForQuiet = (parts: UpdaterParts, update: UpdateDownloadedEvent): (() => void) => {
  const { clock, quiet, tell } = parts;
  const { version } = update;
  const refusal = whyNot(parts, update);
  if (refusal !== undefined) {
    tell({ available: version, why: refusal });
    return () => {};
  }
  tell({ available: version });
  return installWhenQuiet({
    clock,
    quiet,
    waits: (why) => tell({ available: version, why }),
    install: () => void install(parts, update),
  });
};

/** Why nothing is ended for this version by itself: nobody may be there to answer what the system would ask. */
const whyNot = (parts: UpdaterParts, { version, downloadedFile }: UpdateDownloadedEvent): string | undefined => {
  const { files, platform, isForEverybody, put } = parts;
  if (files.read().bad.includes(version)) return 'it was installed before, and ended again and again';
  if (platform === 'darwin') return undefined;
  if (wayOf({ ...put, installer: downloadedFile }) === 'person')
    return `only the system’s administrator can install it: sudo apt install ${downloadedFile}`;
  if (isForEverybody)
    return `this till was installed for everybody, so an administrator has to start ${downloadedFile}`;
  return undefined;
};

const install = async (parts: UpdaterParts, { version, downloadedFile }: UpdateDownloadedEvent): Promise<void> => {
  const { updater, version: from, files, platform, put, end, resume, leave, tell, report } = parts;
  try {
    const to = files.keep(version, downloadedFile);
    const { state, remove } = onInstall(files.read(), { from, to, args: put.args });
    await end();
    files.write(state);
    files.remove(remove);
    if (platform === 'darwin') return updater.quitAndInstall(true, true);
    await putInPlace({ ...put, installer: to.installer });
  } catch (error) {
    files.write(onRefused(files.read()));
    report(error);
    resume();
    return tell({ available: version, why: 'it could not be installed: the crash report says why' });
  }
  leave();
};
