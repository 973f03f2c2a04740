/** Whose settlement a command is about: the channel of a configuration, the gateway's own, or one by its name alone. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { environment } from '../../folder/machine.ts';
import type { Channel } from '../../gateway/channel.ts';
import { openStore } from '../../gateway/database/open.ts';
import { channelShape } from '../../gateway/server/config/channel-shape.ts';
import { readConfig } from '../../gateway/server/config/config.ts';
import { checked } from '../../gateway/server/config/problems.ts';
import { CONFIG_VARIABLE } from '../../gateway/server/config/sources.ts';
import type { Store } from '../../gateway/store/store.ts';

export type ChannelOptions = { data?: string; database?: string; config?: string; entity?: string };

/** What a configuration file says, the folder's own files, or no more than the id. Throws what is wrong with them. */
export const settlementChannel = ({ data, entity, config }: ChannelOptions): Channel => {
  const file = config ?? environment()[CONFIG_VARIABLE];
  const channels = file === undefined ? [] : configured(file);
  const folder = data ?? 'data';
  const own = ownChannel(folder);
  const [first, ...more] = channels;
  const entityId = entity ?? (more.length === 0 ? first?.entityId : undefined) ?? entityIn(folder);
  const found = [...channels, ...(own === undefined ? [] : [own])].find((each) => each.entityId === entityId);
  if (found === undefined && channels.length > 0 && entity !== undefined)
    throw new Fault('command.malformed', { why: `no channel of the configuration is ${entityId}` });
  return found ?? { entityId, token: '' };
};

/** Where it listens is no matter here. */
const configured = (file: string): readonly Channel[] =>
  readConfig({ file, environment: {}, flags: { port: '0', host: '127.0.0.1' } }).channels ?? [];

const ownChannel = (data: string): Channel | undefined => {
  const file = join(data, 'gateway.channel.json');
  const json = read(file);
  if (json === undefined) return undefined;
  const result = checked(channelShape, json, '');
  if ('value' in result) return result.value;
  throw new Fault('config.malformed', { file, why: result.map(({ where, why }) => `${where} ${why}`).join('; ') });
};

/** The till in the same folder, or the gateway's own channel. */
const entityIn = (data: string): string => {
  const till = read(join(data, 'till.json')) as { gateway?: { entityId?: unknown } } | undefined;
  const channel = read(join(data, 'gateway.channel.json')) as { entityId?: unknown } | undefined;
  const entity = till?.gateway?.entityId ?? channel?.entityId;
  if (typeof entity === 'string') return entity;
  throw new Fault('command.malformed', { why: 'say with --entity whose payments are to be settled' });
};

const read = (file: string): unknown => {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    // The parser's words would quote a token.
    throw new Fault('config.malformed', {
      file,
      why: error instanceof SyntaxError ? 'it is not JSON' : wordsOf(error),
    });
  }
};

/** The gateway's store, for one work. A file that another gateway works on is refused. */
export const withStore = async <T>(
  { data = 'data', database }: ChannelOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = await openStore(database ?? databaseIn(data));
  try {
    return await work(store);
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('command.malformed', { why: wordsOf(error) }, error);
  } finally {
    await store.close();
  }
};

const databaseIn = (data: string): string => {
  const file = join(data, 'gateway.db');
  if (existsSync(file)) return file;
  throw new Fault('command.malformed', { why: `there is no gateway’s database in ${data}` });
};
