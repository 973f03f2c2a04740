/** `gateway vault` and `gateway schedules`: what a gateway keeps beside its payments, opened without it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { dateTime, systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemRandom } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { printAmount, printMoney } from '../../base/money.ts';
import { openStore } from '../../gateway/database/open.ts';
import type { Schedule } from '../../gateway/store/schedule-store.ts';
import type { Store } from '../../gateway/store/store.ts';
import { type Keyring, openKeyring, VAULT_FILE } from '../../gateway/vault/keyring.ts';
import { rotateVault } from '../../gateway/vault/upkeep.ts';
import { openVault, proveVault, type Vault } from '../../gateway/vault/vault.ts';
import { refreshSecrets } from '../../gateway/webhooks/delivery.ts';
import { nearestFlag, nearestText } from '../arguments.ts';
import { FAULT, print, tell } from '../terms.ts';

// A gateway's data as commands beside it open it: what is there, and nothing made anew.

export type OpenedGateway = { store: Store; keyring: Keyring; vault: Vault };
export type GatewayPlace = { data: string; database: string | undefined; vaultKey: string | undefined };

/** Where the gateway is, and how the result is shown. */
export const withPlace = (command: Command): Command =>
  command
    .option('--data <dir>', 'folder of the gateway’s database and keys', 'data')
    .option('--database <url>', 'postgres://…: the database, if it is not in the folder')
    .option('--json', 'print the result as JSON');

/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one: then no key file is looked at. */
export const placeOf = (command: Command, vaultKey: string | undefined): GatewayPlace => ({
  data: nearestText(command, 'data') ?? 'data',
  database: nearestText(command, 'database'),
  vaultKey,
});

export const wantsJson = (command: Command): boolean => nearestFlag(command, 'json') === true;

/**
 * Opens what is there and makes nothing anew: keys that were lost must not be replaced by others. Throws
 * `command.malformed` and `vault.damaged` where there is no gateway, and what
 * opening throws.
 */
export const withGateway = async <T>(
  { data, database, vaultKey }: GatewayPlace,
  work: (open: OpenedGateway) => Promise<T>,
): Promise<T> => {
  const keyFile = join(data, VAULT_FILE);
  const file = join(data, 'gateway.db');
  if (database === undefined && !existsSync(file)) {
    throw new Fault('command.malformed', { why: `There is no gateway in ${data}: ${file} is missing` });
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

/** Counting reads whole records: beyond so many it only says "at least". */
const COUNT_MAX = 50_000;

/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one: then no key file is looked at. */
export const addVault = (gateway: Command, vaultKey?: string): void => {
  const vault = gateway.command('vault').description('the keys of the stored accounts');
  withPlace(vault.command('status'))
    .description('which keys there are, and how many stored accounts are under each')
    .action((_flags: object, command: Command) =>
      withGateway(placeOf(command, vaultKey), (open) => status(open, wantsJson(command))),
    );
  withPlace(vault.command('rotate'))
    .description('make a new key and put all stored accounts under it; also while a gateway runs on PostgreSQL')
    .option('--same-key', 'make no new key: only go on with a rotation that was cut off')
    .action((_flags: object, command: Command) =>
      withGateway(placeOf(command, vaultKey), async (open) => {
        // Keys from outside are renewed there: what is left to do here is putting the records under the first of them.
        if (nearestFlag(command, 'sameKey') !== true && vaultKey === undefined) open.keyring.renew();
        await rotate(open, wantsJson(command));
      }),
    );
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
    print(`${key.id}  ${String(key.records).padStart(8)} stored accounts  ${notes.join('  ').trimEnd()}`);
  }
  if (!isAll) print(`At least: only the first ${COUNT_MAX} were counted.`);
};

const rotate = async ({ store, vault }: OpenedGateway, json: boolean): Promise<void> => {
  const keyId = vault.keyId();
  const total = (await store.sealedUnderOther(keyId, COUNT_MAX)).length;
  const progress = (done: number) => showProgress(done, Math.max(done, total));
  const { rewrapped, broken } = await rotateVault({ store, vault, progress });
  // What webhooks are encrypted with stands under the same keys.
  await refreshSecrets({ store, vault, clock: systemClock });
  if (process.stderr.isTTY && total > 0) tell('');
  if (json) print(JSON.stringify({ keyId, rewrapped, broken }, null, 2));
  else print(`${rewrapped} stored accounts were put under key ${keyId}.`);
  if (broken.length === 0) return;
  process.exitCode = FAULT;
  tell(`${broken.length} stored accounts cannot be opened and stay as they are: ${broken.slice(0, 10).join(', ')}`);
  tell('Nothing was charged. Ask these customers for their cards again, and call support.');
};

const BAR = 30;

/** A bar for people: a log or a script gets none. */
const showProgress = (done: number, total: number): void => {
  if (!process.stderr.isTTY) return;
  const full = Math.round((done / total) * BAR);
  process.stderr.write(`\r${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${total}`);
};

// `gateway schedules`: which plans there are, when each falls due next, and why one has ended.

const LIMIT_MAX = 10_000;

/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one. */
export const addSchedules = (gateway: Command, vaultKey?: string): void => {
  const schedules = gateway.command('schedules').description('payments that repeat themselves');
  withPlace(schedules.command('list'))
    .description('the newest first; a gateway on SQLite must be stopped')
    .option('--active', 'only those that still run')
    .option('--limit <n>', 'how many are looked at', '100')
    .action((_flags: object, command: Command) =>
      withGateway(placeOf(command, vaultKey), async ({ store }) => {
        const found = await store.schedules.schedules({ limit: limitOf(command) });
        const onlyActive = nearestFlag(command, 'active') === true;
        const wanted = found.filter(({ state }) => !onlyActive || state === 'active');
        if (wantsJson(command)) return print(JSON.stringify(wanted.map(scheduleFacts), null, 2));
        if (wanted.length === 0) print(onlyActive ? 'No schedule runs.' : 'There is no schedule.');
        for (const each of wanted) print(lines(each));
      }),
    );
};

const limitOf = (command: Command): number => {
  const text = nearestText(command, 'limit') ?? '';
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (limit <= LIMIT_MAX) return limit;
  throw new Fault('command.malformed', { why: `--limit is 1 to ${LIMIT_MAX}, not "${printable(text, 40)}"` });
};

/** Nothing of the shopper is in it. */
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
