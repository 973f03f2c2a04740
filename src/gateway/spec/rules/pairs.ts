/** Parameters that mean nothing alone. */
import { needed, type Rule } from '../operation.ts';

/** Both or neither: an error of the one that is missing. */
export const bothOrNeither = (left: string, right: string): Rule[] => [
  ...needed((sent) => sent[left] !== undefined, [right], `may not be empty when ${left} is sent`),
  ...needed((sent) => sent[right] !== undefined, [left], `may not be empty when ${right} is sent`),
];

/** Needs another one, which may stand alone. */
export const onlyWith = (name: string, other: string): Rule[] =>
  needed((sent) => sent[name] !== undefined, [other], `may not be empty when ${name} is sent`);
