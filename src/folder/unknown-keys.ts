/**
 * What stands in a file of the till's folder and is not known to this version: a newer one has written it, or a person
 * has mistyped it. It decides nothing, is told by name, and is written back as it was whenever the file is saved. It
 * goes with the object that it stood in, under a symbol: whoever copies that object copies it, and nobody else sees it.
 */
import * as z from 'zod';
import { nearest } from '../gateway/spec/parameters/nearest.ts';

const UNKNOWN = Symbol('unknown');

type Kept = {
  /** Whether the key itself is not known, or its value. */
  readonly what: 'key' | 'value';
  /** A key that is not known, or a known one's value that is not: as it stood in the file. */
  readonly raw?: unknown;
  /** What stands in its place while this version runs. */
  readonly instead?: unknown;
  /** Members of a list that this version cannot use. */
  readonly dropped?: readonly unknown[];
  /** The known key that was probably meant. */
  readonly nearest?: string;
};

type JsonFields = Readonly<Record<string, unknown>>;
type Holder = { [UNKNOWN]?: Readonly<Record<string, Kept>> };

/** A known key whose value is passed over where this version does not know it. What is not among them is refused. */
export type PassedOver = {
  /** Dotted, list members by their number. */
  readonly path: RegExp;
  /** What is taken instead; left out, the key counts as not given. */
  readonly instead?: unknown;
};

const isRecord = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape without what says that a value may be missing, and the value as the shape would first read it. */
const bare = (shape: unknown, value: unknown): [shape: unknown, value: unknown] => {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodExactOptional) return bare(shape.unwrap(), value);
  if (!(shape instanceof z.ZodPipe)) return [shape, value];
  if (!(shape.in instanceof z.ZodTransform)) return bare(shape.out, value);
  const read = shape.in.safeParse(value);
  // What cannot be read is left whole, for the shape to say why.
  return read.success ? bare(shape.out, read.data) : [undefined, value];
};

/** A copy in which nothing is left but what the shape can know; what was taken out goes with the copy. */
export const knownOf = (shape: unknown, value: unknown, passed: readonly PassedOver[] = []): unknown =>
  known(shape, value, { passed, path: '' });

type At = { readonly passed: readonly PassedOver[]; readonly path: string };

const known = (given: unknown, raw: unknown, at: At): unknown => {
  const [shape, value] = bare(given, raw);
  if (shape instanceof z.ZodArray && Array.isArray(value))
    return value.map((member, index) => known(shape.element, member, below(at, String(index))));
  if (!isRecord(value)) return value;
  if (shape instanceof z.ZodObject) return knownKeys(value, shape.shape as JsonFields, at);
  return value;
};

const below = ({ passed, path }: At, name: string): At => ({ passed, path: path === '' ? name : `${path}.${name}` });

const knownKeys = (value: JsonFields, shapes: JsonFields, at: At): unknown => {
  const names = Object.keys(shapes);
  const strange: [string, Kept][] = [];
  const entries = Object.entries(value).flatMap(([name, raw]): [string, unknown][] => {
    if (!Object.hasOwn(shapes, name)) {
      const meant = nearest(name, names);
      strange.push([name, { what: 'key', raw, nearest: meant }]);
      return [];
    }
    const here = below(at, name);
    const [inner, kept] = passedOver(shapes[name], known(shapes[name], raw, here), here);
    if (kept !== undefined) strange.push([name, { ...kept, ...('raw' in kept && { raw }) }]);
    return inner === undefined ? [] : [[name, inner]];
  });
  return withUnknown(Object.fromEntries(entries), Object.fromEntries(strange));
};

/** The value that is used, and what is kept of the one that is not. */
const passedOver = (shape: unknown, value: unknown, at: At): [unknown, Kept?] => {
  const row = at.passed.find(({ path }) => path.test(at.path));
  if (row !== undefined && shape instanceof z.ZodType && !shape.safeParse(value).success)
    return [row.instead, { what: 'value', raw: value, instead: row.instead }];
  const [list] = bare(shape, value);
  if (!(list instanceof z.ZodArray && Array.isArray(value))) return [value];
  if (!at.passed.some(({ path }) => path.test(`${at.path}.0`))) return [value];
  const { element } = list;
  const isUsed = (member: unknown): boolean => element instanceof z.ZodType && element.safeParse(member).success;
  const dropped = value.filter((member) => !isUsed(member)).map(writable);
  return dropped.length === 0 ? [value] : [value.filter(isUsed), { what: 'value', dropped }];
};

const withUnknown = <T extends object>(value: T, strange: Readonly<Record<string, Kept>>): T =>
  Object.keys(strange).length === 0 ? value : Object.assign(value, { [UNKNOWN]: strange });

/** `to` is made of `from`, key by key: what went with the one goes with the other. */
export const carryUnknown = <T>(from: unknown, to: T): T => {
  if (Array.isArray(from) && Array.isArray(to)) for (const [at, member] of from.entries()) carryUnknown(member, to[at]);
  if (!isRecord(from) || !isRecord(to)) return to;
  const strange = (from as Holder)[UNKNOWN];
  if (strange !== undefined) withUnknown(to, strange);
  for (const [name, inner] of Object.entries(from)) carryUnknown(inner, (to as JsonFields)[name]);
  return to;
};

/** Reads a value against a shape; what it does not know goes with what it gives. Throws what the shape throws. */
export const parsedKnown = <T>(shape: z.ZodType<T>, value: unknown, passed: readonly PassedOver[] = []): T => {
  const from = knownOf(shape, value, passed);
  return carryUnknown(from, shape.parse(from));
};

/** As it is written into the file: with all that is not known. */
export const writable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(writable);
  if (!isRecord(value)) return value;
  const all = new Map(Object.entries(value).map(([name, inner]) => [name, writable(inner)]));
  for (const [name, kept] of Object.entries((value as Holder)[UNKNOWN] ?? {})) {
    const now = all.get(name);
    if (kept.dropped !== undefined) all.set(name, [...(Array.isArray(now) ? now : []), ...kept.dropped]);
    else if (now === undefined || now === kept.instead) all.set(name, kept.raw);
  }
  return Object.fromEntries(all);
};

export type UnknownKey = {
  /** Dotted. */
  readonly path: string;
  /** `key` is not known, or its `value` is not. */
  readonly what: 'key' | 'value';
  readonly nearest?: string;
};

/** No shape is deeper: what somebody brings may be. */
const DEEPEST = 16;

/** All that was not known, by name and never by value: it may be a secret. */
export const unknownIn = (value: unknown): UnknownKey[] => unknownBelow(value, '', 0);

const unknownBelow = (value: unknown, path: string, depth: number): UnknownKey[] => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const own = Object.entries((value as Holder)[UNKNOWN] ?? {}).map(
    ([name, { what, nearest: meant }]): UnknownKey => ({
      path: at(name),
      what,
      nearest: meant === undefined ? undefined : at(meant),
    }),
  );
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => unknownBelow(inner, at(name), depth + 1))];
};
