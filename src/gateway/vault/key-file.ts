/** The file of the vault's keys: read, made once by the first of many processes, and changed by one at a time. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { makeFolder } from '../../base/folder.ts';
import type { Random } from '../../base/ids.ts';
import { madeOnce, syncFolder } from '../../base/made-once.ts';
import { KEY_BYTES } from './cipher.ts';
import { keyIdOf } from './key-id.ts';

const key = z.base64().refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES, 'must be 32 bytes in base64');

const shape = z
  .strictObject({
    current: z.string(),
    /** What the key of the look-up hash derives from. It never changes: old hashes must still be found. */
    lookup: key,
    keys: z.array(z.strictObject({ id: z.string(), key, madeAt: z.iso.datetime() })).min(1),
  })
  .refine(({ current, keys }) => keys.some(({ id }) => id === current), 'the current key is not among the keys')
  .refine(({ keys }) => keys.every(({ id, key }) => keyIdOf(Buffer.from(key, 'base64')) === id), 'a key was changed');

export type KeyFile = z.output<typeof shape>;

/** Throws `vault.damaged` with the reason: unreadable, not JSON, a key too short, one that does not fit its id. */
export const readKeyFile = (path: string): KeyFile => {
  const damaged = (why: string, cause: unknown) => new Fault('vault.damaged', { from: path, why }, cause);
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof z.ZodError) {
      throw damaged(error.issues.map(({ path, message }) => [...path, message].join(' ')).join('; '), error);
    }
    // The parser's own words quote the text, and the text is keys.
    throw damaged(error instanceof SyntaxError ? 'it is not JSON' : wordsOf(error), error);
  }
};

/** Makes the file unless there is one, whole or not at all: of many processes one wins, and all read its keys. */
export const makeKeyFile = (path: string, first: () => KeyFile, random: Random): void => {
  guarded(path, () => {
    makeFolder(dirname(path));
    madeOnce(path, () => textOf(first()), random);
  });
};

/**
 * Changes the file, whole or not at all; the new content is on the disk when it returns. Throws `vault.busy` while
 * another process is at it: two changes of one file would lose a key, and with it all accounts under that key.
 */
export const changeKeyFile = (path: string, change: (now: KeyFile) => KeyFile): KeyFile =>
  guarded(path, () => {
    const fresh = `${path}.new`;
    // This file is the lock, too. What is read under it nobody else can change.
    const lock = openLock(fresh);
    try {
      const changed = change(readKeyFile(path));
      writeFileSync(lock, textOf(changed));
      fsyncSync(lock);
      renameSync(fresh, path);
      syncFolder(dirname(path));
      return changed;
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    } finally {
      closeSync(lock);
    }
  });

const openLock = (path: string): number => {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Fault('vault.busy', { path }, error);
    throw error;
  }
};

const textOf = (content: KeyFile): string => `${JSON.stringify(content, null, 2)}\n`;

const guarded = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('vault.unwritable', { path, why: wordsOf(error) }, error);
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
