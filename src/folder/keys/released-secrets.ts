/**
 * The secrets of a data folder that no key store keeps any more: those of its test till, its live till and their
 * training lie sealed under one key, and are opened together.
 */
import { join } from 'node:path';
import { liveFolder } from '../till-begun.ts';
import { removeKeyFile } from './key-file.ts';
import { areSealed, unsealSecrets } from './secrets.ts';

const sealedIn = (dataDir: string): string[] => {
  const live = liveFolder(dataDir);
  return [dataDir, join(dataDir, 'training'), live, join(live, 'training')].filter(areSealed);
};

/** Whether the key is still needed for anything in the data folder. */
export const isAnySealed = (dataDir: string): boolean => sealedIn(dataDir).length > 0;

/**
 * Takes the seal off all of them, and then the key's file away. Cut short, it goes on where it was: that file stays
 * until nothing is sealed. Throws `secrets.sealed` for another key, and what the disk throws.
 */
export const releaseSecrets = (dataDir: string, key: Uint8Array): void => {
  for (const folder of sealedIn(dataDir)) unsealSecrets(folder, key);
  removeKeyFile(dataDir);
};
