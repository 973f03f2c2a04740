/**
 * Content of a file in the till's folder that this version does not know, because a newer version wrote it or a person
 * mistyped it. It has no effect, is reported by name, and is written back unchanged whenever the file is saved. It is
 * attached to its object under a symbol, so that copies of the object carry it, invisibly to all other code.
 */
import * as z from 'zod';
import { nearestName } from '../gateway/spec/parameters/nearest.ts';

const UNKNOWN = Symbol('unknown');

type UnknownEntry = {
  /** Whether the key itself is unknown, or its value. */
  readonly what: 'key' | 'value';
  /** The unknown key's or value's content, as it was in the file. */
  readonly raw?: unknown;
  /** The value used instead while this version runs. */
  readonly instead?: unknown;
  /** List members that this version cannot use. */
  readonly dropped?: readonly unknown[];
  /** The known key that was probably meant. */
  readonly nearest?: string;
};

type JsonFields = Readonly<Record<string, unknown>>;
type Holder = { [UNKNOWN]?: Readonly<Record<string, UnknownEntry>> };

/** A known key whose unknown values are ignored. Unknown values of all other keys are refused. */
export type IgnoredKey = {
  /** Dotted, with list members by their index. */
  readonly path: RegExp;
  /** The value used instead; if absent, the key counts as missing. */
  readonly instead?: unknown;
};

const isRecord = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema without its optional wrappers, and the value as the schema first reads it. */
const unwrap = (shape: unknown, value: unknown): [shape: unknown, value: unknown] => {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodExactOptional) return unwrap(shape.unwrap(), value);
  if (!(shape instanceof z.ZodPipe)) return [shape, value];
  if (!(shape.in instanceof z.ZodTransform)) return unwrap(shape.out, value);
  const read = shape.in.safeParse(value);
  // An unreadable value is left whole, so that the schema reports the reason.
  return read.success ? unwrap(shape.out, read.data) : [undefined, value];
};

/** A copy with only what the schema can know; the rest is attached to the copy. */
export const knownOf = (shape: unknown, value: unknown, passed: readonly IgnoredKey[] = []): unknown =>
  pickKnown(shape, value, { passed, path: '' });

type At = { readonly passed: readonly IgnoredKey[]; readonly path: string };

const pickKnown = (input: unknown, raw: unknown, at: At): unknown => {
  const [shape, value] = unwrap(input, raw);
  if (shape instanceof z.ZodArray && Array.isArray(value))
    return value.map((member, index) => pickKnown(shape.element, member, placeBelow(at, String(index))));
  if (!isRecord(value)) return value;
  if (shape instanceof z.ZodObject) return pickKnownKeys(value, shape.shape as JsonFields, at);
  return value;
};

const placeBelow = ({ passed, path }: At, name: string): At => ({
  passed,
  path: path === '' ? name : `${path}.${name}`,
});

const pickKnownKeys = (value: JsonFields, shapes: JsonFields, at: At): unknown => {
  const names = Object.keys(shapes);
  const unknownEntries: [string, UnknownEntry][] = [];
  const entries = Object.entries(value).flatMap(([name, raw]): [string, unknown][] => {
    if (!Object.hasOwn(shapes, name)) {
      const meant = nearestName(name, names);
      unknownEntries.push([name, { what: 'key', raw, nearest: meant }]);
      return [];
    }
    const place = placeBelow(at, name);
    const [inner, saved] = passedOver(shapes[name], pickKnown(shapes[name], raw, place), place);
    if (saved !== undefined) unknownEntries.push([name, { ...saved, ...('raw' in saved && { raw }) }]);
    return inner === undefined ? [] : [[name, inner]];
  });
  return withUnknown(Object.fromEntries(entries), Object.fromEntries(unknownEntries));
};

/** The value to use, and the record of an unusable one. */
const passedOver = (shape: unknown, value: unknown, at: At): [unknown, UnknownEntry?] => {
  const row = at.passed.find(({ path }) => path.test(at.path));
  if (row !== undefined && shape instanceof z.ZodType && !shape.safeParse(value).success)
    return [row.instead, { what: 'value', raw: value, instead: row.instead }];
  const [list] = unwrap(shape, value);
  if (!(list instanceof z.ZodArray && Array.isArray(value))) return [value];
  if (!at.passed.some(({ path }) => path.test(`${at.path}.0`))) return [value];
  const { element } = list;
  const isUsed = (member: unknown): boolean => element instanceof z.ZodType && element.safeParse(member).success;
  const dropped = value.filter((member) => !isUsed(member)).map(writable);
  return dropped.length === 0 ? [value] : [value.filter(isUsed), { what: 'value', dropped }];
};

const withUnknown = <T extends object>(value: T, unknownEntries: Readonly<Record<string, UnknownEntry>>): T =>
  Object.keys(unknownEntries).length === 0 ? value : Object.assign(value, { [UNKNOWN]: unknownEntries });

/** `to` was made from `from`, key by key: moves the attached unknown content over. */
export const carryUnknown = <T>(from: unknown, to: T): T => {
  if (Array.isArray(from) && Array.isArray(to)) for (const [i, member] of from.entries()) carryUnknown(member, to[i]);
  if (!isRecord(from) || !isRecord(to)) return to;
  const unknownEntries = (from as Holder)[UNKNOWN];
  if (unknownEntries !== undefined) withUnknown(to, unknownEntries);
  for (const [name, inner] of Object.entries(from)) carryUnknown(inner, (to as JsonFields)[name]);
  return to;
};

/** Parses a value with a schema, and attaches what it does not know to the result. Throws as the schema does. */
export const parsedKnown = <T>(shape: z.ZodType<T>, value: unknown, passed: readonly IgnoredKey[] = []): T => {
  const from = knownOf(shape, value, passed);
  return carryUnknown(from, shape.parse(from));
};

/** The value as it is written to the file, with all unknown content. */
export const writable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(writable);
  if (!isRecord(value)) return value;
  const all = new Map(Object.entries(value).map(([name, inner]) => [name, writable(inner)]));
  for (const [name, saved] of Object.entries((value as Holder)[UNKNOWN] ?? {})) {
    const now = all.get(name);
    if (saved.dropped !== undefined) all.set(name, [...(Array.isArray(now) ? now : []), ...saved.dropped]);
    else if (now === undefined || now === saved.instead) all.set(name, saved.raw);
  }
  return Object.fromEntries(all);
};

export type UnknownKey = {
  /** Dotted. */
  readonly path: string;
  /** Whether the `key` is unknown, or only its `value`. */
  readonly what: 'key' | 'value';
  readonly nearest?: string;
};

/** No schema is deeper, but imported data may be. */
const DEEPEST = 16;

/** Everything unknown, by name and never by value, which may be a secret. */
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
