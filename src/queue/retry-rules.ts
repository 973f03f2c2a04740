/**
 * When a declined or undecided payment may be tried again, by the rules of the schemes: acquirers' published tables of
 * Visa's decline categories and of Mastercard's merchant advice codes. Lists differ slightly by processor; these are
 * the stricter readings. A pure table.
 */
import { DAY_MS, HOUR_MS } from '../base/clock.ts';
import type { Sql } from '../journal/sql.ts';

export type RetryScheme = 'visa' | 'mastercard' | 'other';

/** never: not with this card. fixData: only with other data, or with the customer present. later: within the limits. */
export type RetryClass = 'never' | 'fixData' | 'later' | 'unlisted';

/** DE 39 by class; the first class that lists a code applies. Visa's category 1 is a class of its own. */
export const responseClasses: Readonly<Record<RetryScheme, readonly (readonly [RetryClass, readonly string[]])[]>> = {
  visa: [
    ['never', ['04', '07', '12', '14', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3']],
    ['fixData', ['54', '55', '70', '82', '1A', 'N7']],
    ['later', ['51', '61', '65', '90', '91', '92', '96']],
  ],
  mastercard: [
    ['never', ['04', '07', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3']],
    ['fixData', ['12', '14', '54', '55', '70', '82', '1A', 'N7']],
    ['later', ['51', '61', '65', '90', '91', '92', '96']],
  ],
  other: [
    ['never', ['04', '07', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3']],
    ['fixData', ['12', '14', '54', '55', '70', '82', '1A', 'N7']],
    ['later', ['51', '61', '65', '90', '91', '92', '96']],
  ],
};

/** Merchant advice codes (DE 48): 01 new data, 02 later, 03 and 21 never. They take precedence over the response. */
export const adviceClasses: Readonly<Record<string, RetryClass>> = {
  '01': 'fixData',
  '02': 'later',
  '03': 'never',
  '21': 'never',
};

export type Limit = { readonly most: number; readonly withinMs: number; readonly from?: number };

/** How often one card may be tried. Of several limits for one period, the latest one valid at the time applies. */
export const retryLimits: Readonly<Record<RetryScheme, readonly Limit[]>> = {
  visa: [
    { most: 15, withinMs: 30 * DAY_MS },
    { most: 20, withinMs: 30 * DAY_MS, from: Date.UTC(2025, 4, 19) },
  ],
  mastercard: [
    { most: 10, withinMs: 24 * HOUR_MS },
    { most: 35, withinMs: 30 * DAY_MS },
  ],
  // For an unknown scheme the strictest of the known limits apply.
  other: [
    { most: 10, withinMs: 24 * HOUR_MS },
    { most: 15, withinMs: 30 * DAY_MS },
  ],
};

/** After this time no try of a sale is repeated. */
export const RETRY_SPAN_MS = 30 * DAY_MS;

export const classOf = (
  { response, advice }: { readonly response?: string | undefined; readonly advice?: string | undefined },
  scheme: RetryScheme,
): RetryClass => {
  const listed = responseClasses[scheme].find(([, codes]) => response !== undefined && codes.includes(response))?.[0];
  if (listed === 'never') return listed;
  return (advice === undefined ? undefined : adviceClasses[advice]) ?? listed ?? 'unlisted';
};

export type RetryDecision =
  | { readonly kind: 'now'; readonly left: number; readonly deadline: number }
  | { readonly kind: 'from'; readonly at: number; readonly deadline: number }
  | { readonly kind: 'over' };

/** `tried`: when the card was tried before, ms; `since`: when the sale was made. */
export const mayTry = (
  { tried, since, scheme }: { readonly tried: readonly number[]; readonly since: number; readonly scheme: RetryScheme },
  now: number,
): RetryDecision => {
  const deadline = since + RETRY_SPAN_MS;
  if (now >= deadline) return { kind: 'over' };
  let left = Number.POSITIVE_INFINITY;
  let at = now;
  for (const { most, withinMs } of limitsAt(scheme, now)) {
    const recentTries = tried.filter((time) => time > now - withinMs).toSorted((one, other) => one - other);
    left = Math.min(left, most - recentTries.length);
    // The oldest try stops counting when it leaves the period.
    const oldest = recentTries[recentTries.length - most];
    if (oldest !== undefined) at = Math.max(at, oldest + withinMs);
  }
  if (at === now) return { kind: 'now', left, deadline };
  return at < deadline ? { kind: 'from', at, deadline } : { kind: 'over' };
};

const limitsAt = (scheme: RetryScheme, now: number): Limit[] => {
  const activeLimits = retryLimits[scheme].filter(({ from = 0 }) => now >= from);
  return activeLimits.filter(
    (limit, i) => !activeLimits.slice(i + 1).some(({ withinMs }) => withinMs === limit.withinMs),
  );
};

// How often a card was tried without an approval: the schemes count that, and so does the till. Survives a restart.

export type CardTry = {
  /** The masked number and its sequence number: the only card data at rest. */
  readonly card: string;
  readonly sale: string;
  /** Wall time, ms. */
  readonly at: number;
  /** The acquirer's code (DE 39), or empty. */
  readonly response: string;
};

export interface CardTries {
  /** Durable when this returns. */
  note(one: CardTry): void;
  /** When this card was tried since then, oldest first. */
  of(card: string, since: number): number[];
}

const schema = [
  `CREATE TABLE IF NOT EXISTS card_try (card TEXT NOT NULL, at INTEGER NOT NULL, sale TEXT NOT NULL,
   response TEXT NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS card_try_card ON card_try (card, at)',
];

export const openCardTries = (sql: Sql): CardTries => {
  for (const statement of schema) sql.run(statement);
  return {
    note: ({ card, at, sale, response }) =>
      sql.run('INSERT INTO card_try (card, at, sale, response) VALUES (?, ?, ?, ?)', card, at, sale, response),
    of: (card, since) =>
      sql.all('SELECT at FROM card_try WHERE card = ? AND at > ? ORDER BY at', card, since).map(({ at }) => Number(at)),
  };
};

/** For one pass over many sales: reads each card's tries once, since the first moment asked for. */
export const readTriesOnce = (tries: CardTries): CardTries => {
  const known = new Map<string, number[]>();
  return {
    ...tries,
    of(card, since) {
      const times = known.get(card) ?? tries.of(card, since);
      known.set(card, times);
      return times;
    },
  };
};
