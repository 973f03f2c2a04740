/**
 * Small JSON files in a till's folder: checked against a schema when read, and written completely or not at all.
 * Content from a newer version is preserved.
 */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { errorText, Fault, isFault } from '../base/fault.ts';
import { wrongFieldsText } from '../base/field-wants.ts';
import { readTextFile, replaceFile, syncFolder } from '../base/files.ts';
import { parsedKnown, writable } from './unknown-keys.ts';

/** Throws `config.malformed` with the file. */
export const readJson = (file: string): unknown => readChecked(file, z.unknown(), () => JSON.parse(readTextFile(file)));

/** Throws `config.malformed` with the file and what is wrong with it. */
export const readChecked = <T>(file: string, schema: z.ZodType<T>, read: () => unknown): T =>
  readReported(file, () => parsedKnown(schema, read()));

/** The same for content that is not read with a single schema. */
export const readReported = <T>(file: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault(
      'config.malformed',
      { file, why: error instanceof z.ZodError ? issues(error) : errorText(error) },
      error,
    );
  }
};

export const issues = ({ issues }: z.ZodError): string => wrongFieldsText(issues);

/** Replaces the file as a whole: a power cut leaves the old one. Only its owner can read either. */
export const replaceJson = (file: string, value: unknown): void => {
  const temporary = `${file}.new`;
  try {
    writeFileSync(temporary, `${JSON.stringify(writable(value), null, 2)}\n`, { mode: 0o600, flush: true });
    replaceFile(temporary, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('folder.unusable', { path: dirname(file), why: errorText(error) }, error);
  }
};
