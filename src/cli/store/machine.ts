/** `till machine`, `till plain-http` and `till unseal`: the data folder's machine, gateway address and secrets. */
import type { Command } from 'commander';
import type { MachineState, PlainHttp } from '../../api/contract/machine.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { keyByCode, recoveryStretchCost } from '../../folder/keys/key-file.ts';
import { unsealSecrets } from '../../folder/keys/secrets.ts';
import { isFolderBusy } from '../../folder/till-folder.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { askHidden } from '../hidden-input.ts';
import { withPerson } from '../person.ts';
import { isWanted } from '../questions.ts';
import { FAULT, tell } from '../terms.ts';
import { type FolderFlags, folderOf, withFolder } from '../till-folder.ts';
import { count, tillCommand, withTillOptions } from '../till-options.ts';

type MachineFlags = ApiFlags & { yes?: true };

const AFTERWORDS = `
A till's data folder belongs to one machine, identified by the system's own id or by the name in --machine (or the
variable TILLGATE_MACHINE). Containers need a name, because their ids change or are copied. On another machine nothing
is sold or sent until a manager says what the folder is:

  npm run till -- machine moved                            it was moved, and nobody sells with it elsewhere
  npm run till -- machine copied --terminal-id 10000002    it is a copy: the original continues to sell

After each start the till asks the gateway what it knows of this till, and so notices an older copy of the folder, such
as yesterday's. The copy sells again once it has taken over what the gateway knows:

  npm run till -- machine take-over

Two tills with the same terminal number look like copies of each other. Take nothing over then: give one of them its
own "terminalId" in till.json, and restart it.`;

export const addMachine = (till: Command): void => {
  const machine = till
    .command('machine')
    .description('which machine this till’s data folder belongs to, and what the gateway knows beyond it')
    .addHelpText('after', AFTERWORDS);
  withPerson(withTillOptions(machine.command('show', { isDefault: true })))
    .description('which machine the folder belongs to, and whether the gateway knows more')
    .action(showMachine);
  tillCommand(machine, 'moved', 'the folder was moved here, and nobody sells with it elsewhere')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags) => say(flags, 'was moved here', (api) => unwrap(api.machine.moved.$post())));
  const copied = 'the folder is a copy: the original continues to sell, and this till gets its own terminals';
  tillCommand(machine, 'copied', copied)
    .requiredOption('--terminal-id <numbers>', 'the acquirer’s numbers, one for each terminal: 10000002,10000003')
    .option('--yes', 'ask no questions')
    .action((flags: MachineFlags & { terminalId: string }) => {
      const terminalIds = flags.terminalId.split(',').map((one) => one.trim());
      return say(flags, 'is a copy', (api) => unwrap(api.machine.copied.$post({ json: { terminalIds } })));
    });
  tillCommand(machine, 'take-over', 'add what the gateway knows of this till and the folder lacks').action(takeOver);
};

const showMachine = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const state = await unwrap(api.machine.compare.$post());
    show({ json: { machine: state }, plain: linesOf(state) });
    const isHeld = state.binding === 'elsewhere' || state.comparison?.state === 'behind';
    if (isHeld) process.exitCode = FAULT;
  });

const bindings: Readonly<Record<MachineState['binding'], string>> = {
  here: 'The data folder belongs to this machine.',
  unbound:
    'This machine has no identity, so a copy of the data folder would not be noticed. Give it a name with --machine.',
  elsewhere:
    'The data folder belongs to another machine: nothing is sold or sent here. Say what it is: till machine moved, or till machine copied.',
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
  withTillApi(flags, async ({ api, show }) => {
    const { binding } = await unwrap(api.machine.$get());
    const consent = { question: `This folder ${what}?`, toAdd: 'Add --yes to say so.' };
    if (binding === 'elsewhere' && !(await isWanted(flags, consent))) return;
    await act(api);
    const says = `Noted: this folder ${what}. It applies from the next command on.`;
    show({ json: { machine: { said: what } }, says });
  });

const takeOver = (flags: MachineFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const taken = await unwrap(api.machine['take-over'].$post());
    const { sales, left, setAside } = taken;
    const later = '{left, plural, one {# is} other {# are}} not decided there yet: take over again later.';
    const plain = [
      `Taken over from the gateway: ${count(sales, 'sale')}.`,
      left > 0 && `${formatEnglish(later, { left })} Nothing is sold until then.`,
      setAside > 0 &&
        `Set aside, because they may have been voided since: ${count(setAside, 'message')}. See till queue.`,
    ];
    show({ json: { taken }, plain: plain.filter((line) => line !== false) });
  });

const PLAIN_HTTP_AFTERWORDS = `
A till sends its token and its payments over https, or within this machine. Over plain http others can read them and
pay with the token, so nothing is sold or sent that way. Within a private network (10.0.0.0/8,
172.16.0.0/12, 192.168.0.0/16, fc00::/7, link-local addresses, and names without a dot or under local, lan, internal,
home.arpa) a manager can allow one address:

  npm run till -- plain-http allow http://10.0.0.5:8700/ --as Mia
  npm run till -- plain-http end http://10.0.0.5:8700/ --as Mia`;

/** `till plain-http`: a manager's permission for a gateway in a private network that has no encryption. */
export const addPlainHttp = (till: Command): void => {
  const command = till
    .command('plain-http')
    .description('payments over plain http to a gateway in a private network, which a manager must allow')
    .addHelpText('after', PLAIN_HTTP_AFTERWORDS);
  withPerson(withTillOptions(command.command('show', { isDefault: true })))
    .description('whether the connection to the gateway is encrypted, and what was allowed')
    .action(showPlainHttp);
  tillCommand(command, 'allow <address>', 'allow this address, although others may be in that network')
    .option('--yes', 'ask no questions')
    .action(allow);
  tillCommand(command, 'end <address>', 'send nothing to this address from now on').action(
    (address: string, flags: MachineFlags) =>
      set({ address, allowed: false }, flags, `Nothing is sent to ${address} any more.`),
  );
};

const showPlainHttp = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const { plainHttp } = await unwrap(api.machine.$get());
    show({ json: { plainHttp: plainHttp ?? null }, plain: [lineOf(plainHttp)] });
  });

const lineOf = (plain: PlainHttp | undefined): string => {
  if (plain === undefined) return 'The connection to the gateway is encrypted, or does not leave this machine.';
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
  withTillApi(flags, async ({ api, show }) => {
    await unwrap(api.machine['plain-http'].$post({ json: wish }));
    show({ json: wish, says });
  });

const allow = async (address: string, flags: MachineFlags): Promise<void> => {
  const consent = {
    question: `Allow ${address}?`,
    toAdd: 'Add --yes to allow it.',
    know: 'Anybody in that network, by cable or Wi-Fi, can read payments and the token, and can pay with it.',
  };
  if (!(await isWanted(flags, consent))) return;
  const says = `Payments go to ${address} over plain http from now on. End it: till plain-http end`;
  await set({ address, allowed: true }, flags, says);
};

/** `till unseal`: opens the till's sealed secrets with the recovery code, for use without the till's window. */
export const addUnseal = (till: Command): void => {
  withFolder(till.command('unseal'))
    .description('open the till’s secrets with the recovery code, for use without the till’s window')
    .action(async (flags: FolderFlags) => {
      const folder = folderOf(flags);
      if (isFolderBusy(folder)) throw new Fault('secrets.tillRuns', { data: folder });
      const code = await askHidden('Recovery code: ');
      // Test till and live till share one window and one key, which is stored with the test till.
      const key =
        (await keyByCode(folder, code, recoveryStretchCost)) ??
        (await keyByCode(flags.data, code, recoveryStretchCost));
      if (key === undefined) throw new Fault('secrets.wrongCode');
      unsealSecrets(folder, key);
      tell(
        'The secrets in till.secrets.json are open again, readable by this user only. The window seals them when it starts.',
      );
    });
};
