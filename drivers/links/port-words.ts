/** Why a serial port cannot be opened, in words that say what to do. */
import { readFile, stat } from 'node:fs/promises';
import { wordsOf } from '../../src/base/fault.ts';
import { type Holder, holdersOf, holderWords } from './holder.ts';
import { isGoneOnWindows, type OpenTrouble, openTroubleOf } from './windows-errors.ts';

/** The command that lets ordinary users at the terminals' ports, and keeps programs that grab ports away from them. */
export const udevCure = 'sudo build/linux/install-udev-rules.sh';

/** The system's words for the usual causes, made clear; any others as they are. Never throws. */
export const openWords = async (error: unknown, path: string): Promise<string> => {
  const words = wordsOf(error);
  const trouble = openTroubleOf(words);
  if (trouble === 'busy') return busyWords(await holdersOf(path));
  if (trouble !== undefined) return troubleWords[trouble];
  if (/lock|busy|temporarily unavailable/i.test(words)) return busyWords(await holdersOf(path));
  if (/no such (file|device)/i.test(words)) return troubleWords.missing;
  if (/permission/i.test(words)) return permissionWords(await groupOf(path));
  return words;
};

const troubleWords: Readonly<Record<Exclude<OpenTrouble, 'busy'>, string>> = {
  missing: 'there is no such port; is the terminal plugged in?',
  silent: 'its device does not answer; is it switched on, and if it is a Bluetooth device, near and paired?',
  failed: 'its driver failed; unplug the device and plug it in again',
  settings: 'it does not take the speed or the stop bits that this device is opened with; is it the right port?',
  noSerialPort: 'it is not a serial port',
};

/** What an open port says once its device is gone. A pseudo terminal has no lines to ask for, and says otherwise. */
const goneWords = /input\/output|bad file|no such device|not configured|not open/i;

export const isGone = (error: unknown): boolean => goneWords.test(wordsOf(error)) || isGoneOnWindows(wordsOf(error));

/** Why an open port broke. */
export const lostWords = (error: unknown): string => (isGone(error) ? 'it was unplugged' : wordsOf(error));

const busyWords = (holders: readonly Holder[]): string => {
  const [first] = holders;
  if (first === undefined) return 'another program holds the port';
  const other = first.seen === 'open' && first.pid !== process.pid;
  return other ? `another program holds the port: ${holderWords(holders)}` : holderWords(holders);
};

/** What a user who may not use a device can do about it. */
export const permissionWords = (group: string | undefined): string => {
  const join = group === undefined || group === 'root' ? '' : `, or join its group (sudo usermod -aG ${group} $USER)`;
  return `this user may not use it; install the rule for it (${udevCure})${join}, then log in again`;
};

/** The name of the group of a device node, from the system's own list; nothing where there is none. */
const groupOf = async (path: string): Promise<string | undefined> => {
  try {
    const { gid } = await stat(path);
    const list = await readFile('/etc/group', 'utf8');
    return list
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, , id]) => id === String(gid))?.[0];
  } catch {
    // Only the words suffer: without a group they name the rule alone.
    return undefined;
  }
};
