/** `till machine`, `till plain-http` and `till unseal`: the data folder's machine, gateway address and secrets. */
import type { Command } from 'commander';
import type { MachineState, PlainHttp } from '../../api/contract/machine.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { keyByCode, recoveryStretchCost } from '../../folder/keys/key-file.ts';
import { unsealSecrets } from '../../folder/keys/secrets.ts';
import { isFolderBusy } from '../../folder/till-folder.ts';
import { got, type TillApi } from '../api-client.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { askHidden } from '../hidden-input.ts';
import { withPerson } from '../person.ts';
import { isWanted } from '../questions.ts';
import { FAULT, print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { count, withTillOptions } from '../till-options.ts';

type MachineFlags = ApiFlags & { yes?: true };

const AFTERWORDS = `
A till's data folder belongs to one machine: to the system's own id of it, or to the name that --machine gives (or the
variable TILLGATE_MACHINE), as in a container, whose id is made anew or copied. On another machine nothing is sold and
nothing that waits is sent, until a manager says what the folder is there:

  npm run till -- machine moved                            it was moved, and nobody sells with it elsewhere
  npm run till -- machine copied --terminal-id 10000002    it is a copy: the original goes on selling

After each start the gateway is asked what it knows of this till. An older copy, such as yesterday's, is noticed by
that; it sells again once it has taken over what the gateway knows:

  npm run till -- machine take-over

Two tills that sell under one terminal number look like copies of each other. Take nothing over there: give one of
them a "terminalId" of its own in its till.json, and start it anew.`;

export const addMachine = (till: Command): void => {
  const machine = till
    .command('machine')
    .description('where this till’s data folder belongs, and what the gateway knows beyond it')
    .addHelpText('after', AFTERWORDS);
  withPerson(withTillOptions(machine.command('show', { isDefault: true })))
    .description('which machine the folder belongs to; asks the gateway what it knows')
    .action(show);
  withPerson(withTillOptions(machine.command('moved')))
    .description('the folder was moved here, and nobody sells with it elsewhere')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags) => say(flags, 'was moved here', (api) => got(api.machine.moved.$post())));
  withPerson(withTillOptions(machine.command('copied')))
    .description('the folder is a copy: the original goes on selling, and this till gets terminals of its own')
    .requiredOption('--terminal-id <numbers>', 'the acquirer’s numbers, one for each terminal: 10000002,10000003')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags & { terminalId: string }) => {
      const terminalIds = flags.terminalId.split(',').map((one) => one.trim());
      return say(flags, 'is a copy', (api) => got(api.machine.copied.$post({ json: { terminalIds } })));
    });
  withPerson(withTillOptions(machine.command('take-over')))
    .description('takes over what the gateway knows of this till and its folder does not')
    .action(takeOver);
};

const show = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const state = await got(api.machine.compare.$post());
    if (flags.json === true) printJson(shown, { machine: state });
    else for (const line of linesOf(state)) print(line);
    const isHeld = state.binding === 'elsewhere' || state.comparison?.state === 'behind';
    if (isHeld) process.exitCode = FAULT;
  });

const bindings: Readonly<Record<MachineState['binding'], string>> = {
  here: 'The data folder belongs to this machine.',
  unbound:
    'This machine cannot be told from others: a copy of the data folder would not be noticed. Give it a name: --machine.',
  elsewhere:
    'The data folder belongs to another machine: nothing is sold here, and nothing that waits is sent. Say what it is: till machine moved, or till machine copied.',
};

const linesOf = ({ binding, comparison }: MachineState): string[] => [
  bindings[binding],
  ...(comparison === undefined ? [] : [comparedLine(comparison)]),
];

const comparedLine = (comparison: NonNullable<MachineState['comparison']>): string => {
  if (comparison.state === 'compared') return 'The gateway has no sales of this till that are missing here.';
  if (comparison.state === 'behind')
    return `The gateway knows ${count(comparison.sales, 'sale')} of this till’s terminal number that this folder does not. If it is an older copy: till machine take-over. If another till sells under the same number, give this one a "terminalId" of its own in till.json.`;
  return comparison.refused === undefined
    ? 'Not compared with the gateway: it did not answer.'
    : `Not compared with the gateway: it gives no list, ${comparison.refused}.`;
};

const say = (flags: MachineFlags, what: string, act: (api: TillApi) => Promise<unknown>): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const { binding } = await got(api.machine.$get());
    const asked = { question: `This folder ${what}?`, toAdd: 'Add --yes to say so.' };
    if (binding === 'elsewhere' && !(await isWanted(flags, asked))) return;
    await act(api);
    if (flags.json === true) printJson(shown, { machine: { said: what } });
    else tell(`Noted: this folder ${what}. It holds from the next command on.`);
  });

const takeOver = (flags: MachineFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const taken = await got(api.machine['take-over'].$post());
    if (flags.json === true) return printJson(shown, { taken });
    print(`Taken over from the gateway: ${count(taken.sales, 'sale')}.`);
    if (taken.left > 0)
      print(`${taken.left} are not decided there yet: take them over later. Nothing is sold until then.`);
    if (taken.setAside > 0)
      print(`Set aside, because they may have been voided since: ${count(taken.setAside, 'message')}. See till queue.`);
  });

const PLAIN_HTTP_AFTERWORDS = `
A till sends its token and its payments over https, or to this machine. Over plain http everybody on the way can read
them, and pay with the token: nothing is sold, and nothing is sent there. Within a private network (10.0.0.0/8,
172.16.0.0/12, 192.168.0.0/16, fc00::/7, link-local addresses, and names without a dot or under local, lan, internal,
home.arpa) a manager can allow one address:

  npm run till -- plain-http allow http://10.0.0.5:8700/ --as Mia
  npm run till -- plain-http end http://10.0.0.5:8700/ --as Mia`;

/** `till plain-http`: a manager's permission for a gateway in a private network that has no encryption. */
export const addPlainHttp = (till: Command): void => {
  const command = till
    .command('plain-http')
    .description('payments over plain http to a gateway in a private network: allowed by a manager, or not at all')
    .addHelpText('after', PLAIN_HTTP_AFTERWORDS);
  withPerson(withTillOptions(command.command('show', { isDefault: true })))
    .description('whether the way to the gateway is encrypted, and what was allowed')
    .action(showPlainHttp);
  withPerson(withTillOptions(command.command('allow <address>')))
    .description('a manager allows this address, whoever is in that network')
    .option('--yes', 'ask no questions')
    .action(allow);
  withPerson(withTillOptions(command.command('end <address>')))
    .description('from now on nothing is sent to this address')
    .action((address: string, flags: MachineFlags) =>
      set({ address, allowed: false }, flags, `Nothing is sent to ${address} any more.`),
    );
};

const showPlainHttp = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const { plainHttp } = await got(api.machine.$get());
    if (flags.json === true) printJson(shown, { plainHttp: plainHttp ?? null });
    else print(lineOf(plainHttp));
  });

const lineOf = (plain: PlainHttp | undefined): string => {
  if (plain === undefined) return 'The way to the gateway is encrypted, or does not leave this machine.';
  const { address, reach, permission } = plain;
  if (permission.state === 'allowed')
    return `${address} is plain http, allowed${permission.by === undefined ? '' : ` by ${permission.by}`} on ${dateTime(permission.at)} UTC.`;
  if (permission.state === 'usedBefore')
    return `${address} is plain http, and was in use before a manager was asked: it goes on.`;
  return reach === 'elsewhere'
    ? `${address} is plain http over a network that anybody may be in: nothing is sold, and nothing is sent there.`
    : `${address} is plain http, and no manager has allowed it: nothing is sold, and nothing is sent there.`;
};

const set = (wish: { address: string; allowed: boolean }, flags: MachineFlags, says: string): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    await got(api.machine['plain-http'].$post({ json: wish }));
    if (flags.json === true) printJson(shown, wish);
    else tell(says);
  });

const allow = async (address: string, flags: MachineFlags): Promise<void> => {
  const asked = {
    question: `Allow ${address}?`,
    toAdd: 'Add --yes to allow it.',
    know: 'Whoever is in that network, by cable or Wi-Fi, can read payments and the token, and can pay with it.',
  };
  if (!(await isWanted(flags, asked))) return;
  const says = `Payments go to ${address} over plain http from now on. End it: till plain-http end`;
  await set({ address, allowed: true }, flags, says);
};

/** `till unseal`: takes the till's secrets out of this machine's key store, for use without the window. */
export const addUnseal = (till: Command): void => {
  withFolder(till.command('unseal'))
    .description('opens the till’s secrets with the recovery code, for commands beside the till’s own window')
    .action(async (flags: FolderFlags) => {
      const folder = folderOf(flags);
      if (isFolderBusy(folder)) throw new Fault('secrets.tillRuns', { data: folder });
      const code = await askHidden('Recovery code: ');
      // One window has both tills, and one key: it lies with the test till, also where the live one is unsealed.
      const key =
        (await keyByCode(folder, code, recoveryStretchCost)) ??
        (await keyByCode(flags.data, code, recoveryStretchCost));
      if (key === undefined) throw new Fault('secrets.wrongCode');
      unsealSecrets(folder, key);
      tell(
        'The secrets lie open in till.secrets.json again, for this user alone. The window seals them when it starts.',
      );
    });
};
