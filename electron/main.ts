/** The desktop app: one window, the till in a process of its own, and nothing between them but the local socket. */
import { join } from 'node:path';
import { app, BrowserWindow, dialog, protocol, safeStorage, session, utilityProcess } from 'electron';
import electronUpdater from 'electron-updater';
import { systemClock } from '../src/base/clock.ts';
import { systemIds, systemRandom } from '../src/base/ids.ts';
import { environment } from '../src/runtime/environment.ts';
import { startDesktop } from './desktop.ts';

const shell = { app, BrowserWindow, dialog, protocol, safeStorage, session, utilityProcess };

startDesktop(shell, {
  argv: process.argv,
  platform: process.platform,
  appImage: environment()['APPIMAGE'],
  tillModule: join(import.meta.dirname, 'till-entry.js'),
  updater: electronUpdater.autoUpdater,
  clock: systemClock,
  ids: systemIds,
  random: systemRandom,
});
