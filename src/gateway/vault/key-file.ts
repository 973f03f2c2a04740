/** The file of the vault's keys: read, created once by the first of many processes, and changed by one at a time. */
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { makeFolder, readOrCreate, readTextFile, replaceFile, syncFolder } from '../../base/files.ts';
import type { Random } from '../../base/ids.ts';
import { systemCode } from '../../base/system-error-text.ts';
import { KEY_BYTES, keyIdOf } from './cipher.ts';

export type KeyFile = {
  /** The id of the key that encrypts. */
  current: string;
  /** Base64. The input of the look-up hash's key. It never changes: old hashes must still be found. */
  lookup: string;
  keys: { id: string; key: string; madeAt: string }[];
};

/** Throws `vault.damaged` with the reason: unreadable, not JSON, a key too short, a key that does not match its id. */
export const readKeyFile = (path: string): KeyFile => {
  const damagedFault = (reason: string, cause?: unknown) =>
    new Fault('vault.damaged', { from: path, why: reason }, cause);
  let json: unknown;
  try {
    json = JSON.parse(readTextFile(path));
  } catch (error) {
    // The parser's own message quotes the text, which contains keys.
    throw damagedFault(error instanceof SyntaxError ? 'it is not JSON' : errorText(error), error);
  }
  const defect = findDefect(json);
  if (defect !== undefined) throw damagedFault(defect);
  return json as KeyFile;
};

/** The error in a key file's content, as a text that reveals nothing of a key; undefined if there is none. */
const findDefect = (json: unknown): string | undefined => {
  if (!isObject(json)) return 'it is not an object';
  // A newer version may have written further fields: they stay in the file.
  const { current, lookup, keys } = json;
  if (!isKey(lookup)) return `lookup ${keyWords}`;
  if (!Array.isArray(keys) || keys.length === 0) return 'keys must be a list with at least one key';
  for (const [index, entry] of (keys as unknown[]).entries()) {
    if (!isObject(entry) || !isKey(entry['key'])) return `keys ${index} key ${keyWords}`;
    if (typeof entry['madeAt'] !== 'string' || Number.isNaN(Date.parse(entry['madeAt'])))
      return `keys ${index} madeAt must be a time`;
    if (keyIdOf(Buffer.from(entry['key'], 'base64')) !== entry['id']) return 'a key was changed';
  }
  const ids = keys.map(({ id }: { id: string }) => id);
  return ids.includes(current as string) ? undefined : 'the current key is not among the keys';
};

const keyWords = `must be ${KEY_BYTES} bytes in base64`;

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const isKey = (json: unknown): json is string =>
  typeof json === 'string' && /^[A-Za-z0-9+/]+=*$/.test(json) && Buffer.from(json, 'base64').length === KEY_BYTES;

/** Creates the file unless there is one, atomically: one of many processes wins, and all read its keys. */
export const makeKeyFile = (path: string, first: () => KeyFile, random: Random): void => {
  guard(path, () => {
    makeFolder(dirname(path));
    readOrCreate(path, () => textOf(first()), random);
  });
};

/**
 * Changes the file atomically; the new content is on the disk when it returns. Throws `vault.busy` while another
 * process changes it: two changes of one file would lose a key, and with it all accounts under that key.
 */
export const changeKeyFile = (path: string, change: (now: KeyFile) => KeyFile): KeyFile =>
  guard(path, () => {
    const temporaryPath = `${path}.new`;
    // The new file is also the lock: nobody else can change what is read while it exists.
    const lock = openLock(temporaryPath);
    try {
      const changed = change(readKeyFile(path));
      writeFileSync(lock, textOf(changed));
      fsyncSync(lock);
      replaceFile(temporaryPath, path);
      syncFolder(dirname(path));
      return changed;
    } catch (error) {
      rmSync(temporaryPath, { force: true });
      throw error;
    } finally {
      closeSync(lock);
    }
  });

const openLock = (path: string): number => {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new Fault('vault.busy', { path }, error);
    throw error;
  }
};

const textOf = (content: KeyFile): string => `${JSON.stringify(content, null, 2)}\n`;

const guard = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('vault.unwritable', { path, why: errorText(error) }, error);
  }
};
