/** Runs `gateway vault …` as the command line does, under a command that has options of the same names. */
import { Command } from 'commander';
import { isFault } from '../../../src/base/fault.ts';
import { addVault } from '../../../src/cli/vault-command.ts';

const program = new Command('tillgate');
const gateway = program
  .command('gateway')
  .option('--data <dir>', 'its folder', 'data')
  .option('--port <n>', 'its port');
const [, , given = '', ...typed] = process.argv;
addVault(gateway, given === '' ? undefined : given);
try {
  await program.parseAsync(['gateway', 'vault', ...typed], { from: 'user' });
} catch (error) {
  if (!isFault(error)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
  process.exitCode = 2;
}
