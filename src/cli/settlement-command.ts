/** `gateway settlement`: the settlement file of one day, as the acquirer would send it (spec 2.36). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Fault, wordsOf } from '../base/fault.ts';
import { settlementFileOf } from '../gateway/reports/settlement-file.ts';
import { openStore } from '../gateway/store/open.ts';
import { tell } from './terms.ts';
import { count } from './till-options.ts';

type Flags = { data?: string; database?: string; date?: string; out?: string; entity?: string };

export const addSettlement = (gateway: Command): void => {
  gateway
    .command('settlement')
    .description('write the settlement file of a day, for till batch reconcile')
    .option('--data <dir>', 'folder of the gateway’s database (default: data)')
    .option('--database <address>', 'postgres://user:password@host/name: the payments stand there')
    .requiredOption('--date <day>', 'YYYY-MM-DD, in UTC')
    .requiredOption('--out <file>', 'a new file')
    .option('--entity <id>', 'whose payments, 32 lower-case hex digits; without it: the till’s, or the own channel’s')
    .action((_: unknown, command: Command) => settle(command.optsWithGlobals<Flags>()));
};

const settle = async ({ data = 'data', database, date = '', out = '', entity }: Flags): Promise<void> => {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date)
    throw new Fault('command.malformed', { why: `--date is a day such as 2026-01-31, not "${date}"` });
  const store = await openStore(database ?? databaseIn(data));
  try {
    const text = await settlementFileOf(store, { entityId: entity ?? entityIn(data), date });
    writeFileSync(out, text, { flag: 'wx', mode: 0o600 });
    tell(`${out}: ${count(text.split('\n').length - 2, 'record')} of ${date}.`);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    throw new Fault('command.malformed', { why: `${out} is there already` });
  } finally {
    await store.close();
  }
};

const databaseIn = (data: string): string => {
  const file = join(data, 'gateway.db');
  if (existsSync(file)) return file;
  throw new Fault('command.malformed', { why: `there is no gateway’s database in ${data}` });
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
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Fault('config.malformed', { file, why: wordsOf(error) }, error);
  }
};
