/** The parser of an operation's parameters: finds all errors at once and reports them by name. */
import { createBare } from '../json.ts';
import type { ApiOperation, ParsedParameters, Rule } from '../operation.ts';
import {
  ERRORS_MAX,
  invalidValueError,
  missingError,
  type ParameterError,
  ruleError,
  unknownParameterError,
} from './errors.ts';
import { createFormatTest } from './formats.ts';
import { KEY, lookupOf, type ParameterLookup } from './lookup.ts';
import type { ParameterRow, Rows } from './row.ts';

/** Parameters as sent: flat, by their wire names. Without empty values and without a prototype. */
export type Sent = Readonly<Record<string, string>>;

/** An error that a lenient channel accepted. */
export type Warning = { name: string; message: string };

export type Parsed<P> = { request: P; warnings: readonly Warning[] } | { errors: readonly ParameterError[] };

export type Strictness = 'strict' | 'lenient';

/** The properties of a channel that rules depend on. */
export type Traits = { authenticating: boolean };

const NONE: Traits = { authenticating: false };

const MAP_KEYS_MAX = 100;
/** A lenient channel accepts a wrong format, but not unlimited text. */
const LENIENT_MAX = 2048;

/**
 * Makes the parser of an operation. Format errors, missing parameters and broken rules are reported together, one for
 * each parameter, at most a hundred. A lenient channel gets warnings instead for unknown names, which are dropped, and
 * for customer and address data that break their format or a rule, and for a reference that is too short, which are
 * kept.
 */
export const parserOf = <R extends Rows, N extends keyof R>(
  operation: ApiOperation<R, N>,
): ((sent: Sent, strictness: Strictness, traits?: Traits) => Parsed<ParsedParameters<R, N>>) => {
  const find = lookupOf(operation.accepts);
  const names = Object.keys(operation.accepts);
  const needs = operation.needs as readonly string[];
  const rules = operation.rules as readonly Rule<Rows>[];
  const groups = { always: groupRules(rules.filter(({ on }) => on === undefined)), all: groupRules(rules) };
  const findRow = (name: string): ParameterRow | undefined => {
    const found = find(name);
    return found.kind === 'stranger' ? undefined : found.row;
  };

  return (sent, strictness, { authenticating } = NONE) => {
    const errors = new Map<string, ParameterError>();
    const warnings: Warning[] = [];
    const mapSizes = new Map<string, number>();
    /** Names that the handler does not get. */
    const omitted: string[] = [];

    const checkParameter = (name: string, value: string, found: ParameterLookup): ParameterError | undefined => {
      const error = found.kind === 'row' ? undefined : misplacedError({ name, value, found }, names, mapSizes);
      if (error !== undefined) omitted.push(name);
      if (error !== undefined || found.kind === 'stranger' || createFormatTest(found.row)(value)) return error;
      return invalidValueError(name, value, { row: found.row });
    };

    for (const name in sent) {
      if (errors.size >= ERRORS_MAX) break;
      const value = sent[name] ?? '';
      const found = find(name);
      const isTolerated = strictness === 'lenient' && value.length <= LENIENT_MAX && isForgiven(found, value);
      // Reporting more unknown names than are listed would only take time.
      if (isTolerated && found.kind === 'stranger' && warnings.length >= ERRORS_MAX) {
        omitted.push(name);
        continue;
      }
      const error = checkParameter(name, value, found);
      if (error === undefined) continue;
      if (isTolerated) warn(warnings, error);
      else errors.set(name, error);
    }
    for (const name of needs) if (sent[name] === undefined && !errors.has(name)) errors.set(name, missingError(name));
    forEachBroken(authenticating ? groups.all : groups.always, sent, ({ name: of, message }) => {
      if (errors.has(of)) return;
      for (const name of namesOf(of, sent)) {
        const row = findRow(name);
        const error = ruleError(name, sent[name], { row, message });
        if (strictness === 'lenient' && row?.lenient === true) warn(warnings, error);
        else if (!errors.has(name)) errors.set(name, error);
      }
    });
    if (errors.size > 0) return { errors: [...errors.values()].slice(0, ERRORS_MAX) };
    return { request: (omitted.length === 0 ? sent : omit(sent, omitted)) as ParsedParameters<R, N>, warnings };
  };
};

type Parameter = { name: string; value: string; found: Exclude<ParameterLookup, { kind: 'row' }> };

/** The error of a name without a plain row; undefined if it is allowed. */
const misplacedError = (
  { name, value, found }: Parameter,
  names: readonly string[],
  mapSizes: Map<string, number>,
): ParameterError | undefined => {
  if (found.kind === 'stranger') return unknownParameterError(name, found.canonical, names);
  const { row, map } = found;
  const { key } = row;
  if (key !== undefined && !key.pattern.test(found.key))
    return invalidValueError(name, value, { row, mustBe: key.mustBe });
  const size = (mapSizes.get(map) ?? 0) + 1;
  mapSizes.set(map, size);
  return size > MAP_KEYS_MAX ? ruleError(name, undefined, { message: `${map} has more than 100 names` }) : undefined;
};

type Group = { when: Rule['appliesTo']; rules: Rule[] };

/** Groups consecutive rules with the same condition. */
const groupRules = (rules: readonly Rule[]): readonly Group[] => {
  const groups: Group[] = [];
  for (const rule of rules) {
    const last = groups.at(-1);
    if (last !== undefined && last.when === rule.appliesTo) last.rules.push(rule);
    else groups.push({ when: rule.appliesTo, rules: [rule] });
  }
  return groups;
};

const forEachBroken = (groups: readonly Group[], sent: Sent, notify: (rule: Rule) => void): void => {
  for (const { when, rules } of groups) {
    if (when?.(sent) === false) continue;
    for (const rule of rules) if (!rule.holds(sent)) notify(rule);
  }
};

const omit = (sent: Sent, omitted: readonly string[]): Sent => {
  const rest = Object.assign(createBare<string>(), sent);
  for (const name of omitted) delete rest[name];
  return rest;
};

/** Adds a warning, only the first for each parameter. */
const warn = (warnings: Warning[], { name, message }: ParameterError): void => {
  const isReported = warnings.some((warning) => warning.name === name);
  if (!isReported && warnings.length < ERRORS_MAX) warnings.push({ name, message });
};

/** The names for a rule's error: for a map each entry, for a list each item, as sent. */
const namesOf = (name: string, sent: Sent): readonly string[] => {
  if (name.endsWith(KEY)) return Object.keys(sent).filter((each) => each.startsWith(name.slice(0, 1 - KEY.length)));
  const [list, field] = name.split(INDEX);
  if (list === undefined || field === undefined) return [name];
  return Object.keys(sent).filter((each) => each.startsWith(`${list}[`) && each.endsWith(`]${field}`));
};
const INDEX = '[n]';

const isForgiven = (found: ParameterLookup, value: string): boolean => {
  if (found.kind === 'stranger') return true;
  const { lenient, form } = found.row;
  return lenient === true || (lenient === 'short' && form.kind === 'text' && value.length < form.min);
};
