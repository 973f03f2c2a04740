/** The command line. Every error ends as what happened, what it means for the money, and what to do next. */
import { Command, CommanderError } from 'commander';
import { isFault, wordsOf } from '../base/fault.ts';
import { addDemo } from './demo/demo.ts';
import { addGateway } from './gateway-command.ts';
import { addJournal } from './journal-command.ts';
import { addQueue, addReceipt, addSales } from './look.ts';
import { addRefund, addSell } from './sell.ts';
import { addSimulate } from './simulate-command.ts';
import { FAULT, faultLines, REFUSED, tell } from './terms.ts';

const program = new Command('tillgate').description('Point-of-sale terminal integration runtime').exitOverride();
addDemo(program);
addGateway(program);
addSimulate(program);

const till = program.command('till').description('every action of the till, for scripts');
for (const add of [addSell, addRefund, addReceipt, addSales, addQueue, addJournal]) add(till);

for (const verb of ['start', 'desktop']) {
  program
    .command(verb, { hidden: true })
    .allowUnknownOption()
    .action(() => {
      tell(`The till’s screens are not part of this version. Sell from the command line: npm run till -- sell 12.50`);
      process.exitCode = REFUSED;
    });
}

const inherit = (command: Command): void => {
  command.exitOverride();
  for (const child of command.commands) inherit(child);
};
inherit(program);

/** Runs the command line of this process. Never rejects: what went wrong is said, and is the exit code. */
export const main = async (): Promise<void> => {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = explain(error);
  }
};

const explain = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : REFUSED;
  if (isFault(error)) {
    for (const line of faultLines(error)) tell(line);
    return error.remedy === 'refuse' ? REFUSED : FAULT;
  }
  // Whatever this is, it is our mistake; the journal has what happened so far.
  tell(`Something unforeseen went wrong: ${wordsOf(error)}.`);
  tell('What was written down is safe. Start again: the till brings open sales to an end by itself.');
  return FAULT;
};
