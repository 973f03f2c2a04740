/** `till journal export --unsent`, `import`, `takeback`, `foreign`: unsent payments of one till, sent by another. */
import type { Command } from 'commander';
import type { TakenOverRow } from '../../api/contract/recovery.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { type FolderTill, writeNewExport } from '../../takeover/unsent.ts';
import { unwrap } from '../api-client.ts';
import { malformed, textOfFile } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withServedTill, withTillApi } from '../front-door.ts';
import { askHidden, hiddenIn } from '../hidden-input.ts';
import { type PersonFlags, personIfKnown, signInOf, withPerson } from '../person.ts';
import { amountWords, FAULT, print, receiptWords, tell } from '../terms.ts';
import { type FolderFlags, printJson, printLines, withFolder } from '../till-folder.ts';
import { count, withFolderTill, withTillOptions } from '../till-options.ts';

type TwoPeople = PersonFlags & {
  and?: string;
  andPinFile?: string;
  passphraseFile?: string;
  andPassphraseFile?: string;
};
export type HandoverFlags = TwoPeople & FolderFlags & { unsent?: string; json?: true };

export const withTwoPeople = (command: Command): Command =>
  withPerson(command)
    .option('--and <name>', 'the second person, once this till has people')
    .option('--and-pin-file <file>', 'a file with the second person’s PIN')
    .option('--passphrase-file <file>', 'a file with the first person’s passphrase; else asks for it')
    .option('--and-passphrase-file <file>', 'a file with the second person’s passphrase; else asks for it');

export const addHandover = (journal: Command): void => {
  withTwoPeople(withTillOptions(journal.command('import <file>')))
    .description('import the unsent payments of another till, and send them from here')
    .option('--key <public>', 'the other till’s public key, as noted elsewhere')
    .action(importUnsent);
  withFolder(withPerson(journal.command('takeback [export]')))
    .description('send what was handed over from here after all; asks the gateway first')
    .action(takeBack);
  withPerson(withTillOptions(journal.command('foreign')))
    .description('payments imported from other tills, and their progress')
    .option('--send', 'try to send them now')
    .action(showTakenOver);
};

/** Asks for everything before it reads or writes anything. */
export const exportUnsent = async (flags: HandoverFlags): Promise<void> => {
  const served = await withServedTill(flags, (till) => exportServed(till, flags));
  if (served === undefined) await withFolderTill(flags, (till) => exportFromFolder(till, flags));
};

/** Confirms the export only when its file is on the disk. Until then the till goes on sending the messages. */
const exportServed = async (till: CommandSession, flags: HandoverFlags): Promise<void> => {
  const { api, shown } = till;
  const { headers, passphrases } = await twoPeopleAt(till, flags, 'exportJournal');
  const wish = { json: { passphrases } };
  const { sealed, ...exported } = await unwrap(api.journal.exports.$post(wish, { headers }));
  const { unsent: file = '' } = flags;
  writeNewExport(file, sealed);
  await unwrap(api.journal.exports[':id'].confirmation.$post({ param: { id: exported.export } }));
  printExport({ ...exported, file }, { shown, json: flags.json });
};

const exportFromFolder = async (till: FolderTill & { shown: DisplayMode }, flags: HandoverFlags): Promise<void> => {
  const { unsent: file = '', json } = flags;
  const by = await twoPeopleIn(till, flags, 'exportJournal');
  const { id, messages } = await till.exportTo(file, await twoPassphrases(flags), by);
  if (till.copiedUpTo !== undefined) tell(copyWords(till.copiedUpTo));
  const key = till.signer.publicKey;
  printExport({ export: id, file, messages: messages.length, key }, { shown: till.shown, json });
};

type ExportFacts = { export: string; file: string; messages: number; key: string };

const printExport = (exported: ExportFacts, { shown, json }: Showing): void => {
  const { messages, file, key } = exported;
  if (json === true) printJson(shown, exported);
  else {
    print(`${count(messages, 'message')} handed over in ${file}, export ${exported.export}.`);
    tell('This till does not send them any more. Import the file at another till of the shop; it takes both people.');
    tell(`That till can ask for this one’s key: ${key}`);
  }
};

const copyWords = ({ entry, at }: { entry: number; at: number }): string =>
  `This is a second copy, written up to entry ${entry} of ${dateTime(at)} UTC. What the till did later is not in it: ` +
  'compare the gateway’s list of payments from then on.';

type ImportFlags = ApiFlags & TwoPeople & { key?: string };

const importUnsent = (file: string, flags: ImportFlags): Promise<void> =>
  withTillApi(flags, async (till) => {
    const { api, shown } = till;
    const { headers, passphrases } = await twoPeopleAt(till, flags, 'importJournal');
    const sealed = textOfFile(file, (why, cause) => malformed(`the export cannot be read: ${why}`, cause));
    const wish = { json: { sealed, passphrases, key: flags.key } };
    const taken = await unwrap(api['taken-over'].$post(wish, { headers }));
    tell(`Taken in: ${count(taken.sales, 'sale')} with ${count(taken.messages, 'message')} of the till ${taken.till}.`);
    tellSent(await unwrap(api['taken-over'].send.$post()));
    show(await unwrap(api['taken-over'].$get()), { shown, json: flags.json });
  });

const takeBack = async (exportId: string | undefined, flags: PersonFlags & FolderFlags): Promise<void> => {
  const served = await withServedTill(flags, ({ api }) => unwrap(api['taken-over'].back.$post({ json: { exportId } })));
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
    if (flags.send === true) tellSent(await unwrap(api['taken-over'].send.$post()));
    show(await unwrap(api['taken-over'].$get()), { shown, json: flags.json });
  });

const tellSent = ({ done, later, parked }: { done: number; later: number; parked: number }): void =>
  tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);

type Showing = { shown: DisplayMode; json: true | undefined };

const show = (rows: readonly TakenOverRow[], { shown, json }: Showing): void => {
  if (rows.some(({ waiting }) => waiting)) process.exitCode = FAULT;
  if (json === true) printJson(shown, { sales: rows.map(rowJson) });
  else if (rows.length === 0) tell('No payments of other tills were imported here.');
  else printLines({ shown }, rows.map(line));
};

const line = ({ till, receipt, amount, says, waiting }: TakenOverRow): string =>
  `${till}  ${waiting ? 'waiting' : 'settled'}  ${receiptWords(receipt)}  ${amountWords(amount)}  ${says}`;

const rowJson = ({ till, sale, receipt, amount, waiting, ending }: TakenOverRow) => ({
  ...{ till, sale, receipt, waiting, ending },
  amount: amountWords(amount),
});

type TwoPeoplePermission = 'exportJournal' | 'importJournal';

const secondMissing = (): Fault => malformed('Two people do this together: name the second one with --and NAME');

/** The approval of the second person, and both passphrases. The till itself requires two different people. */
const twoPeopleAt = async ({ sign, who }: CommandSession, flags: TwoPeople, permission: TwoPeoplePermission) => {
  if (who !== undefined && flags.and === undefined) throw secondMissing();
  const second = await signInOf({ as: flags.and, pinFile: flags.andPinFile });
  const headers = second === undefined ? {} : await sign(permission, second);
  return { headers, passphrases: await twoPassphrases(flags) };
};

/** The names of two different people, once the till of this folder has people. */
const twoPeopleIn = async ({ staff }: FolderTill, flags: TwoPeople, permission: TwoPeoplePermission) => {
  const first = await personIfKnown(flags, { staff }, permission);
  if (first !== undefined && flags.and === undefined) throw secondMissing();
  const second = await personIfKnown({ as: flags.and, pinFile: flags.andPinFile }, { staff }, permission);
  if (first !== undefined && first.name === second?.name) throw new Fault('export.onePerson', { name: first.name });
  return [first, second].flatMap((person) => (person === undefined ? [] : [person.name]));
};

const twoPassphrases = async ({ passphraseFile, andPassphraseFile }: TwoPeople): Promise<[string, string]> => {
  const ask = (file: string | undefined, whose: string) =>
    file === undefined ? askHidden(`Passphrase of the ${whose} person: `) : hiddenIn(file);
  return [await ask(passphraseFile, 'first'), await ask(andPassphraseFile, 'second')];
};
