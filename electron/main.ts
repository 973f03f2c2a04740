/** The desktop app: one window, the till in a separate process, and only the local socket between them. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  app,
  autoUpdater,
  BrowserWindow,
  dialog,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  utilityProcess,
} from 'electron';
import electronUpdater from 'electron-updater';
import { systemClock } from '../src/base/clock.ts';
import { systemIds, systemRandom } from '../src/base/ids.ts';
import { environment } from '../src/folder/machine.ts';
import { startDesktop } from './desktop.ts';
import { handToMacUpdater } from './updater.ts';

/** Windows paths ignore case. */
const isBelow = (path: string, folder: string | undefined): boolean =>
  folder !== undefined && path.toLowerCase().startsWith(`${folder.toLowerCase()}\\`);

const programFolders = ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)'].map((name) => environment()[name]);

const shell = { app, BrowserWindow, dialog, powerMonitor, protocol, safeStorage, session, utilityProcess };

startDesktop(shell, {
  argv: process.argv,
  platform: process.platform,
  appImage: environment()['APPIMAGE'],
  program: environment()['APPIMAGE'] ?? process.execPath,
  configHome: environment()['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'),
  programFiles: programFolders.find((folder) => isBelow(process.execPath, folder)),
  programData: environment()['ProgramData'],
  localAppData: environment()['LOCALAPPDATA'],
  tillModule: join(import.meta.dirname, 'till-entry.js'),
  updater: electronUpdater.autoUpdater,
  take: () => handToMacUpdater(autoUpdater),
  clock: systemClock,
  ids: systemIds,
  random: systemRandom,
});
