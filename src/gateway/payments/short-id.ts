/** The short id of a payment: for people on the telephone, and for bank statements. */
import type { MigrationStep } from '../store/migrate.ts';

const TENTH_MS = 100;
/** After this many tenths of a second, some 116 days, the times of short ids start again. */
const ROUND = 1e8;
/** Ids begin with a letter; the first versions wrote a digit of the time in its place. */
const BEGINNINGS = ['0', 'a'] as const;

/**
 * `dddd.dddd.dddd`, made from the payment's id of 32 hex digits: eight digits of its time in tenths of a second, four
 * of its random end.
 */
export const shortIdOf = (id: string): string => {
  const time = (tenthsOf(id) % ROUND).toString().padStart(8, '0');
  const end = (Number.parseInt(id.slice(-8), 16) % 1e4).toString().padStart(4, '0');
  return `${time.slice(0, 4)}.${time.slice(4)}.${end}`;
};

const tenthsOf = (id: string): number => Math.floor(Number.parseInt(id.slice(1, 12), 16) / TENTH_MS);

/** From the first of these up to the last, exclusive: prefixes of ids. */
export type IdRange = readonly [from: string, to: string];

/**
 * The ranges of ids that a short id can stand for between `firstId` and `lastId`: one tenth of a second in each round.
 * So a short id is found by the order of the ids, without an index of its own.
 */
export const idRangesOf = (shortId: string, firstId: string, lastId: string): readonly IdRange[] => {
  if (!/^\d{4}\.\d{4}\.\d{4}$/.test(shortId)) return [];
  const within = Number(shortId.slice(0, 4) + shortId.slice(5, 9));
  const ranges: IdRange[] = [];
  const start = Math.floor(tenthsOf(firstId) / ROUND) * ROUND + within;
  for (let tenths = start; tenths <= tenthsOf(lastId); tenths += ROUND)
    for (const prefix of BEGINNINGS) ranges.push([idOf(prefix, tenths), idOf(prefix, tenths + 1)]);
  return ranges;
};

const idOf = (prefix: string, tenths: number): string => prefix + (tenths * TENTH_MS).toString(16).padStart(11, '0');

// The index of short ids: kept for a while, and dropped when ids were found by the time in a short id.

/** PostgreSQL has had the index since its first version. */
export const shortIdSteps: Readonly<Record<'sqlite' | 'postgres', MigrationStep>> = {
  sqlite: { kind: 'expands', statements: ['create index payment_short on payment (short_id)'] },
  postgres: { kind: 'expands', statements: [] },
};

/** An older version still finds its payments, only more slowly. */
export const shortIdByTimeStep: MigrationStep = { kind: 'expands', statements: ['drop index if exists payment_short'] };
