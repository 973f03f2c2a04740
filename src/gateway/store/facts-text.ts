/**
 * Facts as JSON that every engine can read. PostgreSQL’s triggers look into it, and it accepts neither U+0000 nor half
 * of a surrogate pair: such a character in a bank’s text must not prevent the writing of a payment whose money has
 * moved.
 */

/**
 * How JSON.stringify writes the unreadable characters. It also matches an escaped backslash before such letters, which
 * does no harm.
 */
const UNREADABLE = /\\u(?:0000|d[89a-f])/;

/** The JSON text, with U+FFFD for every character that an engine would refuse. */
export const factsText = (facts: object): string => {
  const text = JSON.stringify(facts);
  return UNREADABLE.test(text) ? JSON.stringify(facts, replaceUnreadable) : text;
};

const replaceUnreadable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
