/** `till go-live`: prints a test till's checklist, and creates the live till beside it once a manager confirms. */
import type { Command } from 'commander';
import type { Checklist } from '../../api/contract/machine.ts';
import { liveFolder } from '../../folder/till-exists.ts';
import { unwrap } from '../api-client.ts';
import { withTillApi } from '../front-door.ts';
import { type PersonFlags, withPerson } from '../person.ts';
import { isWanted } from '../questions.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { gatewayOf, type TillFlags } from '../till-options.ts';

type GoLiveFlags = FolderFlags & PersonFlags & Pick<TillFlags, 'gateway' | 'channel' | 'json'> & { yes?: true };

const AFTERWORDS = `
The live till gets a folder of its own inside the till's folder, with this till's shop, terminals, people, printers and
limits, and begins with receipt 1. The test till stays as it is: add --test to a command to open it.`;

export const addGoLive = (till: Command): void => {
  withPerson(withFolder(till.command('go-live'), 'folder of the test till'))
    .description('what is left to do before this till takes real money; when all is done, a manager takes it live')
    .option('--gateway <url>', 'the address of the live gateway; ends in a slash')
    .option('--channel <entityId:token>', 'the shop’s live channel there')
    .option('--yes', 'ask no questions')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', AFTERWORDS)
    .action(goLive);
};

const goLive = async ({ gateway, channel, ...flags }: GoLiveFlags): Promise<void> => {
  const live = gatewayOf({ gateway, channel });
  const folder = liveFolder(folderOf(flags));
  // The channel is for the live till. The test till keeps its own.
  await withTillApi(flags, async ({ api, shown }) => {
    const tried = live && (await unwrap(api['going-live'].gateway.$post({ json: live })));
    const list = await unwrap(api['going-live'].$get());
    if (flags.json !== true) for (const line of linesOf(list)) print(line);
    // The checklist shows only a channel that the gateway accepted.
    if (tried?.answered === false && flags.json !== true) tell(tried.says.says);
    if (!(await isToGoLive(list, flags))) {
      if (flags.json === true) printJson(shown, { ...list, tried });
      return;
    }
    await unwrap(api['going-live'].$post({ json: {} }));
    if (flags.json === true) return printJson(shown, { ...list, live: folder });
    tell(`The live till is in ${folder}, and begins with receipt 1. Start it with: npm start`);
    tell('From now on real cards are charged. Use --test for the test till.');
  });
};

const titles: Readonly<Record<Checklist['rows'][number]['item'], string>> = {
  terminal: 'Terminal',
  gateway: 'Gateway',
  people: 'People',
  shop: 'Shop',
};

const linesOf = ({ rows, ready }: Checklist): string[] => [
  ...rows.flatMap(({ item, done, says, cure }) => [
    `${done ? 'done' : 'open'}  ${titles[item].padEnd(10)}${says.says}`,
    ...(cure === undefined ? [] : [`${' '.repeat(16)}${cure.says}`]),
  ]),
  ready ? 'Everything is ready to go live.' : 'Not ready to go live yet.',
];

/** With `--yes` the till itself refuses to go live before it is ready, and names what is open. */
const isToGoLive = async ({ ready }: Checklist, flags: GoLiveFlags): Promise<boolean> => {
  if (!ready) return flags.yes === true;
  return isWanted(flags, {
    question: 'From now on real cards are charged. Go live?',
    toAdd: 'Add --yes to go live.',
  });
};
