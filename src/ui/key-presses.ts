/** Where key presses come from: a hand at a keyboard, a scanner, or an on-screen keyboard. */

/** Keys closer together than this come from a scanner. */
const HAND_MS = 35;

/** Keys that neither scanners nor on-screen keyboards have. */
const hardware = /^(F\d{1,2}|Escape|Alt)$/;

/** A key, when it was pressed, ms, and whether a field received it. */
export type KeyPress = { key: string; at: number; inField: boolean };

/**
 * Whether this key, after those before it, shows that there is a keyboard: a letter or digit does, with a pause before
 * and after it.
 */
export const showsKeyboard = (previous: readonly KeyPress[], { key, at, inField }: KeyPress): boolean => {
  if (hardware.test(key)) return true;
  if (inField) return false;
  if (key === 'Tab') return true;
  const last = previous.at(-1);
  const lastButOne = previous.at(-2);
  if (last === undefined || last.inField) return false;
  const isAlone = lastButOne === undefined || last.at - lastButOne.at >= HAND_MS;
  return isAlone && at - last.at >= HAND_MS;
};
