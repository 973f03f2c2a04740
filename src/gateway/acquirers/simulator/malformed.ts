/** Malformed data from outside is an answer to give here, no fault: wrong keys and forged blocks leave it behind. */
import { isFault } from '../../../base/fault.ts';

/** What `read` gives, or undefined when it finds its data malformed. Every other error passes. */
export const unlessMalformed = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (isFault(error, 'tlv.malformed', 'emv.malformed', 'hex.malformed', 'pin.block')) return undefined;
    throw error;
  }
};
