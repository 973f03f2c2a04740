/** Runs a file of published vectors as a table: a test for each entry, and none of the file's operations left out. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';

type Vector = { name: string; op: string; inputs: Record<string, unknown>; expected: Record<string, unknown> };

/** The inputs of one vector, by name. A missing name fails the test. */
export type Inputs = {
  has(name: string): boolean;
  text(name: string): string;
  hex(name: string): Uint8Array;
  number(name: string): number;
  /** The values of a transaction, by tag. */
  tags(): (tag: string) => Uint8Array | undefined;
};

const inputsOf = (values: Record<string, unknown>): Inputs => {
  const text = (name: string): string => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`the vector has no text ${name}`);
    return value;
  };
  return {
    has: (name) => values[name] !== undefined,
    text,
    hex: (name) => fromHex(text(name)),
    number: (name) => {
      const value = values[name];
      if (typeof value !== 'number') throw new Error(`the vector has no number ${name}`);
      return value;
    },
    tags: () => {
      const tags = (values.tags ?? values) as Record<string, string>;
      return (tag) => (tags[tag] === undefined ? undefined : fromHex(tags[tag]));
    },
  };
};

/** Our results for the inputs, under the vector's names; only the names that the vector lists are compared. */
export type Operations = Readonly<Record<string, (inputs: Inputs) => Record<string, unknown>>>;

const load = (file: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8')) as Vector[];

/** Whether any of the cryptography functions threw this to refuse its input. */
export const isRefusal = (error: unknown): boolean => isFault(error, 'key.malformed', 'emv.malformed', 'pin.block');

/** One test for each entry, and one test that the table and the file name the same operations. */
export const runVectors = (file: string, operations: Operations, elsewhere: readonly string[] = []): void => {
  const vectors = load(file);
  test(`${file}: every operation is used`, () => {
    const names = new Set(vectors.map(({ op }) => op));
    expect([...names].sort()).toEqual([...Object.keys(operations), ...elsewhere].sort());
  });
  test.each(vectors.filter(({ op }) => !elsewhere.includes(op)))('$op $name', ({ op, inputs, expected }) => {
    const operation = operations[op];
    if (operation === undefined) throw new Error(`no operation ${op}`);
    const run = () => operation(inputsOf(inputs));
    if (expected.error !== undefined) {
      expect(run).toThrow(expect.toSatisfy(isRefusal));
      return;
    }
    expect(run()).toMatchObject(expected);
  });
};
