/**
 * Generates docs/reference/commands.md: every command with its arguments and options, taken from the command line
 * program.
 */
import type { Command } from 'commander';
import { wholeProgram } from '../../src/cli/program.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';

const intro = `Run each command with \`npm run\`, and put its arguments after \`--\`: \`npm run till -- sell 12.50\`.
\`npm start\` needs no \`run\`. In an installed copy, or with your own Node, run
\`node src/cli/main.ts till sell 12.50\`. \`--help\` after any command prints the same information as this page.`;

/** Every command of the command line program. */
export const commandsPage = async (): Promise<string> => {
  const program = await wholeProgram();
  return page(
    pageHead('Commands', 'the command line (src/cli)', intro),
    ...program.commands.filter(isShown).flatMap((command) => parts(command, [])),
  );
};

const isShown = (command: Command): boolean => command.name() !== 'help';

const parts = (command: Command, parentNames: readonly string[]): string[] => {
  const names = [...parentNames, command.name()];
  const inner = command.commands.filter(isShown).flatMap((each) => parts(each, names));
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  const depth = '#'.repeat(Math.min(4, names.length + 1));
  const heading = `${depth} ${[...names, ...command.registeredArguments.map(argument)].join(' ').replaceAll('<', '\\<')}`;
  const about = [heading, plainText(command.description())].filter((text) => text !== '');
  return [...about, ...(isGroup ? [] : optionsOf(command)), ...inner];
};

const argument = (input: Command['registeredArguments'][number]): string => {
  const text = `${input.name()}${input.variadic ? '…' : ''}`;
  return input.required ? `<${text}>` : `[${text}]`;
};

const optionsOf = (command: Command): string[] => {
  const reports = command.registeredArguments.filter(({ description }) => description !== '');
  const rows = [
    ...reports.map((each) => [code(argument(each)), plainText(each.description)]),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description, defaultValue }) => {
        const defaultText = ['string', 'number'].includes(typeof defaultValue)
          ? ` Otherwise ${code(`${defaultValue}`)}.`
          : '';
        return [code(flags), `${plainText(description)}${defaultText === '' ? '' : `.${defaultText}`}`];
      }),
  ];
  return rows.length === 0 ? [] : [table(['', ''], rows)];
};
