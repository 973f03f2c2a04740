/**
 * Freedoms that a maker's document leaves, and habits of real devices that differ from it: a row each, which a
 * simulated terminal plays where it is asked to. Without one it is as strict as the document allows.
 */
import { Fault } from '../../src/base/fault.ts';

export type Dialect = {
  /** What such a terminal does. */
  says: string;
  /** Document and chapter, capture, or a public program that met it. */
  source: string;
  /** Devices that are known for it. */
  models?: string;
  /** What a technician or a cashier sees of it; left out where nothing is to be seen. */
  shows?: string;
  /** Rows about the same thing: one of them at a time. */
  about: string;
  /** No sale can come of it, and every one is refused in words before a card is charged. */
  isRefused?: true;
};

/** By name, as it is typed. */
export type Dialects = Readonly<Record<string, Dialect>>;

/** Throws `command.malformed` for a name that the table has not, and for two rows about the same thing. */
export const chosenDialects = (table: Dialects, names: readonly string[]): ReadonlySet<string> => {
  const chosen = new Set<string>();
  for (const name of names) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (row === undefined) throw malformed(`there is no dialect "${name}": try --dialect list`);
    const other = [...chosen].find((one) => table[one]?.about === row.about);
    if (other !== undefined && other !== name) throw malformed(`${other} and ${name} exclude each other`);
    chosen.add(name);
  }
  return chosen;
};

const malformed = (why: string): Fault => new Fault('command.malformed', { why });

/** Sets of one row each, and of any two that do not exclude each other. */
export const dialectPairs = (table: Dialects): string[][] => {
  const rows = Object.entries(table);
  return rows.flatMap(([name, { about }], at) => [
    [name],
    ...rows.slice(at + 1).flatMap(([other, row]) => (row.about === about ? [] : [[name, other]])),
  ]);
};
