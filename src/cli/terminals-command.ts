/** `till terminals`: what is plugged in here that may be a terminal. Nothing is opened, and nothing asked. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { candidatesOf } from '../../drivers/discovery.ts';
import { pluggedIn } from '../../drivers/links/plugged.ts';
import { systemIds } from '../base/ids.ts';
import { type Config, loadConfig } from '../runtime/config.ts';
import { candidateLine } from './terminal-words.ts';
import { print, tell } from './terms.ts';

type TerminalsFlags = { data: string; json?: true };

export const addTerminals = (till: Command): void => {
  till
    .command('terminals')
    .description('what is plugged in here that may be a terminal; nothing is touched')
    .option('--data <dir>', 'the till’s folder, to mark the paired terminal', 'data')
    .option('--json', 'print the result as JSON')
    .action(async ({ data, json }: TerminalsFlags) => {
      const { devices, problems } = await pluggedIn();
      const candidates = candidatesOf(devices);
      const paired = pairedIn(data);
      if (json === true) return print(JSON.stringify({ candidates, problems, ...paired }, null, 2));
      for (const problem of problems) tell(problem);
      if (candidates.length === 0) tell('Nothing that may be a terminal is plugged in.');
      for (const candidate of candidates) print(candidateLine(candidate));
      print(pairedWords(paired));
      tell('To ask what answers, and pair it: npm run till -- pair');
    });
};

type Paired = Pick<Config, 'terminal' | 'device'>;

/** A till that was never started is not begun for this. */
export const pairedIn = (folder: string): Paired => {
  if (!existsSync(join(folder, 'till.json'))) return {};
  const { terminal, device } = loadConfig(folder, systemIds);
  return { ...(terminal !== undefined && { terminal }), ...(device && { device }) };
};

const pairedWords = ({ terminal, device }: Paired): string => {
  if (terminal === undefined) return 'This till is paired with no terminal.';
  if (device === undefined) return `This till sells on ${terminal}.`;
  return `This till is paired with ${device.model}, serial number ${device.serial}, at ${terminal}, since ${device.pairedAt} UTC.`;
};
