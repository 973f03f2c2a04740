/** The key of one gateway's request fingerprints and look-up hashes, and the proof that a store belongs to it. */
import { createHash, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { errorText, Fault } from '../base/fault.ts';
import { makeFolder, readOrCreate } from '../base/files.ts';
import type { Random } from '../base/ids.ts';
import type { Store } from './store/store.ts';

const SECRET_BYTES = 32;

/**
 * Its source: a file beside the database; or the given vault key (`given`: the part of it that no rotation changes), so
 * that several machines on one database have the same; or nothing, for a gateway in memory. If the key is lost, repeats
 * count as different and are refused: nothing is charged twice. Throws `gateway.state` if the file is not a key.
 */
export const secretOf = (options: { dataDir: string; given?: Uint8Array; random: Random }): Uint8Array => {
  const { dataDir, given, random } = options;
  if (given !== undefined) {
    return new Uint8Array(hkdfSync('sha256', given, new Uint8Array(), 'tillgate gateway secret', SECRET_BYTES));
  }
  return dataDir === ':memory:' ? random(SECRET_BYTES) : readSecret(dataDir, random);
};

const readSecret = (dataDir: string, random: Random): Uint8Array => {
  const path = join(dataDir, 'gateway.key');
  try {
    makeFolder(dataDir);
    const secret = readOrCreate(path, () => random(SECRET_BYTES), random);
    if (secret.length !== SECRET_BYTES) throw new Fault('gateway.state', { why: `${path} is not a key` });
    return secret;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('gateway.state', { why: errorText(error) }, error);
  }
};

/**
 * Records in a shared store which secret belongs to it. Throws `gateway.state` if it is another gateway's: each process
 * would take the other's repeats for different requests.
 */
export const proveSecret = async (store: Pick<Store, 'keepFact' | 'shared'>, secret: Uint8Array): Promise<void> => {
  if (!store.shared) return;
  const mark = createHash('sha256').update('tillgate gateway mark').update(secret).digest('hex').slice(0, 16);
  if ((await store.keepFact('secret', mark)) === mark) return;
  const reason =
    'another gateway with a different gateway.key uses this database: copy its file, or give both the same key';
  throw new Fault('gateway.state', { why: reason });
};
