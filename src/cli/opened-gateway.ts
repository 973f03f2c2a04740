/** A gateway's data as commands beside it open it: what is there, and nothing made anew. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemRandom } from '../base/ids.ts';
import { openStore } from '../gateway/store/open.ts';
import type { Store } from '../gateway/store/store.ts';
import { type Keyring, openKeyring, VAULT_FILE } from '../gateway/vault/keyring.ts';
import { openVault, proveVault, type Vault } from '../gateway/vault/vault.ts';
import { nearestFlag, nearestText } from './nearest-option.ts';

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
