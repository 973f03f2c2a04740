/** Issuer scripts: the MAC of a command and the data of a PIN change (EMV Book 2, 9; VIS; M/Chip). */
import { concat, fromHex } from '../base/hex.ts';
import { cbcEncrypt, ecbEncrypt } from './cipher-modes.ts';
import { pad, retailMac } from './mac.ts';
import { encodePinBlock, wantPin } from './pin-block.ts';
import { tdes } from './tdes.ts';
import { wantBytes, wantKey } from './want.ts';

/**
 * The MAC of a script command, 8 bytes or the leftmost `length`, under the integrity session key. `data` is the command
 * header and the scheme's insertions, then the command's data. Throws `key.malformed`, `emv.malformed`.
 */
export const scriptMac = ({ key, data, length = 8 }: { key: Uint8Array; data: Uint8Array; length?: number }) =>
  retailMac({ key, data, padding: 2, length });

/** How a scheme encrypts the new PIN block. */
export type PinChangeEncryption = 'mastercard' | 'ccd' | 'visa';

/**
 * The encrypted data of a PIN change under the confidentiality session key. Mastercard: CBC over the bare block, 8
 * bytes. CCD: the same over the block padded with 80, 16 bytes. Visa: ECB over a length byte and the block, padded
 * with 80, 16 bytes. Throws `key.malformed`, `emv.malformed`.
 */
export const pinChangeData = (o: {
  encryption: PinChangeEncryption;
  key: Uint8Array;
  pinBlock: Uint8Array;
}): Uint8Array => {
  wantKey('A confidentiality session key', o.key, [16]);
  wantBytes('A PIN block', o.pinBlock, [8]);
  const cipher = tdes(o.key);
  switch (o.encryption) {
    case 'mastercard':
      return cbcEncrypt(cipher, o.pinBlock);
    case 'ccd':
      return cbcEncrypt(cipher, pad(2, o.pinBlock, 8));
    case 'visa':
      return ecbEncrypt(cipher, pad(2, concat(Uint8Array.of(o.pinBlock.length), o.pinBlock), 8));
  }
};

/** The new PIN as an ISO format 2 block, 8 bytes. Throws `pin.block`. */
export const newPinBlock = (pin: string): Uint8Array => encodePinBlock({ format: 2, pin });

/**
 * The new PIN as Visa's block: 8 bytes, mixed with the card's own master key for cryptograms and, if the card should
 * check it, with the current PIN. Throws `pin.block`, `key.malformed`.
 */
export const visPinBlock = (o: { mkAc: Uint8Array; pin: string; currentPin?: string }): Uint8Array => {
  wantKey('A card master key', o.mkAc, [16]);
  const block = encodePinBlock({ format: 2, pin: o.pin });
  block[0] = o.pin.length;
  if (o.currentPin !== undefined) wantPin(2, o.currentPin);
  const current = fromHex((o.currentPin ?? '').padEnd(16, '0'));
  return block.map((byte, index) => byte ^ (index < 4 ? 0 : (o.mkAc[index] ?? 0)) ^ (current[index] ?? 0));
};
