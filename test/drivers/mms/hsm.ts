/** What the host's HSM finds in an encrypted container of an MMS device. */
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { aesDecryptData, aesInitialKey, aesTransactionKey, aesWorkingKey } from '../../../src/emv/dukpt-aes.ts';
import { testKeys } from '../../../src/emv/test-cards.ts';
import { decodeTlv, find, findDeep, type Tlv } from '../../../src/emv/tlv.ts';
import { openTdesPin, openTdesSred, type Pair } from '../../support/devices/driver-hsm.ts';

const decrypt = ({ data, ksn }: Pair): Uint8Array => {
  const serial = fromHex(ksn);
  if (serial.length === 10) return fromHex(openTdesSred({ data, ksn }));
  const key = aesTransactionKey(aesInitialKey(testKeys.bdkAes128, serial.subarray(0, 8)), serial);
  return aesDecryptData(aesWorkingKey(key, { ksn: serial, usage: 'dataEnc', keyType: 'AES128' }), data);
};

/** The objects of template FC. */
export const openContainer = (pair: Pair): readonly Tlv[] => find(decodeTlv(decrypt(pair)), 'FC')?.children ?? [];

export const hexIn = (list: readonly Tlv[], tag: string): string =>
  toHex(findDeep(list, tag)?.value ?? new Uint8Array(0));

/** Track 2 of template F4. */
export const openTrack2 = (container: readonly Tlv[]): string => {
  const data = fromHex(hexIn(container, 'DFDF39'));
  const plain = decrypt({ data, ksn: hexIn(container, 'DFDF50') });
  return Buffer.from(plain).toString('latin1').replace(/\0+$/, '');
};

/** The PIN of template F5. */
export const openPin = (container: readonly Tlv[], pan: string): string =>
  openTdesPin({ data: fromHex(hexIn(container, '99')), ksn: hexIn(container, 'DFDF41') }, pan);

/** The container of a card's one ciphertext. */
export const sealedOf = (card: { sred: readonly Pair[] }): readonly Tlv[] => {
  const [pair] = card.sred;
  if (pair === undefined || card.sred.length !== 1) throw new Error('not one ciphertext');
  return openContainer(pair);
};
