/** How many transactions simulated cards have had: it outlives the process, since an issuer refuses a lower count. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cardholder } from '../../drivers/simulation/simulator.ts';
import { makeFolder } from '../base/folder.ts';

/** The same customers, their transactions counted in the folder; `lastAtc` is where their cards go on from. */
export const countedCards = (folder: string, cardholder: Cardholder): { cardholder: Cardholder; lastAtc: number } => {
  const file = join(folder, 'simulated-cards.json');
  makeFolder(folder);
  const lastAtc = lastCount(file);
  let count = lastAtc;
  return {
    lastAtc,
    cardholder() {
      count += 1;
      writeFileSync(file, JSON.stringify({ transactions: count }));
      return cardholder();
    },
  };
};

const lastCount = (file: string): number => {
  try {
    const count: unknown = (JSON.parse(readFileSync(file, 'utf8')) as { transactions?: unknown }).transactions;
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 0xff00 ? count : 0;
  } catch {
    // No file, or a spoilt one: the cards are new.
    return 0;
  }
};
