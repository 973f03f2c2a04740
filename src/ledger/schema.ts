/** The versions of the journal file, each with the step that leads to it, and the content that no step may change. */
import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { journalFile } from '../folder/config.ts';
import { publicKeyOf } from '../folder/keys/till-signer.ts';
import { makeMachineTable, noteOpening } from '../folder/till-machine.ts';
import { judgeMode } from '../folder/till-mode.ts';
import { type Journal, journalIn } from '../journal/journal.ts';
import type { SchemaPlan } from '../journal/migrate.ts';
import { openSql, type Sql } from '../journal/sql.ts';
import { notePlainGateways } from '../line/plain-gateway.ts';
import { upgradeOutbox } from '../queue/outbox-tables.ts';

/** Up to version 6 no program opened a newer file: each step shut out all earlier versions. */
export const schemaPlan: SchemaPlan = {
  steps: [
    {
      to: 2,
      kind: 'contracts',
      says: 'a message can wait for another sale’s answer, and be asked again as a new request',
      change: upgradeOutbox,
    },
    {
      to: 3,
      kind: 'contracts',
      says: 'a till is in test mode or live, and knows which',
      change: judgeMode,
    },
    {
      to: 4,
      kind: 'contracts',
      says: 'a folder is bound to its machine, and knows whether the gateway was asked what else it knows',
      change: makeMachineTable,
    },
    {
      to: 5,
      kind: 'contracts',
      says: 'a message counts its answers, and one that was set aside ends with a person’s word',
      change: upgradeOutbox,
    },
    {
      to: 6,
      kind: 'contracts',
      says: 'plain http to a gateway in a private network needs a manager, and what is in use goes on',
      change: notePlainGateways,
    },
    {
      to: 7,
      kind: 'contracts',
      says: 'a file says which versions may open it; from here on an older program works on a newer file',
      // The row is written together with the version.
      change() {},
    },
  ],
  holdings(sql) {
    const hash = createHash('sha256');
    for (const [table, columns, order] of held) {
      if (!hasTable(sql, table)) continue;
      for (const row of sql.iterate(`SELECT ${columns} FROM ${table} ORDER BY ${order}`))
        hash.update(JSON.stringify(Object.values(row).map(textOf)));
    }
    return hash.digest('hex');
  },
  withoutKeys(copy) {
    if (hasTable(copy, 'message')) copy.run('UPDATE message SET sealed = NULL, wrapped = NULL');
  },
};

/** Whatever a step changes, these rows and columns stay the same. */
const held = [
  ['entry', 'entry, at, subject, kind, body, hash', 'entry'],
  ['head', 'entry, hash', 'only'],
  ['message', 'id, kind, sale, key, body, sealed, wrapped, state, tried, put_at', 'id'],
  ['till_key', 'check_value', 'only'],
] as const;

const textOf = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

const hasTable = (sql: Sql, table: string): boolean =>
  sql.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table) !== undefined;

// Opens a till's own journal: migrates it to this version, and verifies it from the last seal made with the till's key.

export type JournalOptions = {
  clock: Clock;
  /** How to open a journal that is not on this machine's disk. */
  open?: ((path: string) => Sql) | undefined;
  /** The key to the till's secrets, where they are stored sealed. */
  sealKey?: Uint8Array | undefined;
};

/** Throws the same faults as `openJournal`. */
export const openTillJournal = (folder: string, { clock, open = openSql, sealKey }: JournalOptions): Journal => {
  const path = journalFile(folder);
  const journal = journalIn(open(path), path, { clock, plan: schemaPlan, sealKey: publicKeyOf(folder, sealKey) });
  try {
    noteOpening(journal, clock.now());
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
};
