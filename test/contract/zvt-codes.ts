/** The result codes of a ZVT terminal for each ending; the host's codes are binary: 33 is 51. */
import type { Integrated } from './integrated-terminal.ts';

export const zvtCodes: Integrated['codes'] = {
  noMoney: '33',
  stolen: '2B',
  wrongPin: '37',
  chipRefuses: '72',
  pulled: '64',
  stopped: '6C',
  unknownReceipt: 'B5',
  alreadyReversed: 'B4',
};
