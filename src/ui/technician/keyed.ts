/** Names for the lines of a list in which the same text may stand twice. */

/** Each value with a key of its own: its text, and which of those with this text it is. */
export const keyed = <T>(values: readonly T[], textOf: (value: T) => string): { key: string; value: T }[] => {
  const seen = new Map<string, number>();
  return values.map((value) => {
    const text = textOf(value);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return { key: `${text} ${times}`, value };
  });
};
