/**
 * `till.key.json` of a till that runs in its own window: the key under which the till's secrets lie sealed, once as the
 * machine's key store wrapped it, once under the recovery code.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Fault, wordsOf } from '../../base/fault.ts';
import { readTextFile, replaceFile } from '../../base/files.ts';
import type { StretchCost } from '../../base/stretch.ts';
import { openWith } from './recovery-code.ts';

const hex = z.string().regex(/^([0-9A-F]{2})+$/);

/** A newer version may have written more beside it. */
const shape = z.looseObject({
  version: z.literal(1),
  /** What the machine's key store made of the key, base64. */
  machine: z.string().min(1),
  recovery: z.looseObject({ salt: hex, iv: hex, sealed: hex, tag: hex }),
});

type KeyFile = z.output<typeof shape>;

const fileIn = (folder: string): string => join(folder, 'till.key.json');

/** Undefined where there is none. Throws `config.malformed` for one that cannot be read. */
export const readKeyFile = (folder: string): KeyFile | undefined => {
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  try {
    return shape.parse(JSON.parse(readTextFile(file)));
  } catch (error) {
    throw new Fault('config.malformed', { file, why: wordsOf(error) }, error);
  }
};

/** Whole or not at all; nobody but the owner may read it. */
export const writeKeyFile = (folder: string, value: KeyFile): void => {
  const file = fileIn(folder);
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  replaceFile(`${file}.new`, file);
};

/** Of a till whose secrets no key store keeps any more. */
export const removeKeyFile = (folder: string): void => rmSync(fileIn(folder), { force: true });

/** The key by what was typed as recovery code; undefined when it is not this till's. Throws as `readKeyFile`. */
export const keyByCode = async (
  folder: string,
  typed: string,
  stretchCost: StretchCost,
): Promise<Uint8Array | undefined> => {
  const kept = readKeyFile(folder);
  return kept === undefined ? undefined : openWith(typed, kept.recovery, stretchCost);
};
