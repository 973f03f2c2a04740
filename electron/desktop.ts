/** Assembles the desktop app from the shell's calls. */
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { Clock } from '../src/base/clock.ts';
import { errorText } from '../src/base/fault.ts';
import { toHex } from '../src/base/hex.ts';
import type { Ids, Random } from '../src/base/ids.ts';
import { recoveryStretchCost } from '../src/folder/keys/key-file.ts';
import { systemMachine } from '../src/folder/machine.ts';
import { ownersOf } from '../src/folder/rights/folder-rights.ts';
import type { AskWindows } from '../src/folder/rights/windows-programs.ts';
import { createShortToken } from '../src/staff/sessions/tokens.ts';
import { cookieFile, cookieJar } from './cookie-jar.ts';
import { keepCrash } from './crash-report.ts';
import type { Deadlines } from './deadlines.ts';
import { setLoginItem } from './login-item.ts';
import { watchPage } from './page-watch.ts';
import { dataFolder, type Notice, placeTill, rightsNotice } from './place-till.ts';
import { type PutParts, startDetached } from './put-in-place.ts';
import { answer, fetchOver, socketPath } from './scheme.ts';
import { PAGE, type Shell } from './shell.ts';
import { type ShellState, shellState } from './shell-state.ts';
import { openKey, recoverKey, type TillKey } from './till-key.ts';
import { keepTill, type TillProcess } from './till-process.ts';
import { argumentsAtStart, goBackIfBad, keepOwnInstaller, keepTrial, keptArguments, type Trial } from './trial.ts';
import { type UpdateFiles, updateFiles } from './update-files.ts';
import { keepUpdated, type UpdaterParts } from './updater.ts';
import { guardSession, holdSessionEnd, openWindow, sayClosing, sayFailed, sayNotice, showCode } from './window.ts';

export type DesktopParts = {
  argv: readonly string[];
  platform: NodeJS.Platform;
  appImage: string | undefined;
  /** The file that a person starts. */
  program: string;
  /** On Linux: the folder of the user's configuration. */
  configHome: string;
  /** On Windows: the programs folder for all users, if an administrator has installed this program below it. */
  programFiles: string | undefined;
  /** On Windows: the folder for data of all users of the machine. */
  programData: string | undefined;
  /** On Windows: this user's local data folder. */
  localAppData: string | undefined;
  /** The built entry file of the till's process. */
  tillModule: string;
  updater: UpdaterParts['updater'];
  /** On a Mac: lets the system's own updater take over and verify the download. */
  take: UpdaterParts['take'];
  clock: Clock;
  ids: Ids;
  random: Random;
  /** On Windows: runs system programs; the real ones by default. */
  askWindows?: AskWindows;
  /** The time limits for the till's process; the usual ones by default. */
  deadlines?: Deadlines;
};

type Desktop = DesktopParts & {
  shell: Shell;
  folder: string;
  /** The warning about that folder for a person, if any. */
  notice?: Notice;
  /** The app's own folder. */
  userData: string;
  files: UpdateFiles;
  /** Writes a report about how a process ended. Undefined if that failed, which changes nothing else. */
  crash(process: string, how: string, tail: string): string | undefined;
};

/** The folder of reports, below the app's own. */
const CRASHES = 'crashes';

/** Asks the running app to end without interrupting a sale. */
const END = '--end';

/** Starts the app. A second instance hands over to the first: two programs on one journal would be two tills. */
export const startDesktop = (shell: Shell, input: DesktopParts): void => {
  const { app, protocol } = shell;
  // No dumps: a process's memory contains card data. See crash-report.ts.
  app.commandLine.appendSwitch('disable-breakpad');
  // With `--end` the first one is asked to end gracefully, as an installer does; see `watch`.
  if (!app.requestSingleInstanceLock() || input.argv.includes(END)) {
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([
    { scheme: 'till', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
  const userData = app.getPath('userData');
  const files = updateFiles(userData);
  const argv = argumentsAtStart(input.argv, { state: files.read(), version: app.getVersion() });
  const parts = { ...input, argv };
  if (app.isPackaged) setLoginItem({ ...parts, app });
  const folder = dataFolder({ ...parts, userData });
  const crash = (process: string, how: string, tail: string): string | undefined =>
    keepCrash(join(userData, CRASHES), { at: parts.clock.now(), version: app.getVersion(), process, how, tail });
  const desktop = { ...parts, shell, folder, userData, files, crash };
  app
    .whenReady()
    .then(async () => {
      const put = putParts(desktop);
      if (await goBackIfBad({ version: app.getVersion(), files, put, crash })) return app.exit(0);
      const place = placeTill(desktop);
      await open({ ...desktop, ...place });
    })
    .catch((error: unknown) => fail(desktop, error));
};

/** The app could not even open its window. */
const fail = async ({ shell: { app, dialog }, folder, crash }: Desktop, error: unknown): Promise<void> => {
  await sayFailed(dialog, { folder, report: crash('app', errorText(error), '') });
  app.exit(1);
};

/** How another version replaces this one. */
const putParts = ({ shell: { app }, appImage, argv, program }: Desktop): Omit<PutParts, 'installer'> => ({
  appImage,
  program,
  freeBytes: systemMachine.freeBytes,
  args: keptArguments(argv),
  lock: { release: () => app.releaseSingleInstanceLock(), take: () => void app.requestSingleInstanceLock() },
  start: startDetached,
});

const open = async (desktop: Desktop): Promise<void> => {
  const { shell, folder, random, argv } = desktop;
  const { platform, notice, programData } = desktop;
  const keyParts = {
    folder,
    owners: ownersOf(folder, programData),
    platform,
    random,
    safeStorage: shell.safeStorage,
    stretchCost: recoveryStretchCost,
  };
  const socket = socketPath({ platform: desktop.platform, folder, id: desktop.ids.next().slice(-16) });
  const code = createShortToken(random);
  let till: TillProcess | undefined;
  let again = (): void => {};
  let window: BrowserWindow | undefined;
  const start = (key: Uint8Array | undefined): void => {
    again = () => start(key);
    till = startTill(desktop, { socket, key, code, state, trial });
  };
  const trial = keepTrial({ ...desktop, version: shell.app.getVersion() });
  const state = shellState({
    recover: async (code) => {
      const opened = await recoverKey(code, keyParts);
      if (opened !== undefined) start(keyOf(opened));
      return opened !== undefined;
    },
    startAgain() {
      trial.startAgain();
      till?.startAgain();
    },
    show() {
      if (window?.isDestroyed() === false) void window.loadURL(PAGE);
    },
  });
  const proxy = {
    fetch: fetchOver(socket),
    cookies: cookieJar(cookieFile(desktop.userData)),
    ownPage: state.page,
    silence: state.silence,
    clock: desktop.clock,
    code,
  };
  shell.protocol.handle('till', (request) => answer(request, proxy));
  guardSession(shell.session.defaultSession);
  const key = await openKey(keyParts);
  if (key.kind === 'locked') state.locked();
  else start(keyOf(key));
  window = openWindow(shell, { kiosk: argv.includes('--kiosk'), developing: !shell.app.isPackaged });
  watch(desktop, { window, till: () => till });
  if (notice !== undefined) sayNotice(shell.dialog, notice);
  void sayRights(desktop).catch((error: unknown) => desktop.crash('app', errorText(error), ''));
  if (key.kind === 'open' && key.code !== undefined) await showCode(shell.dialog, key.code);
  if (shell.app.isPackaged) update(desktop, { till: () => till, resume: () => again() });
};

const sayRights = async ({ shell, folder, platform, programData, askWindows: ask }: Desktop): Promise<void> => {
  const rights = await rightsNotice(folder, { owners: ownersOf(folder, programData), platform, ask });
  if (rights !== undefined) sayNotice(shell.dialog, rights);
};

/** Undefined if the till's secrets are not encrypted in its folder. */
const keyOf = (opened: Exclude<TillKey, { kind: 'locked' }>): Uint8Array | undefined =>
  opened.kind === 'open' ? opened.key : undefined;

type StartContext = { socket: string; key: Uint8Array | undefined; code: string; state: ShellState; trial: Trial };

const startTill = (desktop: Desktop, { socket, key, code, state, trial }: StartContext): TillProcess => {
  const { shell, folder, clock, crash, tillModule, deadlines } = desktop;
  return keepTill({
    clock,
    deadlines,
    fork: () =>
      shell.utilityProcess.fork(tillModule, [folder, socket, shell.app.getVersion()], {
        serviceName: 'Tillgate',
        stdio: 'pipe',
      }),
    begin: () => ({ on: 'begin', code, key: key && toHex(key) }),
    tell(news) {
      if (news.on === 'listening') {
        state.listening();
        trial.listening();
      } else if (news.on === 'indexing') state.indexing(news.says);
      else if (news.on === 'silent') state.silent(news.isSilent);
      else if (news.on === 'stuck') state.stuck();
      else if (news.on === 'stopAsked') shell.app.quit();
      else if (news.on === 'held') {
        trial.held();
        state.held(news.by);
      } else if (news.on === 'died') {
        trial.died();
        state.died(crash('till', news.how, news.tail));
      } else state.stopped();
    },
  });
};

/** Closes the window and quits the app, after it has asked the till to stop. */
const watch = (
  { shell: { app, dialog, powerMonitor }, clock, crash }: Desktop,
  { window, till }: { window: BrowserWindow; till(): TillProcess | undefined },
): void => {
  let state: 'open' | 'ending' | 'over' = 'open';
  const end = async (): Promise<void> => {
    state = 'ending';
    await till()?.stop();
    state = 'over';
    app.quit();
  };
  app.on('second-instance', (_event, requests) => {
    if (requests.includes(END)) return app.quit();
    if (window.isDestroyed()) return void sayClosing(dialog);
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  watchPage({ clock, window, dialog, crash });
  holdSessionEnd({ app, window, powerMonitor });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (state === 'over') return;
    // The till is asked to end once, however often the app is asked: a customer may have the card in the terminal.
    event.preventDefault();
    if (state === 'open') void end();
  });
};

type UpdateContext = { till(): TillProcess | undefined; resume(): void };

const update = (desktop: Desktop, { till, resume }: UpdateContext): void => {
  const { updater, take, clock, shell, files, crash, platform, appImage, programFiles, localAppData } = desktop;
  const version = shell.app.getVersion();
  const report = (error: unknown): void => void crash('updater', String(error), '');
  try {
    keepOwnInstaller({ version, platform, appImage, localAppData, files });
  } catch (error) {
    report(error);
  }
  keepUpdated({
    updater,
    take,
    clock,
    files,
    version,
    platform,
    programFiles,
    put: putParts(desktop),
    reports: join(desktop.userData, CRASHES),
    quiet: async () => till()?.ask('quiet'),
    end: async () => till()?.stop(),
    resume,
    leave: () => shell.app.exit(0),
    tell: (news) => till()?.tell({ on: 'update', ...news }),
    report,
  });
};
