/** The command line. Each error says what happened, what it means for the money, and what to do next. */
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { errorText, Fault, isFault } from '../base/fault.ts';
import { printable, withoutNumbers } from '../base/mask.ts';
import { refuseCardData } from './arguments.ts';
import { FAULT, faultJson, faultLines, print, REFUSED, tell } from './terms.ts';

type Add = (program: Command) => void;
/** `args`: the words after the command's name. Without any, every subcommand is loaded. */
type Load = (args: readonly string[]) => Promise<Add>;

/** Loaded one by one, so that a till that serves screens all day has no other command in memory. */
const commands: Readonly<Record<string, Load>> = {
  start: async () => (await import('./store/start.ts')).addStart,
  demo: async () => (await import('./demo/demo.ts')).addDemo,
  gateway: async (args) => (await import('./gateway/gateway.ts')).gatewayFor(args),
  simulate: async () => (await import('./terminals/simulate.ts')).addSimulate,
  shop: async () => (await import('./gateway/shop.ts')).addShop,
  till: async (args) => (await import('./till-commands.ts')).tillFor(args),
};

/** The command with this name, or all commands if there is none. */
const commandsNamed = (name = ''): readonly Load[] => {
  const one = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return one === undefined ? Object.values(commands) : [one];
};

const inherit = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: (text) => void process.stderr.write(withoutNumbers(text)) });
  for (const child of command.commands) inherit(child);
};

/** The command line with every command, for lists of them. */
export const wholeProgram = async (): Promise<Command> => {
  const whole = new Command('tillgate');
  for (const load of Object.values(commands)) (await load([]))(whole);
  return whole;
};

/** Runs the command line of this process. Never rejects: an error is printed and sets the exit code. */
export const main = async (argv: readonly string[] = process.argv): Promise<void> => {
  const program = new Command('tillgate').description('Point-of-sale terminal integration runtime').exitOverride();
  program.version(manifest.version);
  let running: Command | undefined;
  try {
    for (const load of commandsNamed(argv[2])) (await load(argv.slice(3)))(program);
    inherit(program);
    program.hook('preAction', (_, action) => {
      running = action;
      refuseCardData(argv.slice(2));
    });
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = await explain(error, { command: running, json: argv.includes('--json') });
  }
};

type ParsedCommand = { command: Command | undefined; json: boolean };

const explain = async (error: unknown, { command, json }: ParsedCommand): Promise<number> => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : REFUSED;
  const fault = isFault(error) ? error : new Fault('program.failed', { why: printable(errorText(error)) }, error);
  // With `--json`, an error is JSON too.
  if (json) await printFault(fault, command);
  else for (const line of faultLines(fault)) tell(line);
  // `sale.likely` is a question before a sale: nothing was started.
  return fault.remedy === 'refuse' || fault.code === 'sale.likely' ? REFUSED : FAULT;
};

/** Adds the till's mode, with code that only the till's commands load. */
const printFault = async (fault: Fault, command: Command | undefined): Promise<void> => {
  const facts = { fault: faultJson(fault) };
  if (!isOfTill(command)) return print(JSON.stringify(facts, null, 2));
  const { modeOfCommand } = await import('./till-folder.ts');
  const { printJson } = await import('./till-folder.ts');
  printJson(modeOfCommand(command), facts);
};

const isOfTill = (command: Command | null | undefined): command is Command =>
  command != null && (command.name() === 'till' || isOfTill(command.parent));
