/** `till journal`: checks the journal, or writes out every entry that can be read. Neither changes anything. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { isFault } from '../base/fault.ts';
import { exportJournal, verifyJournal } from '../runtime/journal-tools.ts';
import { FAULT, faultLines, print, tell } from './terms.ts';

type JournalFlags = { data: string };

export const addJournal = (till: Command): void => {
  const journal = till.command('journal').description('check or save what happened');
  journal
    .command('verify')
    .description('check every entry against the chain')
    .option('--data <dir>', 'the till’s folder', 'data')
    .action(({ data }: JournalFlags) => {
      const { entries } = verifyJournal(join(data, 'journal.db'));
      print(`${entries} entries, all in order.`);
    });
  journal
    .command('export')
    .description('every entry that can be read, as JSON lines on stdout; also of a damaged journal')
    .option('--data <dir>', 'the till’s folder', 'data')
    .action(({ data }: JournalFlags) => {
      const damage = exportJournal(join(data, 'journal.db'), (entry) => print(JSON.stringify(entry)));
      if (damage === undefined) return;
      process.exitCode = FAULT;
      for (const line of isFault(damage) ? faultLines(damage) : [String(damage)]) tell(line);
    });
};
