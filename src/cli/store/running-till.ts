/** `till open` and `till stop`: commands that speak to the till that runs on a folder, instead of opening it. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock as clock, pause } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemWords } from '../../base/system-words.ts';
import { environment } from '../../folder/machine.ts';
import { isFolderBusy, modeOfFolder } from '../../folder/till-folder.ts';
import { findOwner, waitForProcessEnd } from '../../owner/client.ts';
import { openingFile } from '../../owner/place.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { count } from '../till-options.ts';

export type RunningFlags = FolderFlags & { training?: true; json?: true };

export const withRunning = (command: Command): Command =>
  withFolder(command)
    .option('--training', 'the till that was started with --training')
    .option('--json', 'print the result as JSON');

/** The folder that it works on, as `npm start` has it by the same options. */
export const runningFolder = (flags: RunningFlags): string =>
  flags.training === true ? join(folderOf(flags), 'training') : folderOf(flags);

/** The till that answers there; undefined where none runs. Throws `till.unreachable` where one works unheard. */
const runningTill = async (folder: string): ReturnType<typeof findOwner> => {
  const found = await findOwner(folder).catch((error: unknown) => {
    throw new Fault('till.unreachable', { data: folder, why: systemWords(error) }, error);
  });
  if (found === undefined && isFolderBusy(folder))
    throw new Fault('till.unreachable', { data: folder, why: 'it is a command, or has no socket for its owner' });
  return found;
};

type OpenFlags = RunningFlags & { openBrowser: boolean };

/** `till open`: opens the screens of a till that runs, with the code of its start while nobody is known. */
export const addOpen = (till: Command): void => {
  withRunning(till.command('open'))
    .description('print the address of the till that runs on this folder, and open its screens')
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
A sale under way is asked for a cancel and waited for, however long that takes; Control-C here ends the waiting, not the
till's end. It needs no PIN: only the operating system's user who runs the till reaches it, and the administrator. What a
service keeps running is started again: end the service. Exit code 0: the till has ended, or none ran. 5: a till works
there that cannot be reached.`;

/** `till stop`: ends the till that runs on a folder as Control-C does where it was started. No sale is cut. */
export const addStop = (till: Command): void => {
  withRunning(till.command('stop'))
    .description('end the till that runs on this folder, without cutting a sale')
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
    if (!isJson && underWay > 0) tell(`${count(underWay, 'sale')} under way: asked for a cancel, and waited for.`);
  });
  await waitForProcessEnd(till.now.pid, clock);
  if (!closed) await untilFree(folder);
  if (isJson) printJson(till.now.mode, { stopped: true, closed });
  else print('The till has ended.');
  if (!closed && !isJson) tell('It did not close everything: the next start brings what was open to its end.');
};

const LOOKS = 100;
const LOOK_MS = 100;

/** A till that died has let go of its folder. Throws `till.unreachable` where it works on. */
const untilFree = async (folder: string): Promise<void> => {
  for (let looks = 0; isFolderBusy(folder); looks += 1) {
    if (looks === LOOKS) throw new Fault('till.unreachable', { data: folder, why: 'the connection to it was lost' });
    await pause(clock, LOOK_MS);
  }
};

// Opening the screens: the address that people are told, with the code of the start while nobody is known.

/** `code`: of the till's start, while no people are known. */
export type ScreensAddress = { address: string; code?: string | undefined };

/** A socket is no address that a browser opens. */
const isPage = (address: string): boolean => /^https?:/.test(address);

/** The code stands in the fragment: a browser sends that to nobody, and no log has it. */
export const openingAddress = ({ address, code }: ScreensAddress): string =>
  code === undefined || !isPage(address) ? address : `${address}#code=${code}`;

/** A line of its own, for people and for programs that start the till. */
export const openingLine = (opening: ScreensAddress & { code: string }): string =>
  isPage(opening.address) ? `open ${openingAddress(opening)}` : `code ${opening.code}`;

const openerOf = ({ platform, systemRoot = 'C:\\Windows' }: Place): readonly [string, ...string[]] => {
  if (platform === 'darwin') return ['open'];
  // Not cmd, whose window would flash. By its whole path: a program of this name in the till’s folder is not it.
  if (platform === 'win32') return [`${systemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
};

type Place = {
  platform: NodeJS.Platform;
  /** The till's socket for its owner. */
  socket: string | undefined;
  /** Of Windows: the folder that it is in. */
  systemRoot?: string | undefined;
};

/** The program that opens a browser, and what it is given. */
export const browserCommand = (opening: ScreensAddress, place: Place): readonly [string, ...string[]] => [
  ...openerOf(place),
  targetOf(opening, place),
];

/** Every user of the machine can read what a program was started with, so a file of this user's alone has the code. */
const targetOf = (opening: ScreensAddress, { platform, socket }: Place): string => {
  if (opening.code === undefined || platform === 'win32') return openingAddress(opening);
  if (socket === undefined) return opening.address;
  const file = openingFile(socket);
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${openingAddress(opening)}">\n`;
  rmSync(file, { force: true });
  writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
  return file;
};

/** A machine without a browser shows none; the address stands on the screen. */
export const openInBrowser = (opening: ScreensAddress, socket: string | undefined): void => {
  const systemRoot = environment()['SystemRoot'];
  const [program, ...words] = browserCommand(opening, { platform: process.platform, socket, systemRoot });
  const child = spawn(program, words, { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => {});
  child.unref();
};
