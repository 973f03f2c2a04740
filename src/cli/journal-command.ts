/** `till journal`: checks, seals and saves what happened, and hands unsent payments from one till to another. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { isFault } from '../base/fault.ts';
import { exportJournal, verifyApart } from '../runtime/journal-tools.ts';
import { publicKeyOf } from '../runtime/till-signer.ts';
import { addCopy } from './copy-command.ts';
import { withFolderTill } from './folder-till.ts';
import { addHandover, exportUnsent, type HandoverFlags, withTwoPeople } from './handover-command.ts';
import { FAULT, faultLines, print, tell } from './terms.ts';

type JournalFlags = { data: string; json?: true };

export const addJournal = (till: Command): void => {
  const journal = till.command('journal').description('check, seal or save what happened; hand over what is unsent');
  const command = (name: string, description: string): Command =>
    journal.command(name).description(description).option('--data <dir>', 'the till’s folder', 'data');
  command('verify [file]', 'check every entry and seal, by a program that trusts nothing else; also an exported file')
    .option('--key <public>', 'the till’s public key as somebody noted it; else the one in the folder')
    .option('--json', 'print what was found as JSON')
    .action(verify);
  command('key', 'the public key that this till’s journal is sealed with: note it elsewhere').action(
    ({ data }: JournalFlags) => {
      const key = publicKeyOf(data);
      if (key !== undefined) print(key);
      else {
        tell(`There is no key in ${data} yet: it is made when the till is started first.`);
        process.exitCode = FAULT;
      }
    },
  );
  command('seal', 'seal all there is now; days are sealed by themselves').action(({ data }: JournalFlags) =>
    withFolderTill(data, ({ journal: open, signer }) => {
      const before = open.unsealed;
      open.seal();
      print(`${before === 1 ? '1 entry' : `${before} entries`} sealed by ${signer.publicKey}.`);
    }),
  );
  withTwoPeople(command('export', 'every entry that can be read, as JSON lines on stdout; also of a damaged journal'))
    .option('--json', 'print what was handed over as JSON')
    .option('--unsent <file>', 'instead: hand what is unsent over to another till, in a file that takes two to open')
    .action((flags: HandoverFlags) => (flags.unsent === undefined ? exportLines(flags) : exportUnsent(flags)));
  addHandover(journal);
  addCopy(journal);
};

const verify = (file: string | undefined, { data, key, json }: JournalFlags & { key?: string }): void => {
  const known = key ?? (file === undefined ? publicKeyOf(data) : undefined);
  process.exitCode = verifyApart([
    file ?? join(data, 'journal.db'),
    ...(known === undefined ? [] : ['--key', known]),
    ...(json === true ? ['--json'] : []),
  ]);
};

const exportLines = ({ data }: JournalFlags): void => {
  const damage = exportJournal(join(data, 'journal.db'), (entry) => print(JSON.stringify(entry)));
  if (damage === undefined) return;
  process.exitCode = FAULT;
  for (const line of isFault(damage) ? faultLines(damage) : [String(damage)]) tell(line);
};
