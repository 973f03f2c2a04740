/** `till journal export --unsent`, `import`, `takeback`, `foreign`: unsent payments of one till, sent by another. */
import type { Command } from 'commander';
import type { TakenOverRow } from '../../api/contract/recovery.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { systemStretchCost } from '../../base/stretch.ts';
import type { Permission, Staff } from '../../staff/running.ts';
import { takenOverRow } from '../../takeover/service.ts';
import { openUnsent, type Passphrases, refuseWeakPassphrases } from '../../takeover/unsent-file.ts';
import { got } from '../api-client.ts';
import { type ApiFlags, withServedTill, withTillApi } from '../front-door.ts';
import { askHidden, hiddenIn } from '../hidden-input.ts';
import { type PersonFlags, personIfKnown, withPerson } from '../person.ts';
import { amountWords, FAULT, print, receiptWords, tell } from '../terms.ts';
import { type FolderFlags, printJson, printLines, withFolder } from '../till-folder.ts';
import { type CommandTill, count, type TillFlags, withFolderTill, withTill, withTillOptions } from '../till-options.ts';

type TwoPeople = PersonFlags & {
  and?: string;
  andPinFile?: string;
  passphraseFile?: string;
  andPassphraseFile?: string;
};
export type HandoverFlags = TwoPeople & FolderFlags & { unsent?: string; json?: true };

export const withTwoPeople = (command: Command): Command =>
  withPerson(command)
    .option('--and <name>', 'the second person, once people are known at this till')
    .option('--and-pin-file <file>', 'a file that holds the second person’s PIN')
    .option('--passphrase-file <file>', 'a file that holds the first person’s passphrase; else it is asked for')
    .option('--and-passphrase-file <file>', 'a file that holds the second person’s passphrase; else it is asked for');

export const addHandover = (journal: Command): void => {
  withTwoPeople(withTillOptions(journal.command('import <file>')))
    .description('take in the unsent payments of another till, and send them from here')
    .option('--key <public>', 'the other till’s public key, as somebody noted it')
    .action(importUnsent);
  withFolder(withPerson(journal.command('takeback [export]')))
    .description('send from here after all what was handed over; the gateway is asked first')
    .action(takeBack);
  withPerson(withTillOptions(journal.command('foreign')))
    .description('payments of other tills that were taken in here, and how far they are')
    .option('--send', 'try to send them now')
    .action(showTakenOver);
};

/** Everything is asked before anything is read or written. */
export const exportUnsent = async (flags: HandoverFlags & { unsent?: string }): Promise<void> => {
  const { unsent: file = '', json } = flags;
  await withFolderTill(flags, async (till) => {
    const by = await twoPeople(flags, till, 'exportJournal');
    const passphrases = await twoPassphrases(flags);
    refuseWeakPassphrases(passphrases);
    const { id, messages } = await till.exportTo(file, passphrases, by);
    if (till.copiedUpTo !== undefined) tell(copyWords(till.copiedUpTo));
    if (json === true)
      printJson(till.shown, { export: id, file, messages: messages.length, key: till.signer.publicKey });
    else {
      print(`${count(messages.length, 'message')} handed over in ${file}, export ${id}.`);
      tell('This till does not send them any more. Import the file at another till of the shop; it takes both people.');
      tell(`That till can ask for this one’s key: ${till.signer.publicKey}`);
    }
  });
};

const copyWords = ({ entry, at }: { entry: number; at: number }): string =>
  `This is a second copy, written up to entry ${entry} of ${dateTime(at)} UTC. What the till did later is not in it: ` +
  'compare the gateway’s list of payments from then on.';

type ImportFlags = TillFlags & TwoPeople & { key?: string };

const importUnsent = async (file: string, flags: ImportFlags): Promise<void> => {
  await withTill(flags, async (running) => {
    const by = await twoPeople(flags, running, 'importJournal');
    const opened = await openUnsent(textOf(file), await twoPassphrases(flags), systemStretchCost);
    if (flags.key !== undefined && flags.key !== opened.publicKey) throw new Fault('export.forged');
    const { sales, messages } = await running.takenOver.take(opened, by);
    tell(`Taken in: ${count(sales, 'sale')} with ${count(messages, 'message')} of the till ${opened.publicKey}.`);
    tellSent(await running.takenOver.drain());
    show(running.takenOver.sales().map(takenOverRow), { shown: running.shown, json: flags.json });
  });
};

const takeBack = async (exportId: string | undefined, flags: PersonFlags & FolderFlags): Promise<void> => {
  const served = await withServedTill(flags, ({ api }) => got(api['taken-over'].back.$post({ json: { exportId } })));
  const back =
    served?.result ??
    (await withFolderTill(flags, async (till) => {
      const person = await personIfKnown(flags, till, 'exportJournal');
      return { takenBack: till.takeBack(person?.name, exportId) };
    }));
  print(`${count(back.takenBack, 'message')} taken back. Send with: npm run till -- queue --send`);
};

const showTakenOver = (flags: ApiFlags & { send?: true }): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    if (flags.send === true) tellSent(await got(api['taken-over'].send.$post()));
    show(await got(api['taken-over'].$get()), { shown, json: flags.json });
  });

const tellSent = ({ done, later, parked }: { done: number; later: number; parked: number }): void =>
  tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);

const show = (
  rows: readonly TakenOverRow[],
  { shown, json }: Pick<CommandTill, 'shown'> & Pick<TillFlags, 'json'>,
): void => {
  if (rows.some(({ waiting }) => waiting)) process.exitCode = FAULT;
  if (json === true) printJson(shown, { sales: rows.map(rowJson) });
  else if (rows.length === 0) tell('No payments of other tills were taken in here.');
  else printLines({ shown }, rows.map(line));
};

const line = ({ till, receipt, amount, says, waiting }: TakenOverRow): string =>
  `${till}  ${waiting ? 'waiting' : 'settled'}  ${receiptWords(receipt)}  ${amountWords(amount)}  ${says}`;

const rowJson = ({ till, sale, receipt, amount, waiting, ending }: TakenOverRow) => ({
  ...{ till, sale, receipt, waiting, ending },
  amount: amountWords(amount),
});

/** Once people are known at this till it takes two of them, and not one twice. */
const twoPeople = async (flags: TwoPeople, till: { staff: Staff }, permission: Permission): Promise<string[]> => {
  const first = await personIfKnown(flags, till, permission);
  const { and, andPinFile } = flags;
  const named = { as: and, pinFile: andPinFile };
  const second = await personIfKnown(named, till, permission);
  if (first !== undefined && first.name === second?.name) throw new Fault('export.onePerson', { name: first.name });
  return [first, second].flatMap((person) => (person === undefined ? [] : [person.name]));
};

const twoPassphrases = async ({ passphraseFile, andPassphraseFile }: TwoPeople): Promise<Passphrases> => {
  const ask = (file: string | undefined, whose: string) =>
    file === undefined ? askHidden(`Passphrase of the ${whose} person: `) : hiddenIn(file);
  return [await ask(passphraseFile, 'first'), await ask(andPassphraseFile, 'second')];
};

const textOf = (file: string): string => {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new Fault('command.malformed', { why: `the export cannot be read: ${wordsOf(error)}` }, error);
  }
};
