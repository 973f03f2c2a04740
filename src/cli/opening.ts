/** Opening the screens: the address that people are told, with the code of the start while nobody is known. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { environment } from '../folder/environment.ts';
import { openingFile } from '../owner/place.ts';

/** `code`: of the till's start, while no people are known. */
export type ScreensAddress = { address: string; code?: string | undefined };

/** A socket is no address that a browser opens. */
export const isPage = (address: string): boolean => /^https?:/.test(address);

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
