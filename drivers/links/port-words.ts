/** Why a serial port cannot be opened, in words that say what to do. */
import { readFile, stat } from 'node:fs/promises';
import { wordsOf } from '../../src/base/fault.ts';
import { type Holder, holdersOf, holderWords } from './holder.ts';

/** The command that lets ordinary users at the terminals' ports, and keeps programs that grab ports away from them. */
export const udevCure = 'sudo build/linux/install-udev-rules.sh';

/** The system's words for the usual causes, made clear; any others as they are. Never throws. */
export const openWords = async (error: unknown, path: string): Promise<string> => {
  const words = wordsOf(error);
  if (/lock|busy|access denied|temporarily unavailable/i.test(words)) return busyWords(await holdersOf(path));
  if (/no such (file|device)|file not found|cannot find/i.test(words))
    return 'there is no such port; is the terminal plugged in?';
  if (/permission/i.test(words)) return permissionWords(await groupOf(path));
  return words;
};

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
