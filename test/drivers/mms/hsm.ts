/** What the host's HSM finds in a sealed container of an MMS device, and what the card's issuer answers to it. */
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { cardKeys, cryptogramOf, cvnOfIad, issuerAuthentication } from '../../../src/emv/cryptogram-versions.ts';
import { aesDecryptData, aesInitialKey, aesTransactionKey, aesWorkingKey } from '../../../src/emv/dukpt-aes.ts';
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../src/emv/pin-block.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { testKeys } from '../../../src/emv/test-keys.ts';
import { decodeTlv, encodeTlv, find, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';

type Pair = { data: string; ksn: string };

export const workingKey = (ksn: Uint8Array, usage: 'pin' | 'dataRequest' | 'macRequest'): Uint8Array =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

const decrypt = ({ data, ksn }: Pair): Uint8Array => {
  const serial = fromHex(ksn);
  if (serial.length === 10) return tdesDecryptData(workingKey(serial, 'dataRequest'), fromHex(data));
  const key = aesTransactionKey(aesInitialKey(testKeys.bdkAes128, serial.subarray(0, 8)), serial);
  return aesDecryptData(aesWorkingKey(key, { ksn: serial, usage: 'dataEnc', keyType: 'AES128' }), fromHex(data));
};

/** The objects of template FC. */
export const openContainer = (pair: Pair): readonly Tlv[] => find(decodeTlv(decrypt(pair)), 'FC')?.children ?? [];

export const hexIn = (list: readonly Tlv[], tag: string): string =>
  toHex(findDeep(list, tag)?.value ?? new Uint8Array(0));

/** Track 2 of template F4. */
export const openTrack2 = (container: readonly Tlv[]): string => {
  const data = hexIn(container, 'DFDF39');
  const plain = decrypt({ data, ksn: hexIn(container, 'DFDF50') });
  return Buffer.from(plain).toString('latin1').replace(/\0+$/, '');
};

/** The PIN of template F5. */
export const openPin = (container: readonly Tlv[], pan: string): string => {
  const ksn = fromHex(hexIn(container, 'DFDF41'));
  const block = tdesDecryptPinBlock(workingKey(ksn, 'pin'), fromHex(hexIn(container, '99')));
  return decodePinBlock({ format: 0, block, pan });
};

/** The issuer, with nothing but what the container holds. */
export const issuer = (name: TestCardName, container: readonly Tlv[]) => {
  const { pan, psn, brand } = testCard(name);
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan, psn });
  const tags = (tag: string) => findDeep(container, tag)?.value ?? (tag === '9F03' ? new Uint8Array(6) : undefined);
  const cvn = cvnOfIad(brand, tags('9F10') ?? new Uint8Array(0));
  if (cvn === undefined) throw new Error('unknown cryptogram version');
  const cryptogram = tags('9F26') ?? new Uint8Array(0);
  return {
    genuine: toHex(cryptogramOf(cvn, keys, tags)) === toHex(cryptogram),
    answer(approve: boolean): string {
      const arc = approve ? '00' : '05';
      const data = issuerAuthentication(cvn, keys, { tags, cryptogram, approve, arc });
      return toHex(encodeTlv([tlv('8A', new Uint8Array(Buffer.from(arc))), tlv('91', data)]));
    },
  };
};
