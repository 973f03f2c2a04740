/**
 * Destroys the card data of stored sales that could not be sent in time. The sale and its message stay. Only their data
 * key is destroyed, which makes the part that only the gateway could read unreadable in every copy.
 */
import { type Clock, DAY_MS } from '../base/clock.ts';
import { FROM_NEWER } from '../base/open-messages.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { TrustedTime } from './trusted-time.ts';

const KEEP_CARD_DATA_DAYS = 30;

export type ExpiryParts = {
  journal: Journal;
  ledger: FullLedger;
  clock: Clock;
  /** The gateway's time as far as it is proved, ms: a till clock set forward must destroy nothing. */
  now: number;
  days: number;
  /** When the till last learned that its clock was behind, ms: messages dated earlier can be just as recent. */
  corrected?: number | undefined;
};

/**
 * Returns the sales whose card data was destroyed. Those that were never sent end with this; the gateway is asked about
 * the others.
 */
export const destroyExpired = ({ journal, ledger, clock, now, days, corrected = 0 }: ExpiryParts): Sale[] => {
  const { sql } = journal;
  const expired = sql.all(
    `SELECT message.id, message.sale, tried, note FROM message LEFT JOIN offline_sale USING (sale)
     WHERE message.kind = 'forward' AND state IN ('waiting', 'parked') AND wrapped IS NOT NULL
     AND max(put_at, coalesce(at, put_at), ?) < ? ORDER BY message.rowid`,
    corrected,
    now - days * DAY_MS,
  );
  if (expired.length === 0) return [];
  for (const { id, sale, tried, note } of expired) {
    // A message written by a newer version is left to that version.
    const isNewer = note === FROM_NEWER;
    if (tried === 0 && !isNewer) ledger.settle(String(id), String(sale), { on: 'cardDataExpired', days });
    // The gateway is asked now, even about a message that was set aside: the sale can no longer be sent.
    else
      sql.run(
        `UPDATE message SET sealed = NULL, wrapped = NULL, state = iif(?, state, 'waiting'), unknowns = 0, answers = 0,
         due_at = ?, body = json_set(body, '$.expired', json_object('days', ?, 'at', ?)) WHERE id = ?`,
        isNewer ? 1 : 0,
        clock.now(),
        days,
        clock.monotonic(),
        id ?? null,
      );
  }
  journal.tidy();
  return expired.flatMap(({ sale }) => replay(ledger.events(String(sale))) ?? []);
};

type Opening = Omit<ExpiryParts, 'now' | 'days' | 'corrected'> & { config: Config; time: TrustedTime };

/** Runs at startup. Time that only the till's own clock vouches for proves nothing, since that clock can be set. */
export const expireCardData = ({ config, time, ...parts }: Opening): Sale[] => {
  const { keepCardDataDays: days = KEEP_CARD_DATA_DAYS } = config;
  const since = time.sinceAnswer();
  const isProved = 'ms' in since && since.byClock !== true;
  return isProved ? destroyExpired({ ...parts, now: time.now().at, days, corrected: time.corrected() }) : [];
};
