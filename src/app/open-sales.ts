/** The till of a folder, seen from outside: whether it runs, and which of its sales are not at their end. */
import { existsSync, statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { type Random, systemIds, systemRandom } from '../base/ids.ts';
import { journalFile, loadConfig } from '../folder/config.ts';
import { loadSecrets, refuseLostJournal } from '../folder/keys/secrets.ts';
import { systemMachine } from '../folder/machine.ts';
import { openSql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { openTillJournal } from '../ledger/schema.ts';
import type { PairTools } from '../terminals/pairing/pairing.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { openStores } from './stores.ts';

/**
 * Keeps a till from being started on this folder until the returned function is called: a terminal in the network drops
 * the till that it serves when somebody else connects. Throws `journal.busy` while one runs.
 */
export const holdTill = (folder: string): (() => void) => {
  const file = journalFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return () => {};
  const sql = openSql(file);
  return () => sql.close();
};

/**
 * Unfinished and unknown sales, reversals and offline sales still to be sent, that were begun under this
 * pos.terminalId; oldest first. Throws as `ledgerOf`.
 */
const openSalesOf = ({ folder, terminalId }: { folder: string; terminalId: string }, tools: LookTools): Sale[] =>
  ledgerOf(folder, tools, (ledger) =>
    ledger
      .openSales()
      .map((id) => replay(ledger.events(id)))
      .filter((sale): sale is Sale => sale?.intent.terminalId === terminalId),
  ) ?? [];

/** Pairs terminals with the till of a folder, while it does not run: `openSales` throws as `ledgerOf`. */
export const pairToolsOf = (folder: string, clock: Clock): PairTools => ({
  folder,
  ids: systemIds,
  clock,
  openSales: (terminalId) => openSalesOf({ folder, terminalId }, { clock }),
});

type LookTools = { clock: Clock; random?: Random };

/**
 * What a look into the ledger of a till that does not run finds; undefined where it has sold nothing yet. Throws
 * `journal.busy` while a till works on the folder, `journal.gone`, `secrets.gone`.
 */
export const ledgerOf = <T>(
  folder: string,
  { clock, random = systemRandom }: LookTools,
  look: (ledger: FullLedger) => T,
): T | undefined => {
  refuseLostJournal(folder);
  const file = journalFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return undefined;
  const journal = openTillJournal(folder, { clock });
  try {
    if (journal.length === 0) return undefined;
    const { tillKey } = loadSecrets(folder, { random, isNew: false });
    const config = loadConfig(folder, systemIds);
    const options = { dataDir: folder, clock, random, machine: systemMachine, around: {} };
    // With all its tables, or they would be made anew on the till's next start.
    return look(openStores(options, { config, journal, tillKey }).ledger);
  } finally {
    journal.close();
  }
};
