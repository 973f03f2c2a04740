/** From zod's issues to the host API's parameterErrors: our words, wire names, nothing secret. */
import type * as z from 'zod';
import { hidden, printable } from '../../base/mask.ts';
import { isMap, marksOf } from './kinds.ts';
import { nearest } from './nearest.ts';
import type { Rows } from './section.ts';

export type ParameterError = { name: string; value: string | null; message: string };

/** Parameters as they came: flat, maps grouped under their name. Empty values are not among them. */
export type Sent = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const VALUE_SHOWN_MAX = 64;
/** Nobody reads more, and each near miss of a name costs time. */
export const ERRORS_MAX = 100;

/** One error for each parameter, the first that was found; at most a hundred. */
export const parameterErrors = (rows: Rows, sent: Sent, issues: readonly z.core.$ZodIssue[]): ParameterError[] => {
  const found = new Map<string, ParameterError>();
  for (const issue of issues) {
    for (const error of errorsOf(rows, sent, issue)) {
      if (!found.has(error.name) && found.size < ERRORS_MAX) found.set(error.name, error);
    }
  }
  return [...found.values()];
};

const errorsOf = (rows: Rows, sent: Sent, issue: z.core.$ZodIssue): ParameterError[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, ERRORS_MAX)
      .map((name) => ({ name: printable(name, 128), value: hidden, message: stranger(name, rows) }));
  }
  const [name = '', key] = issue.path.map(String);
  const row = rows[name];
  const marks = row === undefined ? undefined : marksOf(row);
  const value = sent[name];
  if (issue.code === 'custom' && issue.message !== 'Invalid input') {
    return [{ name, value: shown(value, marks?.secret), message: issue.message }];
  }
  if (value === undefined) return [{ name, value: null, message: 'may not be empty' }];
  const wants = issue.code === 'invalid_key' ? (marks?.wantsKey ?? 'a valid name') : (marks?.wants ?? 'valid');
  const full = key === undefined ? name : `${name}[${printable(key, 80)}]`;
  const given = key === undefined || typeof value === 'string' ? value : value[key];
  return [{ name: full, value: shown(given, marks?.secret), message: `must be ${wants}` }];
};

const shown = (value: Sent[string] | undefined, secret: string | undefined): string | null => {
  if (value === undefined) return null;
  if (typeof value !== 'string' || secret === 'account' || secret === 'authentication') return hidden;
  return printable(value, VALUE_SHOWN_MAX);
};

const stranger = (name: string, rows: Rows): string => {
  const names = Object.entries(rows).map(([known, row]) => (isMap(row) ? `${known}[NAME]` : known));
  const bare = name.replace(/\[[^\]]*\]$/, '[NAME]');
  const meant = nearest(bare, names);
  return meant === undefined ? 'is not an allowed parameter' : `is not an allowed parameter, did you mean ${meant}?`;
};
