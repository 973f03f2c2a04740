/**
 * Small JSON files of a till's folder: read against a shape, written whole or not at all. What a newer version has
 * written into one stays in it.
 */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { wrongFieldsText } from '../base/field-wants.ts';
import { readTextFile, replaceFile, syncFolder } from '../base/files.ts';
import { parsedKnown, writable } from './unknown-keys.ts';

/** Throws `config.malformed` with the file. */
export const readJson = (file: string): unknown => checkedAs(file, z.unknown(), () => JSON.parse(readTextFile(file)));

/** Throws `config.malformed` with the file and what is wrong with it. */
export const checkedAs = <T>(file: string, as: z.ZodType<T>, read: () => unknown): T =>
  checkedBy(file, () => parsedKnown(as, read()));

/** The same for what is read in another way than against one shape. */
export const checkedBy = <T>(file: string, read: () => T): T => {
  try {
    return read();
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
export const issues = ({ issues }: z.ZodError): string => wrongFieldsText(issues);

/** Whole or not at all: a power cut leaves the old file. Nobody but the owner may read either. */
export const saveWhole = (file: string, value: unknown): void => {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, `${JSON.stringify(writable(value), null, 2)}\n`, { mode: 0o600, flush: true });
    replaceFile(fresh, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('folder.unusable', { path: dirname(file), why: wordsOf(error) }, error);
  }
};
