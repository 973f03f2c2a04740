/** The smallest request that an operation accepts, made from the examples of its rows. */
import type { ApiOperation } from '../../spec/operation.ts';
import type { ParameterRow } from '../../spec/parameters/row.ts';
import { isMany } from './schema.ts';

const card = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
const ROUNDS_MAX = 5;

/** Required names, a card if one may be sent, then whatever the rules still miss. All names without an index. */
export const createExample = ({ accepts, needs, rules }: ApiOperation): Readonly<Record<string, string>> => {
  const example: Record<string, string> = {};
  const add = (name: string): void => {
    const row: ParameterRow | undefined = accepts[name];
    if (row !== undefined && !isMany(name)) example[name] ??= row.example;
  };
  for (const name of [...needs, ...(accepts['card.number'] === undefined ? [] : card)]) add(name);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // A new object each time: rules cache what they learn about a request by its object.
    const sent = { ...example };
    const missing = rules.filter(({ name, holds }) => sent[name] === undefined && !holds(sent));
    if (missing.length === 0) break;
    for (const { name } of missing) add(name);
  }
  return example;
};
