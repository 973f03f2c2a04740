/** What the till's commands share: their options, and how they open the till. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readAddress } from '../../drivers/address.ts';
import type { RunningTill, TillOptions } from '../app/start-till.ts';
import { holdTill } from '../app/stores.ts';
import { systemClock } from '../base/clock.ts';
import { errorText } from '../base/fault.ts';
import { isBaseAddress } from '../base/gateway-address.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import { formatEnglish } from '../base/placeholders.ts';
import { systemStretchCost } from '../base/stretch.ts';
import { loadConfig } from '../folder/config.ts';
import { environment, MACHINE_VARIABLE, machineIdentity } from '../folder/machine.ts';
import { displayModeOf } from '../folder/till-folder.ts';
import { modeOf } from '../folder/till-mode.ts';
import { type FolderTill, openFolderTill } from '../takeover/unsent.ts';
import { malformed } from './arguments.ts';
import { withPerson } from './person.ts';
import { indexingLine, shortLine, tell } from './terms.ts';
import { type FolderFlags, folderOf, warnOfLiveTill, warnOfPlainHttp, withFolder } from './till-folder.ts';

export type TillFlags = FolderFlags & {
  terminal?: string;
  gateway?: string;
  channel?: string;
  record?: string;
  json?: true;
  verbose?: true;
};

export const withTillOptions = (command: Command): Command =>
  withFolder(command, 'folder of the till’s journal, configuration and embedded gateway')
    .option(
      '--terminal <address>',
      'mpi+tcp://127.0.0.1:7000, mms+hid:0801:2020, zvt+serial:COM3 …; without a protocol, tries all after your consent; default: the paired one',
    )
    .option('--machine <name>', MACHINE)
    .option('--gateway <url>', 'a gateway elsewhere, instead of the embedded one: https, with a slash at its end')
    .option('--channel <entityId:token>', 'this till’s channel at that gateway')
    .option('--record <file>', 'write the conversation with the terminal into a new file, without card data')
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'print unexpected messages of the terminal');

/** A command of the till with the options that nearly all of them have. */
export const tillCommand = (parent: Command, usage: string, says: string): Command =>
  withPerson(withTillOptions(parent.command(usage).description(says)));

/** A command whose only shared options are the till's folder, the person responsible, and `--json`. */
export const folderCommand = (parent: Command, usage: string, says: string): Command =>
  withPerson(withFolder(parent.command(usage).description(says))).option('--json', 'print the result as JSON');

/** How a command opens the till of its folder. Throws as `gatewayOf`, `folderOf` and `namedTerminal` do. */
export const openingOf = async (flags: TillFlags): Promise<TillOptions> => ({
  gateway: gatewayOf(flags),
  dataDir: folderOf(flags),
  terminal: await namedTerminal(flags),
  boundTo: boundTo(flags),
  record: flags.record,
  indexing: indexingLine(),
  report(error, counter) {
    if (flags.verbose === true) tell(`${counter === undefined ? '' : `${counter}: `}${errorText(error)}`);
  },
});

/** Prints the warnings of a till that a command has opened, and what the opening ended. */
export const warnAtOpenedTill = (running: RunningTill): void => {
  warnOfLiveTill(running);
  warnOfPlainHttp(running);
  for (const sale of running.recovered) tell(`The till was stopped in the middle of a sale: ${shortLine(sale)}`);
  for (const sale of running.expired) tell(`Card data was older than it may be, and was destroyed: ${shortLine(sale)}`);
};

export const MACHINE = 'the name of this machine, for containers; default: TILLGATE_MACHINE, or the system’s own id';

/** The identity of the machine: by `--machine`, the environment or the system. Throws `command.malformed`. */
export const boundTo = ({ machine }: Pick<FolderFlags, 'machine'>): NonNullable<TillOptions['boundTo']> => ({
  identity: machineIdentity(machine ?? environment()[MACHINE_VARIABLE]),
});

export const count = (n: number, thing: string): string =>
  formatEnglish(`{n, plural, one {# ${thing}} other {# ${thing}s}}`, { n });

/** The gateway that the flags name. Undefined for none. Throws `command.malformed`. */
export const gatewayOf = ({
  gateway,
  channel,
}: Pick<TillFlags, 'gateway' | 'channel'>): { baseUrl: string; entityId: string; token: string } | undefined => {
  if (gateway === undefined && channel === undefined) return undefined;
  const [, entityId, token] = /^([0-9a-f]{32}):(.+)$/.exec(channel ?? '') ?? [];
  if (entityId === undefined || token === undefined) {
    throw malformed('--gateway needs --channel with 32 lower-case hex digits, a colon and the token');
  }
  if (gateway === undefined || !isBaseAddress(gateway)) {
    throw malformed('--channel needs --gateway with an address such as https://pay.example/');
  }
  return { baseUrl: gateway, entityId, token };
};

// The terminal that `--terminal` names. Without a protocol it is probed after consent, before the till opens.

/**
 * The full address. Undefined if none is named. Throws `terminal.unknown`, `terminal.notFound`, `terminal.several`,
 * `command.malformed` without consent, and `journal.busy` if a running till may be selling there.
 */
export const namedTerminal = async ({
  terminal,
  json,
  ...flags
}: FolderFlags & { terminal?: string; json?: true }): Promise<string | undefined> => {
  if (terminal === undefined || readAddress(terminal).driver !== undefined) return terminal;
  const folder = folderOf(flags);
  const paired = pairedIn(folder);
  // The drivers are loaded only if they are needed.
  const { addressOfNamed } = await import('./terminals/search.ts');
  return addressOfNamed(terminal, { paired, onNotTried: () => holdTill(folder)(), json });
};

/** The paired address. Creates nothing in a folder without a till. */
const pairedIn = (folder: string): string | undefined =>
  existsSync(join(folder, 'till.json')) ? loadConfig(folder, systemIds).terminal : undefined;

/** Opens the folder without gateway and terminal, runs `work` and closes it whatever happens. */
export const withFolderTill = async <T>(
  flags: FolderFlags,
  work: (till: FolderTill & { shown: DisplayMode }) => T | Promise<T>,
): Promise<T> => {
  const folder = folderOf(flags);
  const till = openFolderTill(folder, {
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    stretchCost: systemStretchCost,
  });
  try {
    warnOfLiveTill(till);
    return await work({ ...till, shown: displayModeOf(folder, modeOf(till.journal)) });
  } finally {
    till.close();
  }
};
