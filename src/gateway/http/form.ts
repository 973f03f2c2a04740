/** Decoding of application/x-www-form-urlencoded text, refusing what other decoders guess at. Pure. */
import { printable } from '../../base/mask.ts';
import { aliases } from '../parameters/authentication.ts';
import type { ParameterError, Sent } from '../parameters/errors.ts';

export type Form =
  | { kind: 'form'; pairs: ReadonlyMap<string, string>; errors: readonly ParameterError[] }
  | { kind: 'malformed'; why: string };

const PAIRS_MAX = 2000;

/**
 * Names and values of a form. An empty value counts as absent. A name sent twice is an error of that parameter, even
 * with equal values: nobody can know which one is meant. A malformed escape, or one that is not UTF-8, spoils all.
 */
export const decodeForm = (text: string): Form => {
  const pairs = new Map<string, string>();
  const repeated = new Set<string>();
  const parts = text.split('&').filter((part) => part !== '');
  if (parts.length > PAIRS_MAX) return { kind: 'malformed', why: `It has more than ${PAIRS_MAX} parameters.` };
  for (const part of parts) {
    const equals = part.indexOf('=');
    const rawName = unescapeForm(equals < 0 ? part : part.slice(0, equals));
    const value = unescapeForm(equals < 0 ? '' : part.slice(equals + 1));
    if (rawName === undefined || value === undefined) {
      return { kind: 'malformed', why: 'It has a percent escape that is malformed or not UTF-8.' };
    }
    if (`${rawName}${value}`.includes('\0')) return { kind: 'malformed', why: 'It has the character U+0000.' };
    if (value === '') continue;
    const name = aliases.get(rawName) ?? rawName;
    if (pairs.has(name)) repeated.add(name);
    pairs.set(name, value);
  }
  const errors = [...repeated].map((name) => ({
    name: printable(name, 128),
    value: null,
    message: 'must be sent only once',
  }));
  return { kind: 'form', pairs, errors };
};

const unescapeForm = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Groups `name[KEY]` under its map. What is no key of an accepted map stays flat, and is refused by name later. */
export const gather = (pairs: ReadonlyMap<string, string>, maps: ReadonlySet<string>): Sent => {
  const sent: Record<string, string | Record<string, string>> = Object.create(null);
  for (const [name, value] of pairs) {
    const [, map, key] = /^([A-Za-z]+)\[([^[\]]*)\]$/.exec(name) ?? [];
    // A map's bare name is no parameter; with empty brackets it cannot meet the map itself below.
    if (maps.has(name)) {
      sent[`${name}[]`] = value;
      continue;
    }
    // `__proto__` is no key that an object can hold safely.
    if (map === undefined || key === undefined || !maps.has(map) || key === '__proto__') {
      sent[name] = value;
      continue;
    }
    const group = sent[map];
    if (typeof group === 'object') group[key] = value;
    else sent[map] = Object.assign(Object.create(null), { [key]: value });
  }
  return sent;
};
