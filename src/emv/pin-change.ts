/** The script command that changes the PIN in a chip, built as each cryptogram version wants it. */
import { Fault } from '../base/fault.ts';
import { concat } from '../base/hex.ts';
import { type CvnName, versionOf } from './cryptogram-table.ts';
import { type CardKeys, type CryptogramTransaction, messagingKey, scriptMacOf } from './cryptogram-versions.ts';
import { newPinBlock, pinChangeData, visPinBlock } from './script.ts';

/** PIN CHANGE/UNBLOCK (EMV Book 3, 6.5.10): P2 02 sets a new PIN, 01 has the card check the current one as well. */
const header = { class: 0x84, instruction: 0x24, withCurrent: 0x01, without: 0x02 };

/**
 * The whole command, header to MAC. Only Visa's versions take the current PIN along.
 * Throws `pin.block`, `key.malformed`, `emv.malformed`.
 */
export const pinChangeCommand = (
  cvn: CvnName,
  keys: CardKeys,
  { pin, currentPin, ...transaction }: CryptogramTransaction & { pin: string; currentPin?: string },
): Uint8Array => {
  const { pinBlock, pinEncryption } = versionOf(cvn);
  if (currentPin !== undefined && pinBlock === 'iso2') {
    throw new Fault('emv.malformed', { what: 'A PIN change', why: 'this scheme does not send the current PIN along' });
  }
  const visBlock = pinBlock === 'vis' || currentPin !== undefined;
  const current = currentPin === undefined ? {} : { currentPin };
  const block = visBlock ? visPinBlock({ mkAc: keys.mkAc, pin, ...current }) : newPinBlock(pin);
  const key = messagingKey(cvn, keys.mkSmc, transaction);
  const data = pinChangeData({ encryption: pinEncryption, key, pinBlock: block });
  const p2 = currentPin === undefined ? header.without : header.withCurrent;
  const command = concat(Uint8Array.of(header.class, header.instruction, 0, p2, data.length + 8), data);
  return concat(command, scriptMacOf(cvn, keys, { ...transaction, command }));
};
