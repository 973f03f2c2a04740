/** The host API's parameterErrors: our texts, wire names, nothing secret. */
import { hidden, printable } from '../../../base/mask.ts';
import { nearestName } from './nearest.ts';
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
  { row, mustBe = row.mustBe }: { row: ParameterRow; mustBe?: string },
) => errorOf(name, printValue(value, row), `must be ${mustBe}`);

export const missingError = (name: string): ParameterError => errorOf(name, null, EMPTY);

export const ruleError = (
  name: string,
  value: string | undefined,
  { row, message }: { row?: ParameterRow; message: string },
) => errorOf(name, value === undefined ? null : printValue(value, row), message);

/** A name that the operation does not accept. Its value may be anything, so it is not shown. */
export const unknownParameterError = (name: string, canonical: string, names: readonly string[]): ParameterError => {
  const suggestion = nearestName(canonical, names);
  const message = 'is not an allowed parameter';
  const index = suggestion?.includes('[n]') ? ' with n from 0 to 999' : '';
  return errorOf(name, hidden, suggestion === undefined ? message : `${message}, did you mean ${suggestion}${index}?`);
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
