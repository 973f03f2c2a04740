/** ZVT's codes for what the pretend issuer and the reader say. */

import type { IssuerRefusal } from '../../simulation/pretend-issuer.ts';
import type { Verification } from '../../terminal.ts';

/** The result code of each refusal, two hex digits. What comes from a host is its code in binary: 33 is 51. */
export const codeOf: Readonly<Record<IssuerRefusal, string>> = {
  pulled: '64',
  typed: 'C5',
  unsupported: '65',
  chipRefuses: '72',
  useChip: '7C',
  lost: '29',
  stolen: '2B',
  restricted: '3E',
  expired: '78',
  wrongPin: '37',
  noMoney: '33',
  stopped: '6C',
};

/** Tag 1F10: how the holder was verified. */
export const verificationCode: Readonly<Record<Verification, string>> = {
  onlinePin: '02',
  offlinePin: '03',
  signature: '01',
  device: '00',
  none: '00',
};
