/** The parser of an operation's parameters: all that is wrong is found at once and told by name. */
import type { Operation, Parameters, Rule } from '../operations/operation.ts';
import { broken, ERRORS_MAX, misfit, missing, type ParameterError, stranger } from './errors.ts';
import { type Found, KEY, lookupOf } from './lookup.ts';
import type { Row, Rows } from './row.ts';
import { fits } from './value.ts';

/** Parameters as they came: flat, under their wire names. Empty values are not among them. Without a prototype. */
export type Sent = Readonly<Record<string, string>>;

/** What a lenient channel let pass. */
export type Warning = { name: string; message: string };

export type Parsed<P> = { request: P; warnings: readonly Warning[] } | { errors: readonly ParameterError[] };

export type Strictness = 'strict' | 'lenient';

const MAP_KEYS_MAX = 100;
/** A lenient channel lets a wrong form pass, not a flood. */
const LENIENT_MAX = 2048;

/**
 * The parser of an operation. Format errors, missing parameters and broken rules are reported together, one for each
 * parameter, at most a hundred. A lenient channel gets warnings for unknown names, which are left out, and for
 * customer and address data that breaks its format or a rule about it, which stays.
 */
export const parserOf = <R extends Rows, N extends keyof R>(
  operation: Operation<R, N>,
): ((sent: Sent, strictness: Strictness) => Parsed<Parameters<R, N>>) => {
  const find = lookupOf(operation.accepts);
  const names = Object.keys(operation.accepts);
  const needs = operation.needs as readonly string[];
  const rules = operation.rules as readonly Rule<Rows>[];
  const rowNamed = (name: string): Row | undefined => {
    const found = find(name);
    return found.kind === 'stranger' ? undefined : found.row;
  };

  return (sent, strictness) => {
    const errors = new Map<string, ParameterError>();
    const warnings: Warning[] = [];
    const request: Record<string, string> = Object.create(null);
    const mapSizes = new Map<string, number>();

    /** What is wrong with one parameter; kept for the handler are those whose place is known. */
    const accept = (name: string, value: string, found: Found): ParameterError | undefined => {
      if (found.kind === 'stranger') return stranger(name, found.canonical, names);
      const { row } = found;
      if (found.kind === 'entry') {
        const { key } = row;
        if (key !== undefined && !key.pattern.test(found.key)) return misfit(name, value, { row, wants: key.wants });
        const size = (mapSizes.get(found.map) ?? 0) + 1;
        mapSizes.set(found.map, size);
        if (size > MAP_KEYS_MAX) return broken(name, undefined, { says: `${found.map} has more than 100 names` });
      }
      request[name] = value;
      return fits(row)(value) ? undefined : misfit(name, value, { row });
    };

    for (const name in sent) {
      if (errors.size >= ERRORS_MAX) break;
      const value = sent[name] ?? '';
      const found = find(name);
      const passes = strictness === 'lenient' && value.length <= LENIENT_MAX && isForgiven(found);
      // To tell more strangers than are listed would only cost time.
      if (passes && found.kind === 'stranger' && warnings.length >= ERRORS_MAX) continue;
      const error = accept(name, value, found);
      if (error === undefined) continue;
      if (passes) warn(warnings, error);
      else errors.set(name, error);
    }
    for (const name of needs) if (sent[name] === undefined && !errors.has(name)) errors.set(name, missing(name));
    for (const { name: of, says, holds } of rules) {
      if (errors.has(of) || holds(sent)) continue;
      for (const name of namesOf(of, sent)) {
        const row = rowNamed(name);
        const error = broken(name, sent[name], { row, says });
        if (strictness === 'lenient' && row?.lenient === true) warn(warnings, error);
        else if (!errors.has(name)) errors.set(name, error);
      }
    }
    if (errors.size > 0) return { errors: [...errors.values()].slice(0, ERRORS_MAX) };
    return { request: request as Parameters<R, N>, warnings };
  };
};

/** Adds to the list: of each parameter the first one. */
const warn = (warnings: Warning[], { name, message }: ParameterError): void => {
  const isToldAlready = warnings.some((warning) => warning.name === name);
  if (!isToldAlready && warnings.length < ERRORS_MAX) warnings.push({ name, message });
};

/** The parameters that a rule's error names: of a map each entry, under the name that it came with. */
const namesOf = (name: string, sent: Sent): readonly string[] =>
  name.endsWith(KEY) ? Object.keys(sent).filter((each) => each.startsWith(name.slice(0, 1 - KEY.length))) : [name];

const isForgiven = (found: Found): boolean => found.kind === 'stranger' || found.row.lenient === true;
