/** The PIN inside an encrypted block, for as long as it takes to compare it: ISO 9564-1 formats 0, 3 and 4. */
import { tdesDecryptPinBlock } from '../../../emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../emv/pin-block.ts';
import { decryptPinBlock4 } from '../../../emv/pin-block-4.ts';
import { aesKeys, type BaseKeys, tdesKey, wholeBlocks } from './hsm-dukpt.ts';
import type { DukptCiphertext } from './hsm-sred.ts';
import { type KeySerial, keySerial } from './key-serial.ts';
import { unlessMalformed } from './malformed.ts';

/**
 * The digits, by the shape of what was sent: 8 bytes under Triple DES DUKPT are format 0 or 3; 16 bytes are format 4,
 * under AES DUKPT, or with AES-128 under the 16 bytes of the Triple DES DUKPT key. `unreadable` for all that does not
 * open under this card number.
 */
export const openPin = (
  keys: BaseKeys,
  sent: DukptCiphertext,
  pan: string,
): { pin: string } | 'badKey' | 'unreadable' => {
  const serial = keySerial(sent.ksn);
  if (serial === undefined) return 'badKey';
  const block = wholeBlocks(sent.data);
  if (block === undefined) return 'unreadable';
  const pin = block.length === 16 ? format4(keys, serial, { block, pan }) : formats0and3(keys, serial, { block, pan });
  return pin === undefined ? 'unreadable' : { pin };
};

type Block = { block: Uint8Array; pan: string };

const formats0and3 = (keys: BaseKeys, serial: KeySerial, { block: cipher, pan }: Block): string | undefined => {
  if (cipher.length !== 8 || serial.scheme !== 'tdes') return undefined;
  const block = tdesDecryptPinBlock(tdesKey(keys, serial, 'pin'), cipher);
  const pin =
    unlessMalformed(() => decodePinBlock({ format: 0, block, pan })) ??
    unlessMalformed(() => decodePinBlock({ format: 3, block, pan }));
  block.fill(0);
  return pin;
};

const format4 = (keys: BaseKeys, serial: KeySerial, sealed: Block): string | undefined => {
  const working = serial.scheme === 'aes' ? aesKeys(keys, serial, 'pin') : [() => tdesKey(keys, serial, 'pin')];
  for (const key of working) {
    const pin = unlessMalformed(() => decryptPinBlock4({ key: key(), ...sealed }));
    if (pin !== undefined) return pin;
  }
  return undefined;
};
