/** A new PIN, typed twice. Whether it is guessed too easily, the till says. */

export type Pins = { pin: string; again: string };

/** Nothing is said against the second one before it is as long as the first. */
export const pinFault = ({ pin, again }: Pins): 'short' | 'differs' | 'unfinished' | undefined => {
  if (pin.length < 4) return 'short';
  if (pin === again) return undefined;
  return again.length >= pin.length || !pin.startsWith(again) ? 'differs' : 'unfinished';
};
