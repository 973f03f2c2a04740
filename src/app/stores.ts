/** The data in the journal's file, for a running till and for reading it while none is running. */
import { existsSync, statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import { ledgerWithBatches } from '../books/books.ts';
import { lineIndex } from '../books/lines/line-index.ts';
import { totalsIndex } from '../books/lines/totals.ts';
import { openTillBooks } from '../books/till-books.ts';
import { type Config, journalFile } from '../folder/config.ts';
import type { Machine } from '../folder/machine.ts';
import { offlineLimitsOf } from '../folder/offline-config.ts';
import type { Journal } from '../journal/journal.ts';
import { openSql } from '../journal/sql.ts';
import { conservationIndex } from '../ledger/conservation-index.ts';
import { type FullLedger, openLedger } from '../ledger/ledger.ts';
import type { IndexProgress } from '../ledger/ledger-index.ts';
import { operationIndex } from '../ledger/operation-index.ts';
import { setNewerAside, unreadIndex } from '../ledger/sale-indexes.ts';
import { requestKeyIndex } from '../ledger/search-index.ts';
import { openOffline } from '../offline/decision.ts';
import { forwardLosses } from '../offline/forward-losses.ts';
import { type Outbox, openOutbox } from '../queue/outbox.ts';
import { sealer } from '../queue/seal.ts';

export type Stores = ReturnType<typeof openStores>;

type StoreOptions = {
  dataDir: string;
  clock: Clock;
  random: Random;
  machine: Machine;
  around: { ledger?(ledger: FullLedger): FullLedger };
  /** Whether the gateway is asked after each start what it knows about this till. */
  compares?: boolean;
  report?(error: unknown): void;
  indexing?: ((progress: IndexProgress) => void) | undefined;
};
type StoreFiles = { config: Config; journal: Journal; tillKey: Uint8Array };

export const openStores = (
  { dataDir, clock, random, machine, around, compares = false, report = () => {}, indexing }: StoreOptions,
  { config, journal, tillKey }: StoreFiles,
) => {
  const wipingOutbox = withKeyWiping(openOutbox(journal.sql, sealer(tillKey, random)), { journal, clock, report });
  const { outbox } = wipingOutbox;
  const limits = offlineLimitsOf(config.offline, config.currency);
  const offline = openOffline({
    limits,
    sql: journal.sql,
    clock,
    machine,
    folder: dataDir,
    timeZone: config.businessDay?.timeZone,
  });
  const books = openTillBooks({ journal, config, time: offline.time, compares });
  const plainLedger = openLedger({
    journal,
    outbox,
    clock,
    indexing,
    indexes: [
      offline.index,
      conservationIndex(journal.sql),
      operationIndex(journal.sql),
      forwardLosses(journal.sql),
      totalsIndex(journal.sql),
      requestKeyIndex(journal.sql),
      unreadIndex(journal.sql),
      lineIndex(journal.sql, books),
    ],
  });
  setNewerAside(journal.sql, clock);
  const ledger = ledgerWithBatches(around.ledger?.(plainLedger) ?? plainLedger, books);
  return { outbox, offline, books, ledger, stop: wipingOutbox.stop };
};

/**
 * Prevents a till from starting on this folder until the returned function is called: a network terminal drops the till
 * it serves when somebody else connects. Throws `journal.busy` while one is running.
 */
export const holdTill = (folder: string): (() => void) => {
  const file = journalFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return () => {};
  const sql = openSql(file);
  return () => sql.close();
};

// The destroyed key of a settled record remains in the write-ahead log until a checkpoint. A pass of the queue does
// that at once; here it is done soon after any other end, such as a void or a person's decision.

/** Long enough for the step that destroyed it to end, and for a receipt to be printed. */
const SOON_MS = 1_000;

export type KeyWipingOutbox = { outbox: Outbox; stop(): void };

/** `report` is called when the log could not be checkpointed: that is retried after the next key, pass or start. */
const withKeyWiping = (
  outbox: Outbox,
  { journal, clock, report }: { journal: Journal; clock: Clock; report(error: unknown): void },
): KeyWipingOutbox => {
  let unschedule: (() => void) | undefined;
  /** The steps before the last key was destroyed. */
  let before = 0;
  const wipe = (): void => {
    unschedule = undefined;
    if (journal.tidiedAt > before) return;
    try {
      journal.tidy();
    } catch (error) {
      report(error);
    }
  };
  const wipeSoon = (): void => {
    before = journal.steps;
    // Whichever checkpoint comes first removes the key.
    journal.noteKeysDestroyed();
    unschedule ??= clock.after(SOON_MS, wipe);
  };
  return {
    outbox: {
      ...outbox,
      settle(id) {
        outbox.settle(id);
        wipeSoon();
      },
      withdraw(id) {
        outbox.withdraw(id);
        wipeSoon();
      },
    },
    stop() {
      unschedule?.();
      unschedule = undefined;
    },
  };
};
