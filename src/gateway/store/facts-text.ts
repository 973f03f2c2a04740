/**
 * Facts as JSON that every engine can read. PostgreSQL’s triggers look into it, and it takes neither U+0000 nor half of
 * a surrogate pair: a payment whose money has moved must not fail to be written for such a sign in a bank’s text.
 */

/** How JSON.stringify writes what they cannot read. A backslash before such letters is found too: it does no harm. */
const UNREADABLE = /\\u(?:0000|d[89a-f])/;

/** The JSON text, with U+FFFD for every sign that an engine would refuse. */
export const factsText = (facts: object): string => {
  const text = JSON.stringify(facts);
  return UNREADABLE.test(text) ? JSON.stringify(facts, readable) : text;
};

const readable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
