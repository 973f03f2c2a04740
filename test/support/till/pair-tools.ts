/** Pairs terminals with the till of a folder that is not running: open sales in its ledger count. */
import { existsSync, statSync } from 'node:fs';
import { openStores } from '../../../src/app/stores.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { journalFile, loadConfig } from '../../../src/folder/config.ts';
import { loadSecrets, refuseLostJournal } from '../../../src/folder/keys/secrets.ts';
import { systemMachine } from '../../../src/folder/machine.ts';
import { openSalesIn } from '../../../src/ledger/open-figures.ts';
import { openTillJournal } from '../../../src/ledger/schema.ts';
import type { PairTools } from '../../../src/terminals/pairing/pairing.ts';

/** `openSales` throws `journal.busy` while a till works on the folder, `journal.gone`, `secrets.gone`. */
export const pairToolsOf = (folder: string, clock: Clock): PairTools => ({
  folder,
  ids: systemIds,
  clock,
  openSales: (terminalId) => openSalesOf(folder, clock).filter(({ intent }) => intent.terminalId === terminalId),
});

const openSalesOf = (folder: string, clock: Clock) => {
  refuseLostJournal(folder);
  const file = journalFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return [];
  const journal = openTillJournal(folder, { clock });
  try {
    const { tillKey } = loadSecrets(folder, { random: systemRandom, isNew: false });
    const options = { dataDir: folder, clock, random: systemRandom, machine: systemMachine, around: {} };
    const { ledger } = openStores(options, { config: loadConfig(folder, systemIds), journal, tillKey });
    return openSalesIn({ ledger });
  } finally {
    journal.close();
  }
};
