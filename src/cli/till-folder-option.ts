/** `--data` and `--test`: which till's folder a command opens, and what it may say of its mode without opening it. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import type { ShownMode } from '../base/mode.ts';
import { journalFile } from '../folder/config.ts';
import { modeOfFolder, tillFolder } from '../folder/till-folder.ts';
import { nearestFlag, nearestText } from './nearest-option.ts';

export type FolderFlags = { data: string; test?: true; machine?: string };

const TEST = 'the test till, where a live till was begun beside it';

export const withFolder = (command: Command, says = 'the till’s folder'): Command =>
  command.option('--data <dir>', says, 'data').option('--test', TEST);

/**
 * The folder of the till that was asked for. Throws `command.malformed` where `--test` would open a live till, and
 * `journal.gone` for a live till's folder without a journal: no test till is begun in there.
 */
export const folderOf = ({ data, test }: FolderFlags): string => {
  const folder = tillFolder(data, { test: test === true });
  const path = journalFile(folder);
  if (folder !== data && !existsSync(path)) throw new Fault('journal.gone', { path });
  if (test === true && modeOfFolder(folder) === 'live')
    throw new Fault('command.malformed', { why: `the till in ${folder} is live, and --test opens a test till only` });
  return folder;
};

/** The mode of the till that a command is about, for one that failed; undefined where that cannot be told. */
export const modeAskedFor = (command: Command): ShownMode | undefined => {
  const data = nearestText(command, 'data');
  if (data === undefined) return undefined;
  return modeOfFolder(tillFolder(data, { test: nearestFlag(command, 'test') === true }));
};
