/** What the host's HSM decrypts from a device's ciphertexts with the test keys, and what a card's issuer answers. */
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { cardKeys, cryptogramOf, cvnOfIad, issuerAuthentication } from '../../../src/emv/cryptogram-versions.ts';
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../src/emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../src/emv/pin-block.ts';
import { type TestCardName, testCard, testKeys } from '../../../src/emv/test-cards.ts';
import { decodeTlv, encodeTlv, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';

/** A ciphertext and its key serial number, in hex. */
export type Pair = { data: Uint8Array; ksn: string };

/** The Triple DES DUKPT key for this serial number. */
export const workingKey = (ksn: Uint8Array, usage: 'pin' | 'dataRequest' | 'macRequest'): Uint8Array =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(testKeys.bdk, ksn), ksn), usage);

/** Decrypts card data with Triple DES DUKPT, hex. */
export const openTdesSred = ({ data, ksn }: Pair): string =>
  toHex(tdesDecryptData(workingKey(fromHex(ksn), 'dataRequest'), data));

/** The PIN in a format 0 block under Triple DES DUKPT. */
export const openTdesPin = ({ data, ksn }: Pair, pan: string): string =>
  decodePinBlock({ format: 0, block: tdesDecryptPinBlock(workingKey(fromHex(ksn), 'pin'), data), pan });

/** The issuer, with only the card data that would reach it: TLV hex, or objects. */
export const issuer = (name: TestCardName, icc: string | readonly Tlv[]) => {
  const list = typeof icc === 'string' ? decodeTlv(fromHex(icc)) : icc;
  const { pan, psn, brand } = testCard(name);
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan, psn });
  const tags = (tag: string) => findDeep(list, tag)?.value ?? (tag === '9F03' ? new Uint8Array(6) : undefined);
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
