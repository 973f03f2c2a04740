/** `till open` and `till stop`: commands for the till that is running on a folder. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock as clock, pause } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { environment } from '../../folder/machine.ts';
import { isFolderBusy, modeOfFolder } from '../../folder/till-folder.ts';
import { waitForProcessEnd } from '../../owner/client.ts';
import { openingFile } from '../../owner/place.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, ownerOf, printJson, withFolder } from '../till-folder.ts';
import { count } from '../till-options.ts';

export type RunningFlags = FolderFlags & { training?: true; json?: true };

export const withRunning = (command: Command): Command =>
  withFolder(command)
    .option('--training', 'the till that was started with --training')
    .option('--json', 'print the result as JSON');

/** The folder that `npm start` uses with the same options. */
export const runningFolder = (flags: RunningFlags): string =>
  flags.training === true ? join(folderOf(flags), 'training') : folderOf(flags);

/** The till that is running there. Undefined if there is none. Throws `till.unreachable` if it does not answer. */
const runningTill = async (folder: string): ReturnType<typeof ownerOf> => {
  const found = await ownerOf(folder);
  if (found === undefined && isFolderBusy(folder))
    throw new Fault('till.unreachable', { data: folder, why: 'it is a command, or has no owner’s socket' });
  return found;
};

type OpenFlags = RunningFlags & { openBrowser: boolean };

/** `till open`: opens the screens of a running till, with the code of its start while it has no people. */
export const addOpen = (till: Command): void => {
  withRunning(till.command('open'))
    .description('print the address of the running till, and open its screens')
    .option('--no-open-browser', 'only print the address')
    .action(open);
};

const open = async (flags: OpenFlags): Promise<void> => {
  const folder = runningFolder(flags);
  const till = await runningTill(folder);
  if (till === undefined) throw new Fault('till.notRunning', { data: folder });
  const { address, code, mode } = till.now;
  if (flags.json === true) return printJson(mode, { address, code });
  print(openingAddress({ address, code }));
  if (isPage(address)) {
    if (flags.openBrowser && process.stdout.isTTY) openInBrowser({ address, code }, till.socket);
  } else if (code !== undefined) print(openingLine({ address, code }));
};

const AFTERWORDS = `
The till cancels a sale in progress and waits for its end, however long that takes. Control-C here stops the waiting,
but the till still stops. No PIN is needed: only the operating system's user who runs the till, and the administrator, can
reach it. A service manager starts the till again: stop the service instead. Exit code 0: the till has stopped, or none
was running. 5: a till is running that cannot be reached.`;

/** `till stop`: stops the running till of a folder as Control-C does, after its sales in progress have ended. */
export const addStop = (till: Command): void => {
  withRunning(till.command('stop'))
    .description('stop the running till, after its sales in progress')
    .addHelpText('after', AFTERWORDS)
    .action(stop);
};

const stop = async (flags: RunningFlags): Promise<void> => {
  const folder = runningFolder(flags);
  const isJson = flags.json === true;
  const till = await runningTill(folder);
  if (till === undefined) {
    if (isJson) printJson(modeOfFolder(folder), { stopped: false });
    else print(`No till runs on ${folder}.`);
    return;
  }
  const { closed } = await till.stop((underWay) => {
    if (!isJson && underWay > 0) tell(`${count(underWay, 'sale')} in progress: cancelling, and waiting for the end.`);
  });
  await waitForProcessEnd(till.now.pid, clock);
  if (!closed) await untilFree(folder);
  if (isJson) printJson(till.now.mode, { stopped: true, closed });
  else print('The till has ended.');
  if (!closed && !isJson) tell('It did not close everything: the next start finishes what was open.');
};

const LOOKS = 100;
const LOOK_MS = 100;

/** Waits until the till has left the folder, or has died. Throws `till.unreachable` if the till keeps running. */
const untilFree = async (folder: string): Promise<void> => {
  for (let looks = 0; isFolderBusy(folder); looks += 1) {
    if (looks === LOOKS) throw new Fault('till.unreachable', { data: folder, why: 'the connection to it was lost' });
    await pause(clock, LOOK_MS);
  }
};

// The address of the screens, with the code of the start while the till has no people.

/** `code`: the code of the till's start, while it has no people. */
export type ScreensAddress = { address: string; code?: string | undefined };

/** Whether a browser can open the address: it cannot open a socket. */
const isPage = (address: string): boolean => /^https?:/.test(address);

/** The code is in the fragment, which browsers never send and no log contains. */
export const openingAddress = ({ address, code }: ScreensAddress): string =>
  code === undefined || !isPage(address) ? address : `${address}#code=${code}`;

/** The line that people and programs that start the till read. */
export const openingLine = (opening: ScreensAddress & { code: string }): string =>
  isPage(opening.address) ? `open ${openingAddress(opening)}` : `code ${opening.code}`;

const openerOf = ({ platform, systemRoot = 'C:\\Windows' }: Place): readonly [string, ...string[]] => {
  if (platform === 'darwin') return ['open'];
  // Not cmd, whose window would flash. By its full path, so that no program in the till’s folder is run instead.
  if (platform === 'win32') return [`${systemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
};

type Place = {
  platform: NodeJS.Platform;
  /** The till's socket for its owner. */
  socket: string | undefined;
  /** The folder of Windows itself. */
  systemRoot?: string | undefined;
};

export const browserCommand = (opening: ScreensAddress, place: Place): readonly [string, ...string[]] => [
  ...openerOf(place),
  targetOf(opening, place),
];

/** All users can read the arguments of a program, so a private file contains the code. */
const targetOf = (opening: ScreensAddress, { platform, socket }: Place): string => {
  if (opening.code === undefined || platform === 'win32') return openingAddress(opening);
  if (socket === undefined) return opening.address;
  const file = openingFile(socket);
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${openingAddress(opening)}">\n`;
  rmSync(file, { force: true });
  writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
  return file;
};

/** Opens the screens in a browser if there is one. The address has been printed. */
export const openInBrowser = (opening: ScreensAddress, socket: string | undefined): void => {
  const systemRoot = environment()['SystemRoot'];
  const [program, ...words] = browserCommand(opening, { platform: process.platform, socket, systemRoot });
  const child = spawn(program, words, { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => {});
  child.unref();
};
