/** The bits of terminal verification results and transaction status information that the simulated kernel sets. */

/** One bit as the EMV books count them: byte from 1, bit 8 the highest. */
export type Bit = readonly [byte: number, bit: number];

/** Terminal verification results, tag 95 (EMV Book 3 Annex C5). */
export const tvrBits = {
  dataAuthenticationNotPerformed: [1, 8],
  expired: [2, 7],
  verificationFailed: [3, 8],
  unrecognisedMethod: [3, 7],
  pinTriesExceeded: [3, 6],
  noPinPad: [3, 5],
  onlinePinEntered: [3, 3],
  floorLimitExceeded: [4, 8],
  forcedOnline: [4, 4],
  issuerAuthenticationFailed: [5, 7],
  scriptFailedBefore: [5, 6],
  scriptFailedAfter: [5, 5],
} as const satisfies Record<string, Bit>;

/** Transaction status information, tag 9B (EMV Book 3 Annex C6). */
export const tsiBits = {
  dataAuthentication: [1, 8],
  cardholderVerification: [1, 7],
  cardRiskManagement: [1, 6],
  issuerAuthentication: [1, 5],
  terminalRiskManagement: [1, 4],
  scriptProcessing: [1, 3],
} as const satisfies Record<string, Bit>;

/** Sets the bit in place. */
export const mark = (field: Uint8Array, [byte, bit]: Bit): void => {
  field[byte - 1] = (field[byte - 1] ?? 0) | (1 << (bit - 1));
};

export const isMarked = (field: Uint8Array, [byte, bit]: Bit): boolean =>
  ((field[byte - 1] ?? 0) & (1 << (bit - 1))) !== 0;

/** Whether any bit is set in both. */
export const meets = (left: Uint8Array, right: Uint8Array): boolean =>
  left.some((byte, at) => (byte & (right[at] ?? 0)) !== 0);
