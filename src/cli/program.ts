/** The command line. Every error ends as what happened, what it means for the money, and what to do next. */
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import { printable, withoutNumbers } from '../base/mask.ts';
import { addBatch } from './batch-command.ts';
import { addComplete } from './complete-command.ts';
import { addCredit } from './credit-command.ts';
import { addDemo } from './demo/demo.ts';
import { addDiagnose } from './diagnose-command.ts';
import { addGateway } from './gateway-command.ts';
import { addGift } from './gift-command.ts';
import { addIncrement } from './increment-command.ts';
import { addJournal } from './journal-command.ts';
import { addLimits } from './limits-command.ts';
import { addPair, addUnpair } from './pair-command.ts';
import { addPreauth } from './preauth-command.ts';
import { addPreauths } from './preauths-command.ts';
import { addQueue } from './queue-command.ts';
import { addReceipt } from './receipt-command.ts';
import { addRefund } from './refund-command.ts';
import { addRelease } from './release-command.ts';
import { addResolve, addSettle } from './resolve-command.ts';
import { addSales } from './sales-command.ts';
import { addSell } from './sell.ts';
import { addShop } from './shop-command.ts';
import { addSimulate } from './simulate-command.ts';
import { addStaff } from './staff-command.ts';
import { addTerminals } from './terminals-command.ts';
import { FAULT, faultJson, faultLines, print, REFUSED, tell } from './terms.ts';
import { addTip } from './tip-command.ts';
import { addTrace } from './trace-command.ts';
import { addVoid } from './void-command.ts';

const program = new Command('tillgate').description('Point-of-sale terminal integration runtime').exitOverride();
program.version(manifest.version);
addDemo(program);
addGateway(program);
addSimulate(program);
addShop(program);

const till = program.command('till').description('every action of the till: npm run till -- <command>');
const groups: Readonly<Record<string, readonly ((till: Command) => void)[]>> = {
  'Selling:': [addSell, addRefund, addVoid, addGift, addCredit, addReceipt, addSales],
  'Holding amounts on cards:': [addPreauth, addIncrement, addComplete, addTip, addRelease, addPreauths],
  'What is open:': [addQueue, addResolve, addSettle],
  'The business day:': [addBatch],
  'The store:': [addStaff, addLimits],
  'Terminals:': [addTerminals, addPair, addUnpair, addDiagnose, addTrace],
  'What happened:': [addJournal],
};
for (const [heading, group] of Object.entries(groups)) {
  till.commandsGroup(heading);
  for (const add of group) add(till);
}

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
  command.exitOverride().configureOutput({ writeErr: (text) => void process.stderr.write(withoutNumbers(text)) });
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
  const fault = isFault(error) ? error : new Fault('program.failed', { why: printable(wordsOf(error)) }, error);
  // Scripts that asked for JSON get their answer in JSON, also when it is a no.
  if (process.argv.includes('--json')) print(JSON.stringify({ fault: faultJson(fault) }, null, 2));
  else for (const line of faultLines(fault)) tell(line);
  return fault.remedy === 'refuse' ? REFUSED : FAULT;
};
