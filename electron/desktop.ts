/** The desktop app put together over the shell's calls. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { Clock } from '../src/base/clock.ts';
import { wordsOf } from '../src/base/fault.ts';
import { toHex } from '../src/base/hex.ts';
import type { Ids, Random } from '../src/base/ids.ts';
import { recoveryStretchCost } from '../src/runtime/recovery-code.ts';
import { cookieJar } from './cookie-jar.ts';
import { keepCrash } from './crash-report.ts';
import { goBack, startDetached } from './go-back.ts';
import { guardSession } from './guards.ts';
import { answer } from './scheme.ts';
import type { Shell } from './shell.ts';
import { type ShellState, shellState } from './shell-state.ts';
import { fetchOver, socketPath } from './socket.ts';
import { openKey, recoverKey } from './till-key.ts';
import { keepTill, type TillProcess } from './till-process.ts';
import { type UpdateFiles, updateFiles } from './update-files.ts';
import { keepUpdated, type UpdaterParts } from './updater.ts';
import { LIVES_MS, onLived, onStart } from './updates.ts';
import { openWindow } from './window.ts';

export type DesktopParts = {
  argv: readonly string[];
  platform: string;
  /** The file that was started, of an AppImage. */
  appImage: string | undefined;
  /** The built entry of the till's process. */
  tillModule: string;
  updater: UpdaterParts['updater'];
  clock: Clock;
  ids: Ids;
  random: Random;
};

type Desktop = DesktopParts & {
  shell: Shell;
  folder: string;
  files: UpdateFiles;
  crash(process: string, how: string, tail: string): string;
};

/** Where the till's own folder is: `--data DIR`, or the app's. */
export const folderIn = (argv: readonly string[], userData: string): string => {
  const at = argv.indexOf('--data');
  return (at < 0 ? undefined : argv[at + 1]) ?? join(userData, 'till');
};

/** Starts the app. A second one gives its turn to the first: two programs on one journal would be two tills. */
export const startDesktop = (shell: Shell, parts: DesktopParts): void => {
  const { app, protocol } = shell;
  // No dumps: a process's memory holds what a card gave. See crash-report.ts.
  app.commandLine.appendSwitch('disable-breakpad');
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([
    { scheme: 'till', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  const userData = app.getPath('userData');
  const folder = folderIn(parts.argv, userData);
  mkdirSync(folder, { recursive: true });
  const crash = (process: string, how: string, tail: string): string =>
    keepCrash(join(userData, 'crashes'), {
      ...{ at: parts.clock.now(), version: app.getVersion(), process, how, tail },
    });
  const desktop = { ...parts, shell, folder, files: updateFiles(userData), crash };
  app
    .whenReady()
    .then(() => (livesOn(desktop) ? open(desktop) : app.exit(0)))
    .catch((error: unknown) => failed(desktop, error));
};

/** It could not even open its window: said by the system's own dialog. */
const failed = async ({ shell: { app, dialog }, folder, crash }: Desktop, error: unknown): Promise<void> => {
  const report = crash('app', wordsOf(error), '');
  await dialog.showMessageBox({
    type: 'error',
    title: 'Tillgate',
    message: 'The till could not be opened.',
    detail: `Nothing was charged. What was written down in ${folder} is safe. Call support, with the file ${report}.`,
  });
  app.exit(1);
};

/** False when this version did not live and the one before takes its place now. */
const livesOn = ({ shell: { app }, files, appImage, crash }: Desktop): boolean => {
  const { state, decision } = onStart(files.read(), app.getVersion());
  files.write(state);
  if (decision.kind !== 'goBack') return true;
  crash('app', `went back to version ${decision.to}: this one ended again and again`, '');
  return !goBack({ installer: decision.installer, appImage, start: startDetached });
};

const open = async (desktop: Desktop): Promise<void> => {
  const { shell, folder, random, argv } = desktop;
  const keyParts = { folder, safeStorage: shell.safeStorage, random, stretchCost: recoveryStretchCost };
  const socket = socketPath({ platform: desktop.platform, folder, id: desktop.ids.next().slice(-16) });
  let till: TillProcess | undefined;
  const start = (key: Uint8Array | undefined): void => {
    till = startTill(desktop, { socket, key, state });
  };
  const state = shellState({
    recover: async (code) => {
      const key = await recoverKey(code, keyParts);
      if (key !== undefined) start(key);
      return key !== undefined;
    },
    startAgain: () => till?.startAgain(),
  });
  const proxy = { fetch: fetchOver(socket), cookies: cookieJar(), ownPage: state.page };
  shell.protocol.handle('till', (request) => answer(request, proxy));
  guardSession(shell.session.defaultSession);
  const key = await openKey(keyParts);
  if (key.kind === 'locked') state.locked();
  else start(key.kind === 'open' ? key.key : undefined);
  const window = openWindow(shell, { kiosk: argv.includes('--kiosk'), developing: !shell.app.isPackaged });
  watch(desktop, { window, till: () => till });
  if (key.kind === 'open' && key.code !== undefined) await showCode(shell, key.code);
  if (shell.app.isPackaged) update(desktop, () => till);
};

type Starting = { socket: string; key: Uint8Array | undefined; state: ShellState };

const startTill = (desktop: Desktop, { socket, key, state }: Starting): TillProcess => {
  const { shell, folder, clock, files, crash, tillModule } = desktop;
  let lived = (): void => {};
  return keepTill({
    clock,
    fork: () =>
      shell.utilityProcess.fork(tillModule, [folder, socket, shell.app.getVersion()], {
        serviceName: 'Tillgate',
        stdio: 'pipe',
      }),
    begin: () => ({ on: 'begin', ...(key !== undefined && { key: toHex(key) }) }),
    tell(news) {
      lived();
      if (news.on === 'listening') lived = clock.after(LIVES_MS, () => files.write(onLived(files.read())));
      else if (news.on === 'died') state.died(crash('till', `exit code ${news.code}`, news.tail));
      else state.stopped();
    },
  });
};

/** The window's ends and the app's: the till is asked to end in peace before anything is gone. */
const watch = (
  { shell: { app }, crash }: Desktop,
  { window, till }: { window: BrowserWindow; till(): TillProcess | undefined },
): void => {
  let isOver = false;
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    crash('page', `${reason}, exit code ${exitCode}`, '');
    if (reason !== 'clean-exit') window.reload();
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (isOver) return;
    event.preventDefault();
    isOver = true;
    void (till()?.stop() ?? Promise.resolve()).then(() => app.quit());
  });
};

const showCode = async ({ dialog }: Shell, code: string): Promise<void> => {
  await dialog.showMessageBox({
    type: 'info',
    title: 'Recovery code',
    message: code,
    detail:
      'Write this code down and keep it where you keep the shop’s papers. It opens this till’s keys if this machine’s ' +
      'key store is ever lost. It is shown once, and kept nowhere.',
    buttons: ['I have written it down'],
  });
};

const update = (desktop: Desktop, till: () => TillProcess | undefined): void => {
  const { updater, clock, shell, files, crash } = desktop;
  keepUpdated({
    ...{ updater, clock, files, version: shell.app.getVersion() },
    quiet: async () => till()?.ask('quiet'),
    end: async () => till()?.stop(),
    tell: (news) => till()?.tell({ on: 'update', ...news }),
    report: (error) => void crash('updater', String(error), ''),
  });
};
