/** How often a card was asked about without a yes: the schemes count that, and so does the till. Outlives a restart. */
import type { Sql } from '../journal/sql.ts';

export type CardTry = {
  /** The masked number and its sequence number: all that is known of a card at rest. */
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
  /** When this card was tried since then, the oldest first. */
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

/** For one look at many sales, without a pause: each card's tries are read once, since the first moment asked for. */
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
