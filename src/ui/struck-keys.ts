/** Where keys that were struck came from: a hand at a keyboard, a scanner, or a keyboard on the glass. */

/** Keys closer together than this come from a scanner. */
const HAND_MS = 35;

/** Keys that neither a scanner nor a keyboard on the glass has. */
const hardware = /^(F\d{1,2}|Escape|Alt)$/;

/** A key, when it came, ms, and whether a field has it. */
export type Struck = { key: string; at: number; inField: boolean };

/**
 * Whether this key, after those before it, shows that there is a keyboard: a letter or digit does with a pause before
 * it and behind it.
 */
export const showsKeyboard = (before: readonly Struck[], { key, at, inField }: Struck): boolean => {
  if (hardware.test(key)) return true;
  if (inField) return false;
  if (key === 'Tab') return true;
  const last = before.at(-1);
  const earlier = before.at(-2);
  if (last === undefined || last.inField) return false;
  const isAlone = earlier === undefined || last.at - earlier.at >= HAND_MS;
  return isAlone && at - last.at >= HAND_MS;
};
