/** Requests for the tests of rules: named by what they hold, with the values that the rows give as examples. */
import type { ApiOperation } from '../../../../src/gateway/spec/operation.ts';
import { type Parsed, parserOf, type Strictness } from '../../../../src/gateway/spec/parameters/parser.ts';
import type { Rows } from '../../../../src/gateway/spec/parameters/row.ts';

export type Values = Readonly<Record<string, string>>;

/** Names, separated by spaces; `name=value` where the example will not do. */
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

/** What the operation's parser finds wrong, by name. */
export const errorsOf = (operation: ApiOperation, sent: Values, how: Strictness = 'strict'): Record<string, string> =>
  messagesOf(parserOf(operation)(sent, how));

/** The same on a channel that authenticates cardholders. */
export const errorsWithSecure = (operation: ApiOperation, sent: Values): Record<string, string> =>
  messagesOf(parserOf(operation)(sent, 'strict', { authenticating: true }));

const messagesOf = (parsed: Parsed<unknown>): Record<string, string> =>
  'errors' in parsed ? Object.fromEntries(parsed.errors.map(({ name, message }) => [name, message])) : {};
