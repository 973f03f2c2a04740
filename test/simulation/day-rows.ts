/**
 * A day as a list of rows: what people do and what fails, one after another. Leaving out a row does not change the
 * others: the effect of a row depends only on its own numbers.
 */
import { type Dice, dice } from '../support/chance/dice.ts';
import { operations } from './operations.ts';
import { troubles } from './troubles.ts';

export type Row = {
  /** Its number in the whole day, and the seed of the dice that it needs. */
  readonly n: number;
  /** Which of the store's tills. */
  readonly till: number;
  readonly actionName: string;
  /** Numbers from 0 to 9999; the row's table defines their meaning. */
  readonly a: number;
  readonly b: number;
};

export const TILLS = 2;
/** The number of sales, refunds and other operations of each till in a day. */
export const OPERATIONS = 44;
/** Per cent of the operations that meet a fault; some meet two. */
const TROUBLED = 45;

/** The day of this seed. */
export const rowsOfDay = (seed: number): Row[] => {
  const chance = dice(seed);
  const rows: Row[] = [];
  const addRow = (till: number, actionName: string): void => {
    rows.push({ n: rows.length + 1, till, actionName, a: chance.between(0, 9_999), b: chance.between(0, 9_999) });
  };
  for (let round = 0; round < OPERATIONS; round++)
    for (let till = 0; till < TILLS; till++) {
      while (chance.percent(TROUBLED)) addRow(till, nameOf(troubles, chance));
      // Something has to be sold before anything can be refunded.
      addRow(till, round < 2 ? 'sell' : nameOf(operations, chance));
    }
  return rows;
};

const nameOf = (table: Readonly<Record<string, { readonly share: number }>>, chance: Dice): string => {
  const names = Object.entries(table);
  let position = chance.between(
    1,
    names.reduce((sum, [, { share }]) => sum + share, 0),
  );
  for (const [name, { share }] of names) {
    position -= share;
    if (position <= 0) return name;
  }
  throw new Error('the table is empty');
};

export const actionOf = ({ actionName }: Row) => {
  const action = operations[actionName] ?? troubles[actionName];
  if (action === undefined) throw new Error(`no table has ${actionName}`);
  return action;
};

/** Describes the rows for a person. */
export const describeRows = (rows: readonly Row[]): string[] =>
  rows.map((row) => `${String(row.n).padStart(4)}  till ${row.till + 1}  ${actionOf(row).describe(row)}`);
