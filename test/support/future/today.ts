/**
 * The tables that this version creates, of a till's journal and of a gateway, and those that it must not take anything
 * from.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startTill } from '../../../src/app/start-till.ts';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { sqliteSteps } from '../../../src/gateway/database/sqlite-steps.ts';
import type { SchemaStep } from '../../../src/journal/migrate.ts';
import { schemaPlan } from '../../../src/ledger/schema.ts';
import { type Tables, tablesIn } from './expanding.ts';

export const baselineFile = join(import.meta.dirname, 'oldest-tables.json');

/** `readableSince`: the lowest version that can open the files of these tables. */
type Of = { readonly readableSince: number; readonly tables: Tables };
export type Baseline = { readonly journal: Of; readonly gateway: Of };

export const lastContracting = (steps: readonly Pick<SchemaStep, 'kind' | 'to'>[]): number =>
  steps.findLast(({ kind }) => kind === 'contracts')?.to ?? 1;

const read = (file: string): Tables => {
  const database = new Database(file);
  try {
    return tablesIn(database);
  } finally {
    database.close();
  }
};

/** From a till that was started and closed, so that tables created on the way are included. */
export const tablesOfToday = async (): Promise<Baseline> => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  try {
    const till = await startTill({ dataDir: folder, boundTo: { identity: 'name:tables' } });
    await till.close();
    await (await openSqliteStore(join(folder, 'gateway-alone.db'))).close();
    return {
      journal: { readableSince: lastContracting(schemaPlan.steps), tables: read(join(folder, 'journal.db')) },
      gateway: {
        readableSince: lastContracting(sqliteSteps.map(({ kind }, index) => ({ kind, to: index + 1 }))),
        tables: read(join(folder, 'gateway-alone.db')),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
