/** What is kept in the journal's file: the queue, the ledger with its indexes, what is out offline, the books. */
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import { bookedLedger } from '../books/books.ts';
import { lineIndex } from '../books/lines/line-index.ts';
import { totalsIndex } from '../books/lines/totals.ts';
import { openTillBooks } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { Machine } from '../folder/machine.ts';
import { offlineLimitsOf } from '../folder/offline-config.ts';
import type { Journal } from '../journal/journal.ts';
import { conservationIndex } from '../ledger/conservation-index.ts';
import { withKeysWiped } from '../ledger/key-wipe.ts';
import { type FullLedger, openLedger } from '../ledger/ledger.ts';
import type { IndexProgress } from '../ledger/ledger-index.ts';
import { operationIndex } from '../ledger/operation-index.ts';
import { requestKeyIndex } from '../ledger/search-index.ts';
import { setNewerAside, unreadIndex } from '../ledger/unread-index.ts';
import { openOffline } from '../offline/decision.ts';
import { forwardLosses } from '../offline/forward-losses.ts';
import { openOutbox } from '../queue/outbox.ts';
import { sealer } from '../queue/seal.ts';

export type { IndexProgress } from '../ledger/ledger-index.ts';

export type Stores = ReturnType<typeof openStores>;

/** For people: `Rebuilding the search index: 41 % of 1,000,000 events`. */
export const indexingWords = ({ indexes, done, total }: IndexProgress): string => {
  const what = indexes.length === 1 ? `the ${indexes[0]} index` : `${indexes.length} indexes`;
  return `Rebuilding ${what}: ${Math.floor((100 * done) / total)} % of ${total.toLocaleString('en-US')} events`;
};

type StoreOptions = {
  dataDir: string;
  clock: Clock;
  random: Random;
  machine: Machine;
  around: { ledger?(ledger: FullLedger): FullLedger };
  /** The gateway is asked after each start what it knows of this till. */
  compares?: boolean;
  report?(error: unknown): void;
  indexing?: ((progress: IndexProgress) => void) | undefined;
};
type StoreFiles = { config: Config; journal: Journal; tillKey: Uint8Array };

export const openStores = (
  { dataDir, clock, random, machine, around, compares = false, report = () => {}, indexing }: StoreOptions,
  { config, journal, tillKey }: StoreFiles,
) => {
  const wiped = withKeysWiped(openOutbox(journal.sql, sealer(tillKey, random)), { journal, clock, report });
  const { outbox } = wiped;
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
  const plain = openLedger({
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
  const ledger = bookedLedger(around.ledger?.(plain) ?? plain, books);
  return { outbox, offline, books, ledger, stop: wiped.stop };
};
