/**
 * Issuer script commands as the simulated chip reads them: the MAC at the end, and what the command does to the chip.
 */

/** MACs that cards use: the whole eight bytes here. */
const macLength = 8;

/** The command without its MAC (its Lc still counts the MAC) and the MAC; undefined when the lengths disagree. */
export const macOf = (apdu: Uint8Array): { command: Uint8Array; mac: Uint8Array } | undefined => {
  const length = apdu[4];
  if (length === undefined || length < macLength || apdu.length !== 5 + length) return undefined;
  return { command: apdu.subarray(0, apdu.length - macLength), mac: apdu.subarray(apdu.length - macLength) };
};

export type ScriptEffect = 'block' | 'unblock' | 'unblockPin' | 'data';

/**
 * EMV Book 3 section 6.5 commands: application and card block, unblock, PIN unblock, PUT DATA and UPDATE RECORD.
 * Undefined for others, and for a PIN change: the PIN of a test card does not change.
 */
export const scriptEffect = (apdu: Uint8Array): ScriptEffect | undefined => {
  const [, instruction, , p2] = apdu;
  switch (instruction) {
    case 0x16:
    case 0x1e:
      return 'block';
    case 0x18:
      return 'unblock';
    case 0x24:
      return p2 === 0 ? 'unblockPin' : undefined;
    case 0xda:
    case 0xdc:
      return 'data';
    default:
      return undefined;
  }
};
