/** `gateway vault` and `gateway schedules`: the keys and the schedules of a gateway, in its own database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { dateTime, systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemRandom } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { printAmount, printMoney } from '../../base/money.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { openStore } from '../../gateway/database/open.ts';
import type { Schedule } from '../../gateway/store/schedule-store.ts';
import type { Store } from '../../gateway/store/store.ts';
import { type Keyring, openKeyring, VAULT_FILE } from '../../gateway/vault/keyring.ts';
import { rotateVault } from '../../gateway/vault/upkeep.ts';
import { openVault, proveVault, type Vault } from '../../gateway/vault/vault.ts';
import { refreshSecrets } from '../../gateway/webhooks/delivery.ts';
import { malformed, optionsOf } from '../arguments.ts';
import { FAULT, print, progressBar, tell } from '../terms.ts';

// Opens the data of a gateway for a command. Nothing is created.

export type OpenedGateway = { store: Store; keyring: Keyring; vault: Vault };
export type GatewayFlags = { data: string; database?: string; json?: true };
/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one: then no key file is read. */
type GatewayPlace = GatewayFlags & { vaultKey: string | undefined };

/** The options that say where the gateway is and how the result is printed. */
export const withPlace = (command: Command): Command =>
  command
    .option('--data <dir>', 'folder of the gateway’s database and keys', 'data')
    .option('--database <url>', 'postgres://…: the database, if it is not in the folder')
    .option('--json', 'print the result as JSON');

/**
 * Opens the gateway and creates nothing: lost keys must not be replaced by new ones. Throws `command.malformed` and
 * `vault.damaged` if there is no gateway, and what opening throws.
 */
export const withGateway = async <T>(
  { data, database, vaultKey }: GatewayPlace,
  work: (open: OpenedGateway) => Promise<T>,
): Promise<T> => {
  const keyFile = join(data, VAULT_FILE);
  const file = join(data, 'gateway.db');
  if (database === undefined && !existsSync(file)) {
    throw malformed(`There is no gateway in ${data}: ${file} is missing`);
  }
  if (vaultKey === undefined && !existsSync(keyFile)) {
    throw new Fault('vault.damaged', { from: keyFile, why: 'there is no such file' });
  }
  const store = await openStore(database ?? file);
  try {
    const keyring = openKeyring({ at: { dataDir: data }, given: vaultKey, random: systemRandom, clock: systemClock });
    const vault = openVault(keyring, systemRandom);
    await proveVault(store, vault);
    return await work({ store, keyring, vault });
  } finally {
    await store.close();
  }
};

/** Counting reads whole records, so it stops here and says "at least". */
const COUNT_MAX = 50_000;
const ACCOUNTS = '{count, plural, one {stored account} other {stored accounts}}';

/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one: then no key file is read. */
export const addVault = (gateway: Command, vaultKey?: string): void => {
  const vault = gateway.command('vault').description('the keys of the stored accounts');
  withPlace(vault.command('status'))
    .description('all keys, and the number of stored accounts encrypted with each')
    .action((_: unknown, command: Command) => {
      const flags = optionsOf<GatewayFlags>(command);
      return withGateway({ ...flags, vaultKey }, (open) => status(open, flags.json === true));
    });
  withPlace(vault.command('rotate'))
    .description('create a new key and encrypt all stored accounts with it; also while a gateway runs on PostgreSQL')
    .option('--same-key', 'create no new key: only continue an interrupted rotation')
    .action((_: unknown, command: Command) => {
      const flags = optionsOf<GatewayFlags & { sameKey?: true }>(command);
      return withGateway({ ...flags, vaultKey }, async (open) => {
        // Keys from outside are renewed there. What remains to do here is to put the records under the first of them.
        if (flags.sameKey !== true && vaultKey === undefined) open.keyring.renew();
        await rotate(open, flags.json === true);
      });
    });
};

const status = async ({ store, keyring, vault }: OpenedGateway, json: boolean): Promise<void> => {
  const found = await store.sealedUnderOther('', COUNT_MAX);
  const isAll = found.length < COUNT_MAX;
  const counts = new Map<string, number>();
  for (const { sealed } of found)
    if (sealed !== undefined) counts.set(sealed.keyId, (counts.get(sealed.keyId) ?? 0) + 1);
  const known = keyring.list();
  const missing = [...counts.keys()].filter((id) => !known.some((key) => key.id === id));
  const keys = [...known, ...missing.map((id) => ({ id, missing: true }))].map((key) => ({
    ...key,
    current: key.id === vault.keyId() || undefined,
    records: counts.get(key.id) ?? 0,
  }));
  if (json) return print(JSON.stringify({ from: keyring.from, keys, complete: isAll }, null, 2));
  for (const key of keys) {
    const notes = [
      key.current ? 'seals' : 'missing' in key ? 'KEY MISSING' : 'opens',
      'madeAt' in key ? key.madeAt : '',
    ];
    const accounts = formatEnglish(ACCOUNTS, { count: key.records });
    print(`${key.id}  ${String(key.records).padStart(8)} ${accounts}  ${notes.join('  ').trimEnd()}`);
  }
  if (!isAll) print(`At least: only the first ${COUNT_MAX} were counted.`);
};

const rotate = async ({ store, vault }: OpenedGateway, json: boolean): Promise<void> => {
  const keyId = vault.keyId();
  const bar = progressBar((await store.sealedUnderOther(keyId, COUNT_MAX)).length);
  const { rewrapped, broken } = await rotateVault({ store, vault, onProgress: bar.at });
  bar.end();
  // The secrets of webhooks are encrypted with the same keys.
  await refreshSecrets({ store, vault, clock: systemClock });
  if (json) print(JSON.stringify({ keyId, rewrapped, broken }, null, 2));
  else print(`${rewrapped} ${formatEnglish(ACCOUNTS, { count: rewrapped })} encrypted with key ${keyId}.`);
  if (broken.length === 0) return;
  process.exitCode = FAULT;
  tell(
    `Stored accounts that cannot be decrypted and stay as they are: ${broken.length} (${broken.slice(0, 10).join(', ')})`,
  );
  tell('Nothing was charged. Ask these customers for their cards again, and call support.');
};

// `gateway schedules`: the schedules, when each is due next, and why it has ended.

const LIMIT_MAX = 10_000;

export const addSchedules = (gateway: Command, vaultKey?: string): void => {
  const schedules = gateway.command('schedules').description('recurring payments');
  withPlace(schedules.command('list'))
    .description('the newest first; a gateway on SQLite must be stopped')
    .option('--active', 'only active ones')
    .option('--limit <n>', 'how many to read', '100')
    .action((_: unknown, command: Command) => {
      const { active = false, limit, ...flags } = optionsOf<GatewayFlags & { active?: true; limit: string }>(command);
      return withGateway({ ...flags, vaultKey }, async ({ store }) => {
        const found = await store.schedules.schedules({ limit: limitOf(limit) });
        const wanted = found.filter(({ state }) => !active || state === 'active');
        if (flags.json === true) return print(JSON.stringify(wanted.map(scheduleFacts), null, 2));
        if (wanted.length === 0) print(active ? 'No schedule runs.' : 'There is no schedule.');
        for (const each of wanted) print(lines(each));
      });
    });
};

const limitOf = (text: string): number => {
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (limit <= LIMIT_MAX) return limit;
  throw malformed(`--limit is 1 to ${LIMIT_MAX}, not "${printable(text, 40)}"`);
};

/** A schedule as JSON, without data of the shopper. */
const scheduleFacts = (schedule: Schedule) => {
  const { id, entityId, rootId, registrationId, paymentType, amount, facts, endsAt } = schedule;
  return {
    id,
    entityId,
    rootId,
    registrationId,
    paymentType,
    amount: printAmount(amount),
    currency: amount.currency,
    state: schedule.state,
    expression: facts.expression,
    timeZone: facts.timeZone,
    nextRun: schedule.state === 'active' ? timeOf(schedule.nextAt) : undefined,
    endDate: endsAt === undefined ? undefined : timeOf(endsAt),
    ended: facts.ended && { at: timeOf(facts.ended.at), reason: facts.ended.reason, why: facts.ended.why },
  };
};

const timeOf = (at: number): string => new Date(at).toISOString();

const lines = (schedule: Schedule): string => {
  const { id, registrationId, amount, facts, endsAt } = schedule;
  const end = endsAt === undefined ? '' : `, at the latest ${dateTime(endsAt)}`;
  const comes =
    schedule.state === 'active'
      ? `next      ${dateTime(schedule.nextAt)} UTC${end}`
      : `ended     ${facts.ended === undefined ? '' : `${dateTime(facts.ended.at)} UTC: ${facts.ended.why}`}`.trimEnd();
  return [
    `${id}  ${schedule.state.toUpperCase()}  ${printMoney(amount)} ${schedule.paymentType}`,
    `  plan      ${printable(`${facts.expression}, ${facts.timeZone}`, 300)}`,
    `  account   registration ${registrationId}`,
    `  ${comes}`,
  ].join('\n');
};
