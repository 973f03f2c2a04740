/** How many transactions simulated cards have had: it outlives the process, since an issuer refuses a lower count. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cardholder } from '../../drivers/simulation/simulator.ts';
import { makeOwnedFolder, ownersOf } from './rights/folder-rights.ts';

/** The same customers, their transactions counted in the folder; `lastAtc` is where their cards go on from. */
export const countedCards = (folder: string, cardholder: Cardholder): { cardholder: Cardholder; lastAtc: number } => {
  const file = join(folder, 'simulated-cards.json');
  makeOwnedFolder(folder, { owners: ownersOf(folder) });
  const kept = read(file);
  const lastAtc = countIn(kept);
  let count = lastAtc;
  return {
    lastAtc,
    cardholder() {
      count += 1;
      writeFileSync(file, JSON.stringify({ ...kept, transactions: count }));
      return cardholder();
    },
  };
};

/** What a newer version has beside the count is written back with it. */
type Kept = { transactions?: unknown };

const read = (file: string): Kept => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? kept : {};
  } catch {
    // No file, or a spoilt one: the cards are new.
    return {};
  }
};

const countIn = ({ transactions: count }: Kept): number =>
  typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 0xff00 ? count : 0;
