/** The command line. Every error ends as what happened, what it means for the money, and what to do next. */
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { printable, withoutNumbers } from '../base/mask.ts';
import { refuseCardData } from './arguments.ts';
import { FAULT, faultJson, faultLines, print, REFUSED, tell } from './terms.ts';

type Add = (program: Command) => void;
/** `args` is what stands behind the command's name; nothing for all that it has. */
type Load = (args: readonly string[]) => Promise<Add>;

/** Each with what it needs: a till that serves its screens all day has nothing of the others in memory. */
const commands: Readonly<Record<string, Load>> = {
  start: async () => (await import('./store/start.ts')).addStart,
  demo: async () => (await import('./demo/demo.ts')).addDemo,
  gateway: async (args) => (await import('./gateway/gateway.ts')).gatewayFor(args),
  simulate: async () => (await import('./terminals/simulate.ts')).addSimulate,
  shop: async () => (await import('./gateway/shop.ts')).addShop,
  till: async (args) => (await import('./till-commands.ts')).tillFor(args),
};

/** The command that was asked for; all of them for whoever asks what there is, or for one that is none. */
const commandsNamed = (name = ''): readonly Load[] => {
  const one = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return one === undefined ? Object.values(commands) : [one];
};

const inherit = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: (text) => void process.stderr.write(withoutNumbers(text)) });
  for (const child of command.commands) inherit(child);
};

/** The command line with every command in it, for whoever lists them. */
export const wholeProgram = async (): Promise<Command> => {
  const whole = new Command('tillgate');
  for (const load of Object.values(commands)) (await load([]))(whole);
  return whole;
};

/** Runs a command line, this process's own. Never rejects: what went wrong is said, and is the exit code. */
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
  const fault = isFault(error) ? error : new Fault('program.failed', { why: printable(wordsOf(error)) }, error);
  // Scripts that asked for JSON get their answer in JSON, also when it is a no.
  if (json) await printFault(fault, command);
  else for (const line of faultLines(fault)) tell(line);
  // The till asks before it sells: nothing was begun.
  return fault.remedy === 'refuse' || fault.code === 'sale.likely' ? REFUSED : FAULT;
};

/** A till's mode stands there too; what reads it is not in the memory of other commands. */
const printFault = async (fault: Fault, command: Command | undefined): Promise<void> => {
  const facts = { fault: faultJson(fault) };
  if (!isOfTill(command)) return print(JSON.stringify(facts, null, 2));
  const { modeOfCommand } = await import('./till-folder.ts');
  const { printJson } = await import('./till-folder.ts');
  printJson(modeOfCommand(command), facts);
};

const isOfTill = (command: Command | null | undefined): command is Command =>
  command != null && (command.name() === 'till' || isOfTill(command.parent));
