/** `till terminals`: what is plugged in here that may be a terminal. Nothing is opened, and nothing asked. */
import type { Command } from 'commander';
import { candidatesOf } from '../../drivers/discovery.ts';
import { pluggedIn } from '../../drivers/links/plugged.ts';
import { modeOfFolder } from '../folder/till-folder.ts';
import { unlistedTold } from '../words/en/messages/machine.ts';
import { type PairedTerminal, pairedIn } from './named-terminal.ts';
import { printJson } from './shown-mode.ts';
import { candidateLine } from './terminal-words.ts';
import { print, tell } from './terms.ts';
import { type FolderFlags, folderOf, withFolder } from './till-folder-option.ts';

type TerminalsFlags = FolderFlags & { json?: true };

export const addTerminals = (till: Command): void => {
  const terminals = till.command('terminals');
  withFolder(terminals, 'the till’s folder, to mark the paired terminal')
    .description('what is plugged in here that may be a terminal; nothing is touched')
    .option('--json', 'print the result as JSON')
    .action(async ({ json, ...flags }: TerminalsFlags) => {
      const folder = folderOf(flags);
      const { devices, problems: unlisted } = await pluggedIn();
      const problems = unlisted.map((one) => unlistedTold(one).says);
      const candidates = candidatesOf(devices);
      const paired = pairedIn(folder);
      if (json === true) return printJson(modeOfFolder(folder), { candidates, problems, ...paired });
      for (const problem of problems) tell(problem);
      if (candidates.length === 0) tell('Nothing that may be a terminal is plugged in.');
      for (const candidate of candidates) print(candidateLine(candidate));
      print(pairedWords(paired));
      tell('To ask what answers, and pair it: npm run till -- pair');
    });
};

const pairedWords = ({ terminal, device }: PairedTerminal): string => {
  if (terminal === undefined) return 'This till is paired with no terminal.';
  if (device === undefined) return `This till sells on ${terminal}.`;
  return `This till is paired with ${device.model}, serial number ${device.serial}, at ${terminal}, since ${device.pairedAt} UTC.`;
};
