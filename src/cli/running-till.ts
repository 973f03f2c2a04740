/** The till that runs on a folder, for a command that speaks to it instead of opening the folder. */

import { join } from 'node:path';
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { systemWords } from '../base/system-words.ts';
import { isFolderBusy } from '../folder/till-folder.ts';
import { findOwner } from '../owner/client.ts';
import { type FolderFlags, folderOf, withFolder } from './till-folder-option.ts';

export type RunningFlags = FolderFlags & { training?: true; json?: true };

export const withRunning = (command: Command): Command =>
  withFolder(command)
    .option('--training', 'the till that was started with --training')
    .option('--json', 'print the result as JSON');

/** The folder that it works on, as `npm start` has it by the same options. */
export const runningFolder = (flags: RunningFlags): string =>
  flags.training === true ? join(folderOf(flags), 'training') : folderOf(flags);

/** The till that answers there; undefined where none runs. Throws `till.unreachable` where one works unheard. */
export const runningTill = async (folder: string): ReturnType<typeof findOwner> => {
  const found = await findOwner(folder).catch((error: unknown) => {
    throw new Fault('till.unreachable', { data: folder, why: systemWords(error) }, error);
  });
  if (found === undefined && isFolderBusy(folder))
    throw new Fault('till.unreachable', { data: folder, why: 'it is a command, or has no socket for its owner' });
  return found;
};
