/** The till's own answer to "may this go offline?", from its limits, its offline sales, its clock and its disk. */
import type { Clock } from '../base/clock.ts';
import { startOfDay } from '../base/wall-time.ts';
import type { Machine } from '../folder/machine.ts';
import type { Sql } from '../journal/sql.ts';
import type { LedgerIndex } from '../ledger/ledger-index.ts';
import type { OfflineLeft, OfflineVerdict } from '../till/machine/offline-facts.ts';
import type { Objection } from '../till/offline/card.ts';
import type { Exposure, OfflineFacts, OfflineLimits, OfflineMoment, OfflineTry } from '../till/offline/limits.ts';
import { currentObjection, offlineLeft, offlineVerdict } from '../till/offline/verdict.ts';
import { type OfflineBook, offlineBook } from './book.ts';
import { openTrustedTime, type TrustedTime } from './trusted-time.ts';

export type OfflineReadiness = {
  /** Why no sale would be taken now. Undefined when a suitable card would be accepted. */
  readonly objection: Objection | undefined;
  readonly limits: OfflineLimits;
  /** The totals, the last hour, the day and the cashier's share. There is no card yet. */
  readonly exposure: Exposure;
  readonly left: OfflineLeft;
  readonly moment: OfflineMoment;
};

export interface OfflinePolicy {
  /** Throws the disk's own error when the stored sales or the free space cannot be read. */
  verdict(request: OfflineTry): OfflineVerdict;
  readiness(cashier?: string): OfflineReadiness;
  /** Applies these limits from the next decision on. Sales already taken are not affected. */
  holdTo(limits: OfflineLimits): void;
}

type Opening = {
  limits: OfflineLimits;
  sql: Sql;
  clock: Clock;
  machine: Machine;
  folder: string;
  /** The shop's time zone, an IANA name. The limits of a day start at its midnight. */
  timeZone?: string | undefined;
};

export type OpenedOffline = {
  service: OfflinePolicy;
  /** For the ledger: records what was taken offline and, in the same steps, when the gateway last answered. */
  index: LedgerIndex;
  /** Stores when the gateway last answered, if no journal step has done so since. */
  close(report: (error: unknown) => void): void;
  /** Call it on each answer of the gateway. */
  heard: TrustedTime['noteAnswer'];
  /** For everything that assigns dates, such as business days. */
  time: TrustedTime;
};

/** Creates the service of a till on its journal's file. */
export const openOffline = ({ limits, sql, clock, machine, folder, timeZone }: Opening): OpenedOffline => {
  const time = openTrustedTime({ sql, clock, machine });
  const book = offlineBook(sql, time.keep);
  const close = (report: (error: unknown) => void): void => {
    try {
      sql.atomically(time.keep);
    } catch (error) {
      report(error);
    }
  };
  return {
    service: createOfflinePolicy({ limits, book, time, machine, folder, timeZone }),
    index: book,
    heard: time.noteAnswer,
    time,
    close,
  };
};

type Parts = Pick<Opening, 'limits' | 'machine' | 'folder' | 'timeZone'> & { book: OfflineBook; time: TrustedTime };

export const createOfflinePolicy = ({ limits: first, book, time, machine, folder, timeZone }: Parts): OfflinePolicy => {
  let limits = first;
  const factsFor = (request: OfflineTry): OfflineFacts => {
    const now = time.now();
    return {
      limits,
      exposure: book.exposure(request, now, startOfDay(now.at, timeZone)),
      moment: { sinceAnswer: time.sinceAnswer(), freeBytes: machine.freeBytes(folder) },
    };
  };
  return {
    verdict(request) {
      const verdict = offlineVerdict(request, factsFor(request));
      return verdict.kind === 'refused' ? verdict : { ...verdict, at: time.now() };
    },
    readiness(cashier) {
      const request = { operation: 'sale', amount: { minor: 1n, currency: limits.currency }, cashier } as const;
      const facts = factsFor(request);
      return { ...facts, objection: currentObjection(facts), left: offlineLeft(request, facts) };
    },
    holdTo(changed) {
      limits = changed;
    },
  };
};
