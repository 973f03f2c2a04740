/** Only the named command of the till is loaded. */
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { tillFor } from '../../src/cli/till-commands.ts';

const namesFor = async (...args: string[]): Promise<string[]> => {
  const program = new Command();
  (await tillFor(args))(program);
  return program.commands.flatMap((till) => till.commands.map((command) => command.name()));
};

const all = await namesFor();

test.each(all)('%s alone', async (name) => {
  expect(await namesFor(name, '--json')).toEqual([name]);
});

test('all commands are loaded for --help, for no name and for an unknown one', async () => {
  expect(all).toContain('sell');
  for (const args of [['--help'], ['help', 'sell'], ['sel'], ['--data', 'folder', 'sell'], ['toString']])
    expect(await namesFor(...args), args.join(' ')).toEqual(all);
});
