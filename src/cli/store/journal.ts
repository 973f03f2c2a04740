/** `till journal`: verifies, seals and exports the journal, and hands unsent payments from one till to another. */
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ExportedJournal, JournalEntry } from '../../api/contract/recovery.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { booksOf, exportJournal, verifyApart, verifyApartAsJson } from '../../books/journal-tools.ts';
import { journalFile } from '../../folder/config.ts';
import { publicKeyOf } from '../../folder/keys/till-signer.ts';
import { modeOfFolder } from '../../folder/till-folder.ts';
import { amountOf } from '../../ledger/wire-money.ts';
import { unwrap, unwrapLines } from '../api-client.ts';
import { type ApiFlags, withServedTill, withTillApi } from '../front-door.ts';
import { type PersonFlags, withPerson } from '../person.ts';
import { overRefundedLines } from '../selling/resolve.ts';
import { FAULT, faultLines, print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { count, tillCommand, withFolderTill } from '../till-options.ts';
import { addHandover, exportUnsent, type HandoverFlags, withTwoPeople } from './unsent.ts';

type JournalFlags = FolderFlags & { json?: true };

export const addJournal = (till: Command): void => {
  const journal = till.command('journal').description('check, seal or export the journal; hand over unsent payments');
  const command = (name: string, description: string): Command =>
    withFolder(journal.command(name).description(description));
  withPerson(command('verify [file]', 'check every entry and seal with an independent program; also an exported file'))
    .option('--key <public>', 'the till’s public key, as noted elsewhere; default: the one in the folder')
    .option(
      '--expect <entry:hash...>',
      'what it must contain, as noted elsewhere: the last line of an earlier check, or a Z report’s hash',
    )
    .option('--json', 'print the findings as JSON')
    .action(verify);
  command('key', 'the public key of this till’s seals: note it elsewhere').action((flags: JournalFlags) => {
    const folder = folderOf(flags);
    const key = publicKeyOf(folder);
    if (key !== undefined) print(key);
    else {
      tell(`There is no key in ${folder} yet: the first start of the till creates it.`);
      process.exitCode = FAULT;
    }
  });
  withPerson(command('seal', 'seal the journal now; each day is sealed automatically')).action(seal);
  withTwoPeople(command('export', 'print every readable entry as JSON lines; also of a damaged journal'))
    .option('--json', 'print the result of --unsent as JSON')
    .option('--unsent <file>', 'instead: hand the unsent payments over to another till, in a file that two people open')
    .action((flags: HandoverFlags) => (flags.unsent === undefined ? exportLines(flags) : exportUnsent(flags)));
  addHandover(journal);
  addCopy(journal);
};

const seal = async (flags: JournalFlags & PersonFlags): Promise<void> => {
  const served = await withServedTill(flags, ({ api }) => unwrap(api.journal.seal.$post()));
  const sealed =
    served?.result ??
    (await withFolderTill(flags, ({ journal }) => {
      const entries = journal.unsealed;
      journal.seal();
      return { entries };
    }));
  const by = publicKeyOf(folderOf(flags)) ?? '';
  print(formatEnglish('{n, plural, one {# entry} other {# entries}} sealed by {by}.', { n: sealed.entries, by }));
};

type VerifyFlags = JournalFlags & PersonFlags & { key?: string; expect?: string[] };

const verify = async (file: string | undefined, flags: VerifyFlags): Promise<void> => {
  if (file === undefined) return verifyOwn(flags);
  if (!existsSync(file)) throw new Fault('journal.missing', { path: file });
  runVerifier({ path: file }, flags);
};

const verifyOwn = async (flags: VerifyFlags): Promise<void> => {
  const folder = folderOf(flags);
  const of = { key: publicKeyOf(folder), mode: modeOfFolder(folder) };
  const scratch = mkdtempSync(join(tmpdir(), 'tillgate-journal-'));
  try {
    const copy = join(scratch, 'journal.jsonl');
    // A running till holds its file. The verifier gets a copy of the entries, which is like an exported file.
    const served = await exportServed(flags, (line) => appendFileSync(copy, `${line}\n`));
    runVerifier({ path: served === undefined ? journalFile(folder) : copy, ...of }, flags);
    if (served === undefined && process.exitCode === 0) verifyBooks(journalFile(folder));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

type VerifiedFile = { path: string; key?: string | undefined; mode?: ReturnType<typeof modeOfFolder> };

const runVerifier = (file: VerifiedFile, { key = file.key, expect = [], json }: VerifyFlags): void => {
  const words = [
    file.path,
    ...(key === undefined ? [] : ['--key', key]),
    ...expect.flatMap((note) => ['--expect', note]),
  ];
  if (json === true) {
    const { status, found } = verifyApartAsJson(words);
    process.exitCode = status;
    if (found !== undefined) printJson(file.mode, found);
  } else process.exitCode = verifyApart(words);
};

/** Checks the books of a till that is not open, and prints on stderr. An open till checks them at each step. */
const verifyBooks = (path: string): void => {
  let books: ReturnType<typeof booksOf>;
  try {
    books = booksOf(path);
  } catch (error) {
    if (!isFault(error, 'journal.busy')) throw error;
    tell('The till is running: stop it to check its books too.');
    return;
  }
  const { overRefunded: off, zReports, zBroken, staleLines: linesOff } = books;
  const overRefunded = off.map(({ receipt, ...more }) => ({ receipt, amount: amountOf(more) }));
  const wrong = [...zBroken, ...overRefundedLines(overRefunded), ...linesOff];
  for (const line of wrong) tell(line);
  if (wrong.length > 0) process.exitCode = UNBALANCED;
  else tell(`The books add up to the cent; ${count(zReports, 'Z report')}, none missing or changed.`);
};

/** The exit code for an intact journal whose books do not add up. */
const UNBALANCED = 1;

const exportLines = async (flags: JournalFlags & PersonFlags): Promise<void> => {
  const served = await exportServed(flags, print);
  if (served !== undefined) {
    const { unproven } = served.result;
    if (unproven === 0) return;
    process.exitCode = FAULT;
    tell(formatEnglish('{n, plural, one {# entry fails} other {# entries fail}} the check.', { n: unproven }));
    return;
  }
  const damage = exportJournal(journalFile(folderOf(flags)), (entry) => print(JSON.stringify(entry)));
  if (damage === undefined) return;
  process.exitCode = FAULT;
  for (const line of isFault(damage) ? faultLines(damage) : [String(damage)]) tell(line);
};

/** Passes on the entries of a running till, each as a line of JSON. Does nothing if none is running. */
const exportServed = (flags: ApiFlags, write: (line: string) => void) =>
  withServedTill(flags, ({ api }) =>
    unwrapLines<JournalEntry, ExportedJournal>(api.journal.entries.$get(), (entry) => write(JSON.stringify(entry))),
  );

/** `till journal copy`: whether the second copy of journal and queue is complete. */
const addCopy = (journal: Command): void => {
  const says = 'bring the second copy (secondCopy in till.json) up to date, and show its progress';
  tillCommand(journal, 'copy', says).action((flags: ApiFlags) =>
    withTillApi(flags, async ({ api, show }) => {
      const { secondCopy } = await unwrap(api.journal.copy.$get());
      if (secondCopy === undefined) {
        show({ json: { secondCopy: null } });
        tell('There is no second copy: name a folder on another disk as secondCopy in till.json.');
        return;
      }
      const { folder, entries, behind, fault } = secondCopy;
      const text = '{entries, plural, one {# entry} other {# entries}} in {folder}, {how}.';
      const how = behind === 0 ? 'all there are' : `${behind} behind`;
      show({ json: { secondCopy }, plain: [formatEnglish(text, { entries, folder, how })] });
      if (fault === undefined && behind === 0) return;
      process.exitCode = FAULT;
      tell(`It is not up to date: ${fault ?? 'it is slow'}. Sales continue. Check that disk; it catches up by itself.`);
    }),
  );
};
