/** `till terminals` and `till test-host`: what is plugged in here, and a manager's word on a maker's test host. */
import type { Command } from 'commander';
import { candidatesOf } from '../../../drivers/discovery.ts';
import { pluggedIn } from '../../../drivers/links/plugged.ts';
import { systemIds } from '../../base/ids.ts';
import { modeOfFolder } from '../../folder/till-folder.ts';
import { unlistedMessage } from '../../locales/messages/en/machine.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import { permissionToChange } from '../../staff/running.ts';
import { changeTestHost } from '../../terminals/pairing/test-host.ts';
import { type PersonFlags, personIfKnown, withPerson } from '../person.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { type PairedTerminal, pairedIn, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { candidateLine } from './terminal-words.ts';

type TerminalsFlags = FolderFlags & { json?: true };

export const addTerminals = (till: Command): void => {
  const terminals = till.command('terminals');
  withFolder(terminals, 'the till’s folder, to mark the paired terminal')
    .description('what is plugged in here that may be a terminal; nothing is touched')
    .option('--json', 'print the result as JSON')
    .action(async ({ json, ...flags }: TerminalsFlags) => {
      const folder = folderOf(flags);
      const { devices, problems: unlisted } = await pluggedIn();
      const problems = unlisted.map((one) => unlistedMessage(one).says);
      const candidates = candidatesOf(devices);
      const paired = pairedIn(folder);
      if (json === true) return printJson(modeOfFolder(folder), { candidates, problems, ...paired });
      for (const problem of problems) tell(problem);
      if (candidates.length === 0) tell('Nothing that may be a terminal is plugged in.');
      for (const candidate of candidates) print(candidateLine(candidate));
      print(pairedWords(paired));
      tell('To ask what answers, and pair it: npm run till -- pair');
    });
};

const pairedWords = ({ terminal, device }: PairedTerminal): string => {
  if (terminal === undefined) return 'This till is paired with no terminal.';
  if (device === undefined) return `This till sells on ${terminal}.`;
  return `This till is paired with ${device.model}, serial number ${device.serial}, at ${terminal}, since ${device.pairedAt} UTC.`;
};

type TestHostFlags = TillFlags & PersonFlags & { counter: string; off?: true };

/** `till test-host`: a manager's word that a terminal is at its maker's test host, so that a test till sells on it. */
export const addTestHost = (till: Command): void => {
  withPerson(
    withTillOptions(
      till
        .command('test-host')
        .description(
          'say that a terminal which asks its bank itself is at its maker’s test host: a test till sells on it',
        ),
    ),
  )
    .option('--counter <name>', 'which terminal', 'T1')
    .option('--off', 'it is at no test host any more')
    .action(say);
};

const say = (flags: TestHostFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { counter } = flags;
    const atTestHost = flags.off !== true;
    const person = await personIfKnown(flags, running, permissionToChange('device.testHost'));
    const wish = { folder: running.folder, ids: systemIds, mode: running.shown };
    const { model, serial } = changeTestHost(wish, { counter, atTestHost });
    const device = `${model} ${serial}`.trim();
    openAudit(running.journal).note(
      { on: atTestHost ? 'testHostSaid' : 'testHostDenied', counter, device },
      { name: person?.name, role: person?.role, permissions: [] },
    );
    if (flags.json === true) return printJson(running.shown, { counter, model, serial, atTestHost });
    if (atTestHost) tell(`The till sells on ${device} from now on: you said that it is at its maker’s test host.`);
    else tell(`The till does not sell on ${device} any more: it would charge real cards.`);
  });
