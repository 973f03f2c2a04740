/** A submitted checkout as one request: what the shop gave and the shopper's side added, parsed and checked. */
import { type Incoming, strictnessOf, traitsOf } from '../payments/endpoint.ts';
import { ERRORS_MAX, type ParameterError } from '../spec/parameters/errors.ts';
import type { Parsed, Sent, Strictness, Traits } from '../spec/parameters/parser.ts';
import { submittedRules } from '../spec/rules/checkouts.ts';
import type { Values } from './life.ts';
import { mergedWith } from './merge.ts';

type Submitted<P> = {
  parse: (sent: Sent, strictness: Strictness, traits: Traits) => Parsed<P>;
  incoming: Incoming;
  values: Values;
};

/** All that is wrong is told at once: what is the shop's, what has a wrong form, what breaks a rule. */
export const parsedSubmit = <P>({ parse, incoming, values }: Submitted<P>): Parsed<P> => {
  const { sent, channel, errors, repeats = [] } = incoming;
  const merging = mergedWith(values, sent, channel.entityId);
  const parsed = parse(merging.merged, strictnessOf(channel), traitsOf(channel));
  const broken = submittedRules
    .filter(({ holds }) => !holds(merging.merged))
    .map(({ name, says }) => ({ name, value: null, message: says }));
  const wrong = [...errors, ...merging.errors, ...('errors' in parsed ? parsed.errors : []), ...broken];
  if (wrong.length > 0 || 'errors' in parsed) return { errors: oneOfEach(wrong) };
  return { ...parsed, warnings: [...repeats, ...parsed.warnings] };
};

const oneOfEach = (errors: readonly ParameterError[]): readonly ParameterError[] =>
  [...new Map(errors.toReversed().map((error) => [error.name, error])).values()].toReversed().slice(0, ERRORS_MAX);
