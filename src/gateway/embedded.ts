/** The whole gateway in one process: its store, the simulator acquirer, the host API. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { makeFolder } from '../base/folder.ts';
import type { Ids, Random } from '../base/ids.ts';
import { simulatorAcquirer } from './acquirers/simulator/simulator.ts';
import type { Channel } from './http/authentication.ts';
import { type GatewayApp, gatewayApp } from './http/server.ts';
import { openSqliteStore } from './store/sqlite.ts';

export type EmbeddedOptions = {
  /** A folder, made if missing; or ':memory:', which forgets all on closing. */
  dataDir: string;
  channels: readonly Channel[];
  clock: Clock;
  ids: Ids;
  random: Random;
  patienceMs?: number;
  report?: (error: unknown) => void;
};

const SECRET_BYTES = 32;

/**
 * Opens the store, ends what an earlier process left open, and is then ready. `close` also closes the store.
 * Throws `folder.unusable` when there can be no such folder, `gateway.state` when the data in it cannot be used.
 */
export const openGateway = async (options: EmbeddedOptions): Promise<GatewayApp> => {
  const { dataDir, clock, random, channels, ids, patienceMs, report } = options;
  const inMemory = dataDir === ':memory:';
  const secret = inMemory ? random(SECRET_BYTES) : secretIn(dataDir, random);
  const store = await openSqliteStore(inMemory ? dataDir : join(dataDir, 'gateway.db'));
  const app = gatewayApp({
    store,
    acquirer: simulatorAcquirer({ memory: store.memory, clock, random }),
    channels,
    clock,
    ids,
    secret,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(report === undefined ? {} : { report }),
  });
  try {
    await app.ready;
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    ...app,
    async close() {
      await app.close();
      await store.close();
    },
  };
};

/**
 * The key of the request fingerprints, in a file beside the store. Should it be lost, repeats count as different and
 * are refused: nothing is charged twice for it.
 */
const secretIn = (dataDir: string, random: Random): Uint8Array => {
  const path = join(dataDir, 'gateway.key');
  try {
    makeFolder(dataDir);
    const known = readIfThere(path);
    if (known !== undefined) {
      if (known.length !== SECRET_BYTES) throw new Fault('gateway.state', { why: `${path} is not a key` });
      return known;
    }
    const fresh = random(SECRET_BYTES);
    writeFileSync(path, fresh, { flag: 'wx', mode: 0o600, flush: true });
    chmodSync(path, 0o600);
    return fresh;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('gateway.state', { why: wordsOf(error) }, error);
  }
};

const readIfThere = (path: string): Uint8Array | undefined => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
