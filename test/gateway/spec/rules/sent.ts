/** Requests for the tests of rules: described by their parameter names, with the rows' examples as values. */
import type { ApiOperation } from '../../../../src/gateway/spec/operation.ts';
import { type Parsed, parserOf, type Strictness } from '../../../../src/gateway/spec/parameters/parser.ts';
import type { Rows } from '../../../../src/gateway/spec/parameters/row.ts';

export type Values = Readonly<Record<string, string>>;

/** Names separated by spaces; `name=value` if the example does not fit. */
export const sentOf = (rows: Rows, names: string): Values =>
  Object.fromEntries(
    names
      .split(/\s+/)
      .filter((name) => name !== '')
      .map((part): [string, string] => {
        const [name = '', value] = part.split('=');
        return [name, value ?? rows[name]?.example ?? ''];
      }),
  );

/** The errors of the operation's parser, by name. */
export const errorsOf = (
  operation: ApiOperation,
  form: Values,
  strictness: Strictness = 'strict',
): Record<string, string> => messagesOf(parserOf(operation)(form, strictness));

/** The same on a channel that authenticates cardholders. */
export const errorsWithSecure = (operation: ApiOperation, form: Values): Record<string, string> =>
  messagesOf(parserOf(operation)(form, 'strict', { authenticating: true }));

const messagesOf = (parsed: Parsed<unknown>): Record<string, string> =>
  'errors' in parsed ? Object.fromEntries(parsed.errors.map(({ name, message }) => [name, message])) : {};
