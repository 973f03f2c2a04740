/** Small JSON files of a till's folder: read against a shape, written whole or not at all. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { syncFolder } from '../base/made-once.ts';

/** Throws `config.malformed` with the file. */
export const readJson = (file: string): unknown =>
  checkedAs(file, z.unknown(), () => JSON.parse(readFileSync(file, 'utf8')));

/** Throws `config.malformed` with the file and what is wrong with it. */
export const checkedAs = <T>(file: string, as: z.ZodType<T>, read: () => unknown): T => {
  try {
    return as.parse(read());
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault(
      'config.malformed',
      { file, why: error instanceof z.ZodError ? issues(error) : wordsOf(error) },
      error,
    );
  }
};

/** What is wrong, field by field. */
export const issues = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ');

/** Whole or not at all: a power cut leaves the old file. Nobody but the owner may read either. */
export const saveWhole = (file: string, value: unknown): void => {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, file);
    syncFolder(dirname(file));
  } catch (error) {
    throw new Fault('folder.unusable', { path: dirname(file), why: wordsOf(error) }, error);
  }
};
