/** `till go-live`: the checklist of a test till, and the act of a manager that begins the live till beside it. */
import type { Command } from 'commander';
import { openGoingLive } from '../../app/going-live/service.ts';
import { systemClock as clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemIds as ids, systemRandom as random } from '../../base/ids.ts';
import { liveFolder } from '../../folder/till-begun.ts';
import { type PersonFlags, personOf, withPerson } from '../person.ts';
import { isWanted } from '../terminals/terminal-words.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, printJson, withFolder } from '../till-folder.ts';
import { type CommandTill, gatewayOf, type TillFlags, withTill } from '../till-options.ts';

type GoingLiveService = ReturnType<typeof openGoingLive>;
type Checklist = Awaited<ReturnType<GoingLiveService['checklist']>>;

type GoLiveFlags = FolderFlags & PersonFlags & Pick<TillFlags, 'gateway' | 'channel' | 'json'> & { yes?: true };

const AFTERWORDS = `
The live till gets a folder of its own inside the till's folder, with this till's shop, terminals, people, printers and
limits, and begins with receipt 1. The test till stays as it is: add --test to a command to open it.`;

export const addGoLive = (till: Command): void => {
  withPerson(withFolder(till.command('go-live'), 'folder of the test till'))
    .description('what is left to do before this till takes real money; with everything done, a manager takes it live')
    .option('--gateway <url>', 'the address of the live gateway; ends in a slash')
    .option('--channel <entityId:token>', 'the shop’s live channel there')
    .option('--yes', 'ask no questions')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', AFTERWORDS)
    .action(goLive);
};

const goLive = ({ gateway, channel, ...flags }: GoLiveFlags): Promise<void> =>
  // The channel is for the live till: this one goes on with its own.
  withTill(flags, async (running) => {
    const live = gatewayOf({ gateway, channel });
    const service = openGoingLive({
      running,
      dataDir: running.folder,
      mode: running.shown,
      clock,
      ids,
      random,
      report: (error) => tell(error instanceof Error ? error.message : String(error)),
      restart: async () => {},
      isSelling: () => false,
    });
    const tried = live && (await service.tryGateway(live));
    const list = await service.checklist();
    if (flags.json !== true) for (const line of linesOf(list)) print(line);
    // The checklist knows a channel that was let in, and no other.
    if (tried?.answered === false && flags.json !== true) tell(tried.says.says);
    if (!(await isReadyAndWanted(list, flags))) {
      if (flags.json === true) printJson(running.shown, { ...list, tried });
      return;
    }
    await act(service, running, flags);
    const folder = liveFolder(running.folder);
    if (flags.json === true) return printJson(running.shown, { ...list, live: folder });
    tell(`The live till is in ${folder}, and begins with receipt 1. Start it with: npm start`);
    tell('From now on real cards are charged. The test till opens with --test.');
  });

const act = async (service: GoingLiveService, running: CommandTill, flags: GoLiveFlags): Promise<void> => {
  const { name, role } = await personOf(flags, running, 'goLive');
  await service.goLive(undefined, { name, role, permissions: ['goLive'] });
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
  ready ? 'All is ready to go live.' : 'Not ready to go live yet.',
];

/** Throws `live.notReady` for somebody who said yes beforehand. */
const isReadyAndWanted = async ({ rows, ready }: Checklist, flags: GoLiveFlags): Promise<boolean> => {
  if (ready)
    return isWanted(flags, {
      question: 'From now on real cards are charged. Go live?',
      toAdd: 'Add --yes to go live.',
    });
  if (flags.yes !== true) return false;
  const open = rows.filter(({ done }) => !done).map(({ item }) => item);
  throw new Fault('live.notReady', { open: open.join(',') });
};
