/**
 * What was taken and given back in each quarter of an hour: in all, by brand and by terminal. Kept with each step of a
 * sale, so that the figures of a day cost the same in the evening as in the morning.
 */
import type { Sql } from '../../journal/sql.ts';
import type { Intent } from '../../till/machine/facts.ts';

/** Time zones and nearly all cut-offs are whole quarters of an hour. */
export const QUARTER_MS = 900_000;

/** `total` has no name; `begun` is counted there alone. */
export type TakingsPart = 'total' | 'brand' | 'terminal_id';

const schema = `CREATE TABLE IF NOT EXISTS takings_quarter (part TEXT NOT NULL, at INTEGER NOT NULL, currency TEXT NOT NULL,
  name TEXT NOT NULL, made INTEGER NOT NULL, taken INTEGER NOT NULL, refunded INTEGER NOT NULL, begun INTEGER NOT NULL,
  PRIMARY KEY (part, at, currency, name)) STRICT, WITHOUT ROWID`;

/** What one sale moved, minor units: what was given back is below zero. */
export type Worth = { brand: string; minor: bigint };

export const takingsSums = (sql: Sql) => {
  sql.run(schema);
  const add = ({ at, amount }: Intent, [part, name]: Place, by: Sums): void => {
    if (by.made === 0 && by.taken === 0n && by.refunded === 0n && by.begun === 0) return;
    sql.run(
      `INSERT INTO takings_quarter (part, at, currency, name, made, taken, refunded, begun)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET made = made + excluded.made,
       taken = taken + excluded.taken, refunded = refunded + excluded.refunded, begun = begun + excluded.begun`,
      ...[part, at - (at % QUARTER_MS), amount.currency, name, by.made, by.taken, by.refunded, by.begun],
    );
  };
  const move = (intent: Intent, was: Worth | undefined, is: Worth): void => {
    const sums = difference(was?.minor ?? 0n, is.minor);
    add(intent, ['total', ''], { ...sums, begun: was === undefined ? 1 : 0 });
    add(intent, ['terminal_id', intent.terminalId], sums);
    if (was !== undefined && was.brand !== is.brand) {
      add(intent, ['brand', was.brand], difference(was.minor, 0n));
      add(intent, ['brand', is.brand], difference(0n, is.minor));
    } else add(intent, ['brand', is.brand], sums);
  };
  return {
    /** How many sales are in it. */
    begun: (): number =>
      Number(sql.get("SELECT sum(begun) AS n FROM takings_quarter WHERE part = 'total'")?.['n'] ?? 0),
    clear: (): void => sql.run('DELETE FROM takings_quarter'),
    /** `was`: undefined for a sale that begins. */
    move,
  };
};

type Place = readonly [part: TakingsPart, name: string];
type Sums = { made: number; taken: bigint; refunded: bigint; begun: number };

const difference = (was: bigint, is: bigint): Sums => ({
  made: Number(is > 0n) - Number(was > 0n),
  taken: charged(is) - charged(was),
  refunded: charged(-is) - charged(-was),
  begun: 0,
});

const charged = (minor: bigint): bigint => (minor > 0n ? minor : 0n);
