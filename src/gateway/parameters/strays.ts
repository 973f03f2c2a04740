/** A card number in the wrong place: in a parameter that is kept and given back. */
import { hidden, printable } from '../../base/mask.ts';
import { unkept } from './all.ts';
import type { ParameterError } from './errors.ts';

/** Shorter ones are no card's, and would be found in references by chance. */
const NUMBER_MIN = 12;
const message = 'must not hold the card number';

/**
 * One error for each kept parameter that holds the request's own card number, with whatever gaps, in its name or its
 * value; and one for the Idempotency-Key. Numbers that only look like a card's pass: references are full of them.
 */
export const strayNumbers = (pairs: ReadonlyMap<string, string>, key: string | undefined): ParameterError[] => {
  const number = pairs.get('card.number') ?? '';
  if (!/^[0-9]+$/.test(number) || number.length < NUMBER_MIN) return [];
  const holds = (text: string): boolean => text.replace(/[ -]/g, '').includes(number);
  const kept: [string, string][] = [...pairs].filter(([name]) => !unkept.has(name));
  if (key !== undefined) kept.push(['Idempotency-Key', key]);
  return kept
    .filter(([name, value]) => holds(name) || holds(value))
    .map(([name]) => ({ name: printable(name, 128), value: hidden, message }));
};
