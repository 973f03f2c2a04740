/** Version 1 of the app with an updater that has downloaded version 2, and all its actions and messages in order. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PutParts, StartedProgram } from '../../electron/put-in-place.ts';
import { type UpdateFiles, updateFiles } from '../../electron/update-files.ts';
import { keepUpdated, type UpdaterParts } from '../../electron/updater.ts';
import type { QuietState } from '../../src/app/till-health.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

export type UpdaterOptions = Partial<Pick<UpdaterParts, 'platform' | 'programFiles' | 'take'>> &
  Partial<Pick<PutParts, 'appImage' | 'freeBytes'>> & {
    /** Contains the notes, the stored installers, and the downloaded file. */
    folder: string;
    /** The name of the downloaded file. */
    file?: string;
    fetched?: string | Uint8Array;
    start?: () => Promise<StartedProgram>;
    /** The answers of the till, minute by minute; idle after the last one. */
    quiet?: readonly (QuietState | undefined)[];
    /** The behaviour of a Mac's updater at quit and install. */
    quitAndInstall?: (updater: EventEmitter) => void;
    /** For each download. */
    minutes?: number;
    /** How often version 2 is downloaded: the updater finds it again at each check. */
    times?: number;
  };

export type UpdaterRig = { files: UpdateFiles; lines: string[] };

const isWaiting = (code: string): boolean => code === 'updates.waits';

/** Lets twelve minutes pass, or `minutes`, for each download of version 2, or until the app has ended. */
export const openUpdaterRig = async (request: UpdaterOptions): Promise<UpdaterRig> => {
  const {
    folder,
    file = '2.exe',
    fetched = 'version 2',
    start,
    times = 1,
    minutes = 12,
    quitAndInstall,
    quiet = [],
    ...overrides
  } = request;
  const { appImage, freeBytes = () => 1e12, ...rest } = overrides;
  const clock = virtualClock();
  const lines: string[] = [];
  const answers = [...quiet];
  const files = updateFiles(folder);
  const downloadedFile = join(folder, file);
  writeFileSync(downloadedFile, fetched);
  let hasLeft = false;
  const emitter = new EventEmitter();
  const updater = Object.assign(emitter, {
    ...{ autoDownload: false, autoInstallOnAppQuit: true, allowDowngrade: true },
    checkForUpdates: async () => null,
    quitAndInstall() {
      lines.push('left to the updater');
      if (quitAndInstall === undefined) hasLeft = true;
      else quitAndInstall(emitter);
    },
  });
  const staysAlive = async (): Promise<boolean> => true;
  const stop = keepUpdated({
    ...{ updater: updater as unknown as UpdaterParts['updater'], clock, files, version: '1' },
    ...{
      platform: 'win32',
      programFiles: undefined,
      reports: folder,
      take: async () => void lines.push('taken'),
      ...rest,
    },
    put: {
      ...{ args: ['--kiosk'], appImage, program: join(folder, 'Tillgate'), freeBytes },
      lock: { release: () => void lines.push('lock released'), take: () => void lines.push('lock taken') },
      start: async (command) => {
        lines.push(`started ${command.slice(folder.length + 1)}`);
        return start === undefined ? { staysAlive } : start();
      },
    },
    quiet: async () => (answers.length === 0 ? { quiet: true } : answers.shift()),
    end: async () => void lines.push('till ended'),
    resume: () => void lines.push('till resumed'),
    leave() {
      lines.push('left');
      hasLeft = true;
    },
    tell: ({ why }) => void (why !== undefined && !isWaiting(why.code) && lines.push(`told ${why.code}: ${why.says}`)),
    report: (error) => void lines.push(`reported: ${error instanceof Error ? error.message : String(error)}`),
  });
  for (let fetched = 0; fetched < times; fetched += 1) {
    updater.emit('update-downloaded', { version: '2', downloadedFile });
    for (let minute = 0; minute < minutes && !hasLeft; minute += 1) {
      await clock.settle();
      await clock.advance(60_000);
    }
  }
  stop();
  return { files, lines };
};
