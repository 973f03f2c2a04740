/** `gateway vault`: which keys the stored accounts are under, and putting all of them under a new one. */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { rotateVault } from '../gateway/vault/upkeep.ts';
import { tendSecrets } from '../gateway/webhooks/upkeep.ts';
import { nearestFlag } from './nearest-option.ts';
import { type OpenedGateway, placeOf, wantsJson, withGateway, withPlace } from './opened-gateway.ts';
import { FAULT, print, tell } from './terms.ts';

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
    ...(key.id === vault.keyId() ? { current: true } : {}),
    records: counts.get(key.id) ?? 0,
  }));
  if (json) return print(JSON.stringify({ from: keyring.from, keys, complete: isAll }, null, 2));
  for (const key of keys) {
    const notes = [
      'current' in key ? 'seals' : 'missing' in key ? 'KEY MISSING' : 'opens',
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
  await tendSecrets({ store, vault, clock: systemClock });
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
