/** Whether a swipe wants a PIN. Service codes are those of ISO/IEC 7813. */
import { Fault } from '../src/base/fault.ts';
import { wantsPin } from '../src/emv/service-code.ts';

/**
 * Third digit 0, 3 and 5 want a PIN, 6 and 7 where there is a PIN pad; the others, and an unknown code, a signature.
 * Throws `terminal.unready` when the card cannot do without a PIN and the device has no key for it.
 */
export const takesStripePin = (serviceCode: string | undefined, has: { pinKey: boolean }): boolean => {
  if (serviceCode === undefined || !wantsPin(serviceCode)) return false;
  if (has.pinKey) return true;
  if (/[67]$/.test(serviceCode)) return false;
  throw new Fault('terminal.unready', { why: 'the card wants a PIN and it has no PIN key' });
};
