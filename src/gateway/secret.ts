/** The key of the request fingerprints and look-up hashes of one gateway, and the proof that a store is its own. */
import { createHash, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { Fault, wordsOf } from '../base/fault.ts';
import { madeOnce, makeFolder } from '../base/files.ts';
import type { Random } from '../base/ids.ts';
import type { Store } from './store/store.ts';

const SECRET_BYTES = 32;

/**
 * Where it comes from: a file beside the database; the vault key that was given from outside (`given`: of it what no
 * rotation changes), so that several machines on one database have the same; or nowhere, for a gateway in memory.
 * Should it be lost, repeats count as different and are refused: nothing is charged twice for it. Throws
 * `gateway.state` when the file is none.
 */
export const secretOf = (at: { dataDir: string; given?: Uint8Array; random: Random }): Uint8Array => {
  const { dataDir, given, random } = at;
  if (given !== undefined) {
    return new Uint8Array(hkdfSync('sha256', given, new Uint8Array(), 'tillgate gateway secret', SECRET_BYTES));
  }
  return dataDir === ':memory:' ? random(SECRET_BYTES) : secretIn(dataDir, random);
};

const secretIn = (dataDir: string, random: Random): Uint8Array => {
  const path = join(dataDir, 'gateway.key');
  try {
    makeFolder(dataDir);
    const secret = madeOnce(path, () => random(SECRET_BYTES), random);
    if (secret.length !== SECRET_BYTES) throw new Fault('gateway.state', { why: `${path} is not a key` });
    return secret;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('gateway.state', { why: wordsOf(error) }, error);
  }
};

/**
 * Remembers in a shared store whose secret it goes with. Throws `gateway.state` when it is another's: each process
 * would take the other's repeats for different requests.
 */
export const proveSecret = async (store: Pick<Store, 'keepFact' | 'shared'>, secret: Uint8Array): Promise<void> => {
  if (!store.shared) return;
  const mark = createHash('sha256').update('tillgate gateway mark').update(secret).digest('hex').slice(0, 16);
  if ((await store.keepFact('secret', mark)) === mark) return;
  const why = 'another gateway with another gateway.key works on this database: copy its file, or give both one key';
  throw new Fault('gateway.state', { why });
};
