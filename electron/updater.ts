/** The ecosystem's updater, held back: it fetches by itself, and installs only when the till is quiet. */
import type { AppUpdater, UpdateDownloadedEvent } from 'electron-updater';
import type { Clock } from '../src/base/clock.ts';
import type { UpdateFiles } from './update-files.ts';
import { installWhenQuiet, onInstall, type Quiet } from './updates.ts';

export type UpdaterParts = {
  updater: Pick<AppUpdater, 'on' | 'checkForUpdates' | 'quitAndInstall'> & {
    autoDownload: boolean;
    autoInstallOnAppQuit: boolean;
    allowDowngrade: boolean;
  };
  clock: Clock;
  version: string;
  files: UpdateFiles;
  quiet(): Promise<Quiet | undefined>;
  /** Ends the till in peace before the installer runs. */
  end(): Promise<void>;
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

const waitForQuiet = (parts: UpdaterParts, { version, downloadedFile }: UpdateDownloadedEvent): (() => void) => {
  const { clock, files, quiet, tell } = parts;
  if (files.read().bad.includes(version)) {
    tell({ available: version, why: 'it was installed before, and ended again and again' });
    return () => {};
  }
  tell({ available: version });
  return installWhenQuiet({
    clock,
    quiet,
    waits: (why) => tell({ available: version, why }),
    install: () => void install(parts, { version, downloadedFile }),
  });
};

const install = async (
  { updater, version: from, files, end, report }: UpdaterParts,
  { version: to, downloadedFile }: { version: string; downloadedFile: string },
): Promise<void> => {
  try {
    const installer = files.keep(to, downloadedFile);
    const { state, remove } = onInstall(files.read(), { from, to, installer });
    files.write(state);
    files.remove(remove);
    await end();
    updater.quitAndInstall(true, true);
  } catch (error) {
    report(error);
  }
};
