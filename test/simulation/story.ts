/**
 * A day as a list of rows: what people do and what goes wrong, one after the other. Any row can be left out and the
 * rest stays as it is: what a row does comes from its own numbers alone.
 */
import { type Dice, dice } from '../support/chance/dice.ts';
import { operations } from './operations.ts';
import { troubles } from './troubles.ts';

export type Row = {
  /** Its number in the whole day; also the seed of the dice it needs. */
  readonly n: number;
  /** Which of the store's tills. */
  readonly till: number;
  readonly what: string;
  /** What it means stands in the row's table: 0 … 9999 each. */
  readonly a: number;
  readonly b: number;
};

export const TILLS = 2;
/** Sales, refunds and so on that each till makes in its day. */
export const OPERATIONS = 44;
/** Of a hundred operations so many meet a trouble, and some of these two. */
const TROUBLED = 45;

/** The day of this seed. */
export const storyOf = (seed: number): Row[] => {
  const chance = dice(seed);
  const rows: Row[] = [];
  const put = (till: number, what: string): void => {
    rows.push({ n: rows.length + 1, till, what, a: chance.between(0, 9_999), b: chance.between(0, 9_999) });
  };
  for (let round = 0; round < OPERATIONS; round++)
    for (let till = 0; till < TILLS; till++) {
      while (chance.percent(TROUBLED)) put(till, nameOf(troubles, chance));
      // Somebody has to have bought something before anything can be given back.
      put(till, round < 2 ? 'sell' : nameOf(operations, chance));
    }
  return rows;
};

const nameOf = (table: Readonly<Record<string, { readonly share: number }>>, chance: Dice): string => {
  const names = Object.entries(table);
  let at = chance.between(
    1,
    names.reduce((sum, [, { share }]) => sum + share, 0),
  );
  for (const [name, { share }] of names) {
    at -= share;
    if (at <= 0) return name;
  }
  throw new Error('the table is empty');
};

export const deedOf = ({ what }: Row) => {
  const deed = operations[what] ?? troubles[what];
  if (deed === undefined) throw new Error(`no table has ${what}`);
  return deed;
};

/** The rows as a person reads them. */
export const tell = (rows: readonly Row[]): string[] =>
  rows.map((row) => `${String(row.n).padStart(4)}  till ${row.till + 1}  ${deedOf(row).tell(row)}`);
