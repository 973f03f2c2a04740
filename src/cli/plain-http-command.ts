/** `till plain-http`: a manager's permission for a gateway in a private network that has no encryption. */
import type { Command } from 'commander';
import { dateTime } from '../base/clock.ts';
import { deskOf } from './machine-command.ts';
import { actorIfKnown, type PersonFlags, withPerson } from './person.ts';
import { printJson } from './shown-mode.ts';
import { isWanted } from './terminal-words.ts';
import { print, tell } from './terms.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type PlainHttp = NonNullable<ReturnType<ReturnType<typeof deskOf>['state']>['plainHttp']>;
type PlainHttpFlags = TillFlags & PersonFlags & { yes?: true };

const AFTERWORDS = `
A till sends its token and its payments over https, or to this machine. Over plain http everybody on the way can read
them, and pay with the token: nothing is sold, and nothing is sent there. Within a private network (10.0.0.0/8,
172.16.0.0/12, 192.168.0.0/16, fc00::/7, link-local addresses, and names without a dot or under local, lan, internal,
home.arpa) a manager can allow one address:

  npm run till -- plain-http allow http://10.0.0.5:8700/ --as Mia
  npm run till -- plain-http end http://10.0.0.5:8700/ --as Mia`;

export const addPlainHttp = (till: Command): void => {
  const command = till
    .command('plain-http')
    .description('payments over plain http to a gateway in a private network: allowed by a manager, or not at all')
    .addHelpText('after', AFTERWORDS);
  withTillOptions(command.command('show', { isDefault: true }))
    .description('whether the way to the gateway is encrypted, and what was allowed')
    .action(show);
  withPerson(withTillOptions(command.command('allow <address>')))
    .description('a manager allows this address, whoever is in that network')
    .option('--yes', 'ask no questions')
    .action(allow);
  withPerson(withTillOptions(command.command('end <address>')))
    .description('from now on nothing is sent to this address')
    .action((address: string, flags: PlainHttpFlags) =>
      withTill(flags, async (running) => {
        await set({ address, allowed: false }, flags, running);
        if (flags.json !== true) tell(`Nothing is sent to ${address} any more.`);
      }),
    );
};

const show = (flags: TillFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const plainHttp = running.place.plain.state();
    if (flags.json === true) printJson(running.shown, { plainHttp: plainHttp ?? null });
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

const set = async (
  wish: { address: string; allowed: boolean },
  flags: PlainHttpFlags,
  running: CommandTill,
): Promise<void> => {
  const by = await actorIfKnown(flags, running, 'changeGateway');
  deskOf(running).setPlainHttp(wish, by);
  if (flags.json === true) printJson(running.shown, wish);
};

const allow = (address: string, flags: PlainHttpFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const asked = {
      question: `Allow ${address}?`,
      toAdd: 'Add --yes to allow it.',
      know: 'Whoever is in that network, by cable or Wi-Fi, can read payments and the token, and can pay with it.',
    };
    if (!(await isWanted(flags, asked))) return;
    await set({ address, allowed: true }, flags, running);
    if (flags.json !== true) tell(`Payments go to ${address} over plain http from now on. End it: till plain-http end`);
  });
