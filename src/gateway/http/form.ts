/** Decoding of application/x-www-form-urlencoded text, refusing what other decoders guess at. Pure. */
import { printable } from '../../base/mask.ts';
import { aliases } from '../parameters/authentication.ts';
import type { ParameterError } from '../parameters/errors.ts';
import type { Sent } from '../parameters/parser.ts';

export type Form =
  | { kind: 'form'; pairs: Map<string, string>; errors: readonly ParameterError[] }
  | { kind: 'malformed'; why: string };

/** A cart of 1000 items with all of their fields. */
const PAIRS_MAX = 60_000;

/**
 * Names and values of a form. An empty value counts as absent. A name sent twice is an error of that parameter, even
 * with equal values: nobody can know which one is meant. A malformed escape, or one that is not UTF-8, spoils all.
 */
export const decodeForm = (text: string): Form => {
  const pairs = new Map<string, string>();
  const repeated = new Set<string>();
  const parts = text.split('&');
  if (parts.length > PAIRS_MAX) return { kind: 'malformed', why: `It has more than ${PAIRS_MAX} parameters.` };
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const rawName = unescapeForm(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : unescapeForm(part.slice(equals + 1));
    if (rawName === undefined || value === undefined) {
      return { kind: 'malformed', why: 'It has a percent escape that is malformed or not UTF-8.' };
    }
    if (rawName.includes('\0') || value.includes('\0')) {
      return { kind: 'malformed', why: 'It has the character U+0000.' };
    }
    if (value === '') continue;
    const name = aliases.get(rawName) ?? rawName;
    // The same thing under both of its names is no contradiction.
    if (pairs.has(name) && !(name !== rawName && pairs.get(name) === value)) repeated.add(name);
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
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
};

/** The same as an object without a prototype: no name means anything to the language. */
export const gather = (pairs: ReadonlyMap<string, string>): Sent => {
  const sent: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) sent[name] = value;
  return sent;
};
