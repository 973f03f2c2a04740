/** The channel of a settlement command: from a configuration, the gateway's own one, or known only by its id. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { errorText, isFault } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { environment } from '../../folder/machine.ts';
import type { Channel } from '../../gateway/channel.ts';
import { openStore } from '../../gateway/database/open.ts';
import { readConfig } from '../../gateway/server/config/config.ts';
import { CONFIG_VARIABLE } from '../../gateway/server/config/sources.ts';
import type { Store } from '../../gateway/store/store.ts';
import { malformed } from '../arguments.ts';
import { channelFile, channelIn, parseSecretJson } from './channels.ts';

export type ChannelOptions = { data?: string; database?: string; config?: string; entity?: string };

/** Where the gateway is, and whose payments a command is about. */
export const withChannel = (command: Command): Command =>
  command
    .option('--data <dir>', 'folder of the gateway’s database and keys (default: data)')
    .option('--database <address>', 'postgres://user:password@host/name: the database of the payments')
    .option('--config <file>', 'the gateway’s configuration, for the channel’s fees, days and folder')
    .option('--entity <id>', 'whose payments: 32 lower-case hex digits; default: the till’s, or the own channel’s')
    .option('--json', 'print the result as JSON');

/** The channel by its configuration, by the files of the folder, or by its id alone. Throws `command.malformed`. */
export const settlementChannel = ({ data, entity, config }: ChannelOptions): Channel => {
  const file = config ?? environment()[CONFIG_VARIABLE];
  const channels = file === undefined ? [] : configured(file);
  const folder = data ?? 'data';
  const own = ownChannel(folder);
  const [first, ...more] = channels;
  const entityId = entity ?? (more.length === 0 ? first?.entityId : undefined) ?? entityIn(folder);
  const found = [...channels, ...(own === undefined ? [] : [own])].find((each) => each.entityId === entityId);
  if (found === undefined && channels.length > 0 && entity !== undefined)
    throw malformed(`the configuration has no channel ${entityId}`);
  return found ?? { entityId, token: '' };
};

/** The channels of the file. Port and host are given only because a configuration needs them. */
const configured = (file: string): readonly Channel[] =>
  readConfig({ file, environment: {}, flags: { port: '0', host: '127.0.0.1' } }).channels ?? [];

const ownChannel = (data: string): Channel | undefined => {
  const file = channelFile(data);
  return existsSync(file) ? channelIn(file, () => readTextFile(file)) : undefined;
};

/** The entity id of the till in the same folder, or of the gateway's own channel. */
const entityIn = (data: string): string => {
  const till = read(join(data, 'till.json')) as { gateway?: { entityId?: unknown } } | undefined;
  const channel = read(channelFile(data)) as { entityId?: unknown } | undefined;
  const entity = till?.gateway?.entityId ?? channel?.entityId;
  if (typeof entity === 'string') return entity;
  throw malformed('use --entity to say whose payments to settle');
};

const read = (file: string): unknown =>
  existsSync(file) ? parseSecretJson(file, () => readTextFile(file)) : undefined;

/** Opens the gateway's store, runs `work` and closes it. Refuses a file that a gateway is using. */
export const withStore = async <T>(
  { data = 'data', database }: ChannelOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = await openStore(database ?? databaseIn(data));
  try {
    return await work(store);
  } catch (error) {
    if (isFault(error)) throw error;
    throw malformed(errorText(error), error);
  } finally {
    await store.close();
  }
};

const databaseIn = (data: string): string => {
  const file = join(data, 'gateway.db');
  if (existsSync(file)) return file;
  throw malformed(`there is no gateway’s database in ${data}`);
};
