/** Runs `gateway vault …` as the command line does, below a command with options of the same names. */
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { isFault } from '../../../src/base/fault.ts';
import { addVault } from '../../../src/cli/gateway/vault-and-schedules.ts';

/** `input` is the value of TILLGATE_VAULT_KEY, empty for none. A fault is printed; the exit code is the process's. */
export const runVaultCommand = async (input: string, args: readonly string[]): Promise<void> => {
  const program = new Command('tillgate');
  const gateway = program
    .command('gateway')
    .option('--data <dir>', 'its folder', 'data')
    .option('--port <n>', 'its port');
  addVault(gateway, input === '' ? undefined : input);
  try {
    await program.parseAsync(['gateway', 'vault', ...args], { from: 'user' });
  } catch (error) {
    if (!isFault(error)) throw error;
    process.stdout.write(`${error.code}: ${error.message}\n`);
    process.exitCode = 2;
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , input = '', ...args] = process.argv;
  await runVaultCommand(input, args);
}
