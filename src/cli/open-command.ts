/** `till open`: opens the screens of a till that runs, with the code of its start while nobody is known. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { isPage, openInBrowser, openingAddress, openingLine } from './opening.ts';
import { type RunningFlags, runningFolder, runningTill, withRunning } from './running-till.ts';
import { printJson } from './shown-mode.ts';
import { print } from './terms.ts';

type OpenFlags = RunningFlags & { openBrowser: boolean };

export const addOpen = (till: Command): void => {
  withRunning(till.command('open'))
    .description('print the address of the till that runs on this folder, and open its screens')
    .option('--no-open-browser', 'only print the address')
    .action(open);
};

const open = async (flags: OpenFlags): Promise<void> => {
  const folder = runningFolder(flags);
  const till = await runningTill(folder);
  if (till === undefined) throw new Fault('till.notRunning', { data: folder });
  const { address, code, mode } = till.now;
  if (flags.json === true) return printJson(mode, { address, ...(code !== undefined && { code }) });
  print(openingAddress({ address, code }));
  if (isPage(address)) {
    if (flags.openBrowser && process.stdout.isTTY) openInBrowser({ address, code }, till.socket);
  } else if (code !== undefined) print(openingLine({ address, code }));
};
