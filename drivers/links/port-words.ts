/** Explains why a serial port cannot be opened, and what to do about it. */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorText } from '../../src/base/fault.ts';
import { printable } from '../../src/base/mask.ts';
import { formatEnglish, formatList } from '../../src/base/placeholders.ts';

/** The command that gives ordinary users access to the terminals' ports, and keeps away programs that grab ports. */
export const udevCure = 'sudo build/linux/install-udev-rules.sh';

/** Explains the usual causes; passes other system messages through unchanged. Never throws. */
export const explainOpen = async (error: unknown, path: string): Promise<string> => {
  const text = errorText(error);
  const trouble = openTroubleOf(text);
  if (trouble === 'busy') return explainBusy(await holdersOf(path));
  if (trouble !== undefined) return troubleWords[trouble];
  if (/lock|busy|temporarily unavailable/i.test(text)) return explainBusy(await holdersOf(path));
  if (/no such (file|device)/i.test(text)) return troubleWords.missing;
  if (/permission/i.test(text)) return explainPermission(await groupOf(path));
  return text;
};

const troubleWords: Readonly<Record<Exclude<OpenTrouble, 'busy'>, string>> = {
  missing: 'there is no such port; is the terminal plugged in?',
  silent: 'its device does not answer; is it switched on, and if it is a Bluetooth device, near and paired?',
  failed: 'its driver failed; unplug the device and plug it in again',
  settings: 'it does not take the speed or the stop bits that this device is opened with; is it the right port?',
  noSerialPort: 'it is not a serial port',
};

/**
 * System messages of an open port whose device is gone. A pseudo terminal has no modem lines, and its message differs.
 */
const goneWords = /input\/output|bad file|no such device|not configured|not open/i;

export const isGone = (error: unknown): boolean =>
  goneWords.test(errorText(error)) || isGoneOnWindows(errorText(error));

/** Explains why an open port failed. */
export const explainLoss = (error: unknown): string => (isGone(error) ? 'it was unplugged' : errorText(error));

const explainBusy = (holders: readonly Holder[]): string => {
  const [first] = holders;
  if (first === undefined) return 'another program holds the port';
  const isOtherProgram = first.seen === 'open' && first.pid !== process.pid;
  return isOtherProgram ? `another program holds the port: ${describeHolders(holders)}` : describeHolders(holders);
};

/** What a user without permission for a device can do about it. */
export const explainPermission = (group: string | undefined): string => {
  const join = group === undefined || group === 'root' ? '' : `, or join its group (sudo usermod -aG ${group} $USER)`;
  return `this user may not use it; install the rule for it (${udevCure})${join}, then log in again`;
};

/** The name of the group of a device node, from the system's own list; undefined when there is none. */
const groupOf = async (path: string): Promise<string | undefined> => {
  try {
    const { gid } = await stat(path);
    const list = await readFile('/etc/group', 'utf8');
    return list
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, , id]) => id === String(gid))?.[0];
  } catch {
    // Only the message is affected: without a group it names the udev rule alone.
    return undefined;
  }
};

// Windows system errors in the serial port library. The library writes five of them in words and all others as “Unknown
// error code 31” (`serialport_win.cpp` of @serialport/bindings-cpp 13.0.0).

const named: Readonly<Record<string, number>> = {
  'File not found': 2,
  'Access denied': 5,
  'Invalid handle': 6,
  'The parameter is incorrect': 87,
  'Operation aborted': 995,
};

const inWords = new RegExp(`: (?:(${Object.keys(named).join('|')})|Unknown error code (\\d+))`);

/** The error number in the library's message; undefined when there is none, as on other systems. */
const codeIn = (text: string): number | undefined => {
  const [, name, number] = inWords.exec(text) ?? [];
  if (name !== undefined) return named[name];
  return number === undefined ? undefined : Number(number);
};

type OpenTrouble = 'missing' | 'busy' | 'silent' | 'failed' | 'settings' | 'noSerialPort';

/** Errors when a port is opened: https://learn.microsoft.com/windows/win32/debug/system-error-codes. */
const atOpening: Readonly<Record<number, OpenTrouble>> = {
  1: 'noSerialPort', // ERROR_INVALID_FUNCTION: the device has no serial port settings
  2: 'missing', // ERROR_FILE_NOT_FOUND
  3: 'missing', // ERROR_PATH_NOT_FOUND
  5: 'busy', // ERROR_ACCESS_DENIED: a serial port can be opened by only one program
  6: 'noSerialPort', // ERROR_INVALID_HANDLE
  21: 'silent', // ERROR_NOT_READY
  22: 'failed', // ERROR_BAD_COMMAND
  31: 'failed', // ERROR_GEN_FAILURE
  32: 'busy', // ERROR_SHARING_VIOLATION
  50: 'noSerialPort', // ERROR_NOT_SUPPORTED
  55: 'missing', // ERROR_DEV_NOT_EXIST
  87: 'settings', // ERROR_INVALID_PARAMETER
  121: 'silent', // ERROR_SEM_TIMEOUT: a Bluetooth port whose device is off or away
  170: 'busy', // ERROR_BUSY
  433: 'missing', // ERROR_NO_SUCH_DEVICE
  995: 'failed', // ERROR_OPERATION_ABORTED
  1117: 'failed', // ERROR_IO_DEVICE
  1167: 'missing', // ERROR_DEVICE_NOT_CONNECTED
  1460: 'silent', // ERROR_TIMEOUT
  1617: 'missing', // ERROR_DEVICE_REMOVED
};

/** Why a port did not open; undefined for messages that are not from Windows, and for unknown numbers. */
const openTroubleOf = (text: string): OpenTrouble | undefined => atOpening[codeIn(text) ?? -1];

/** Error numbers of an open port whose device is gone. A driver that merely lacks a function returns 1, 50 or 87. */
const goneCodes: ReadonlySet<number | undefined> = new Set([2, 5, 6, 22, 31, 55, 433, 995, 1167, 1617]);

const isGoneOnWindows = (text: string): boolean => goneCodes.has(codeIn(text));

// Finds who has a device node open, on Linux: program and process, for messages that say what to close. Reads /proc
// within bounds and never throws. Only an administrator can see files that other users' processes have open.

export type Holder = {
  program: string;
  pid: number;
  /** `open`: it has the device open. `running`: it often takes such devices, and no other holder was found. */
  seen: 'open' | 'running';
};

/** No more processes or open files than this are checked: the result only improves a message. */
const processesMax = 4_096;
const filesMax = 1_024;
const holdersMax = 4;

/** Programs that take serial ports by themselves, and what to do about each. */
const takers: Readonly<Record<string, string>> = {
  ModemManager:
    'it tries every new port for a modem; install the rule that keeps it off (sudo build/linux/install-udev-rules.sh) or stop it (sudo systemctl stop ModemManager)',
  brltty: 'it takes some ports for braille displays; if nobody here needs one, remove it (sudo apt remove brltty)',
};

/** Up to four processes that have this path open; other processes come before this one. Empty on other systems. */
export const holdersOf = async (
  path: string,
  at: { proc: string; self: number } = thisMachine(),
): Promise<Holder[]> => {
  const target = (await undefinedOnError(realpath(path))) ?? path;
  const all = (await undefinedOnError(readdir(at.proc))) ?? [];
  const pids = all.filter((name) => /^\d+$/.test(name)).slice(0, processesMax);
  const holders: Holder[] = [];
  const running: Holder[] = [];
  for (const pid of pids) {
    if (holders.length >= holdersMax) break;
    const folder = `${at.proc}/${pid}`;
    const comm = ((await undefinedOnError(readFile(`${folder}/comm`, 'latin1'))) ?? '').trim();
    if (await hasOpen(folder, target)) {
      holders.push({ program: await programOf(folder, comm), pid: Number(pid), seen: 'open' });
    } else if (Object.hasOwn(takers, comm)) {
      running.push({ program: comm, pid: Number(pid), seen: 'running' });
    }
  }
  const others = holders.filter(({ pid }) => pid !== at.self);
  const first = others.length > 0 ? others : holders;
  return first.length > 0 ? first : running;
};

/** Describes the holders, and the remedy where one is known: `chromium (process 812) holds it; close that program`. */
export const describeHolders = (holders: readonly Holder[], self: number = process.pid): string => {
  const [first] = holders;
  if (first === undefined) return 'another program holds it';
  if (first.pid === self) return 'this program itself has it open already';
  const names = formatList('en')(holders.map(({ program, pid }) => `${program} (process ${pid})`));
  const remedy = takers[first.program];
  const what = remedy === undefined ? 'close that program' : remedy;
  return first.seen === 'open'
    ? formatEnglish('{names} {count, plural, one {holds} other {hold}} it; {what}', {
        names,
        count: holders.length,
        what,
      })
    : `another program holds it, perhaps ${names}: ${what}`;
};

const thisMachine = () => ({ proc: '/proc', self: process.pid });

const hasOpen = async (folder: string, target: string): Promise<boolean> => {
  const files = ((await undefinedOnError(readdir(`${folder}/fd`))) ?? []).slice(0, filesMax);
  for (const file of files) {
    if ((await undefinedOnError(readlink(`${folder}/fd/${file}`))) === target) return true;
  }
  return false;
};

/** The file name of the program, and of its script if it is an interpreter. Never an argument: those may be secrets. */
const programOf = async (folder: string, comm: string): Promise<string> => {
  const line = (await undefinedOnError(readFile(`${folder}/cmdline`, 'latin1'))) ?? '';
  const [program = '', script = ''] = line.slice(0, 4_096).split('\0');
  const name = basename(program.replace(/:.*$/, '')) || comm || 'a program';
  const isScript = /^(node|python[\d.]*|ruby|perl|java|bash|sh)$/.test(name) && /^[^-].*\.\w{1,5}$/.test(script);
  return printable(isScript ? `${name} ${basename(script)}` : name, 60);
};

/** Processes come and go during the check, and some cannot be read: neither is an error. */
const undefinedOnError = async <T>(promise: Promise<T>): Promise<T | undefined> => {
  try {
    return await promise;
  } catch {
    return undefined;
  }
};
