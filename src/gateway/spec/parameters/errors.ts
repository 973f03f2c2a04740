/** The host API's parameterErrors: our texts, wire names, nothing secret. */
import { hidden, printable } from '../../../base/mask.ts';
import { nearest } from './nearest.ts';
import type { ParameterRow } from './row.ts';

export type ParameterError = { name: string; value: string | null; message: string };

const VALUE_PRINTED_MAX = 64;
/** Nobody reads more, and suggesting a similar name takes time for each. */
export const ERRORS_MAX = 100;
const EMPTY = 'may not be empty';

/** A parameter whose value, or whose key, does not have the form that its row requires. */
export const invalidValueError = (
  name: string,
  value: string,
  { row, wants = row.wants }: { row: ParameterRow; wants?: string },
) => errorOf(name, printValue(value, row), `must be ${wants}`);

export const missing = (name: string): ParameterError => errorOf(name, null, EMPTY);

export const broken = (name: string, value: string | undefined, { row, says }: { row?: ParameterRow; says: string }) =>
  errorOf(name, value === undefined ? null : printValue(value, row), says);

/** A name that the operation does not accept. Its value may be anything, so it is not shown. */
export const unknownParameter = (name: string, canonical: string, names: readonly string[]): ParameterError => {
  const meant = nearest(canonical, names);
  const says = 'is not an allowed parameter';
  const index = meant?.includes('[n]') ? ' with n from 0 to 999' : '';
  return errorOf(name, hidden, meant === undefined ? says : `${says}, did you mean ${meant}${index}?`);
};

const errorOf = (name: string, value: string | null, message: string): ParameterError => ({
  name: printable(name, 128),
  value,
  message,
});

const printValue = (value: string, row: ParameterRow | undefined): string =>
  row === undefined || row.secret === 'account' || row.secret === 'authentication'
    ? hidden
    : printable(value, VALUE_PRINTED_MAX);
