/**
 * How the answers to stored messages are sorted, by the table of result codes. What it does not sort follows its
 * meaning: a yes or a decline settles, a refusal is for a person, and what nobody understands is asked about.
 */
import { type CodeRow, rowOf, type Sorting } from '../../base/result-codes.ts';
import type { HostAnswer } from '../machine/facts.ts';

export type SortingRow = { readonly sorting: Sorting; readonly mend?: string };

/** DE 39 of networks in which nobody decided: cut-off, issuer not available, no route, malfunction. */
const nobodyDecided: ReadonlySet<string> = new Set(['90', '91', '92', '96']);

/** How this answer is sorted, or undefined: then its meaning decides. `follows`: the message follows a payment. */
export const sortingOf = (
  { code, response }: Pick<HostAnswer, 'code' | 'response'>,
  follows = false,
): SortingRow | undefined => {
  const { sorting, ofFollowers, mend }: CodeRow = rowOf(code);
  if (sorting !== undefined && (follows || ofFollowers !== true))
    return { sorting, ...(mend !== undefined && { mend }) };
  return response !== undefined && nobodyDecided.has(response) ? { sorting: 'undecided' } : undefined;
};
