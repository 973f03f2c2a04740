/** Card numbers and tracks that a device has masked in its own way, with its hidden digits already made stars. */
import { hidden } from '../src/base/mask.ts';

/**
 * First six and last four of a number whose other digits may be masked, whatever the device left readable. Anything
 * that is no card number is hidden whole.
 */
export const normalMask = (number: string): string => {
  if (!/^[\d*]{12,19}$/.test(number)) return hidden;
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
};

/** The service code of what follows a track's separator (ISO/IEC 7813); undefined where the device masks it too. */
export const serviceCodeOf = (rest: string): string | undefined => /^\d{3}$/.exec(rest.slice(4, 7))?.[0];
