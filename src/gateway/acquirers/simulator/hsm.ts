/**
 * The software HSM: keys exist only here and in the hsm-* files beside it. Ciphertext and claimed values go in; card
 * data, verdicts and answers for the chip come out. No key, PIN or PIN verification value ever leaves it.
 */
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { concat } from '../../../base/hex.ts';
import type { Brand } from '../../../emv/brands.ts';
import {
  type CardKeys,
  type CvnName,
  cardKeys,
  cryptogramOf,
  cvnOfIad,
  issuerAuthentication,
  scriptMacOf,
  type TagValues,
} from '../../../emv/cryptogram-versions.ts';
import { cvv } from '../../../emv/cvv.ts';
import { tdesDecryptPinBlock } from '../../../emv/dukpt-tdes.ts';
import { macEquals } from '../../../emv/mac.ts';
import { decodePinBlock, decryptPinBlock4 } from '../../../emv/pin-block.ts';
import { pvv } from '../../../emv/pin-verification.ts';
import {
  aesKeys,
  type BaseKeys,
  type DukptCiphertext,
  type OpenedSred,
  openSred,
  parseBlocks,
  tdesKey,
} from './hsm-sred.ts';
import { type KeySerial, keySerial } from './key-serial.ts';
import { tryParse } from './read-card.ts';

export type HsmKeys = Readonly<
  Record<'bdk' | 'bdkAes128' | 'bdkAes256' | 'imkAc' | 'imkSmi' | 'imkSmc' | 'pvk' | 'cvk', Uint8Array> & {
    pvki: string;
  }
>;

/** A chip in a transaction: its card, and the values of the tags covered by its cryptogram. */
export type ChipData = { readonly brand: Brand; readonly pan: string; readonly psn: string; readonly tags: TagValues };

export type Hsm = {
  /** The name of a card number in stored documents: a keyed hash, 32 hex digits. */
  accountKey(pan: string): string;
  /** Opens encrypted account data (DUKPT data request key, CBC, zero IV, zero padding; ANSI X9.24-1 and X9.24-3). */
  openSred(encrypted: DukptCiphertext): OpenedSred;
  /** Compares PIN verification values; a block that does not open under this card number is `unreadable`. */
  checkPin(
    encrypted: DukptCiphertext,
    account: { pan: string; pin: string },
  ): 'right' | 'wrong' | 'unreadable' | 'badKey';
  /**
   * Whether tag 9F26 is what this card computes over these tags. `malformed`: the version is unknown or a tag is
   * missing.
   */
  checkCryptogram(chip: ChipData): 'genuine' | 'wrong' | 'malformed';
  /** Value of tag 91 for a cryptogram that was found genuine. */
  authenticate(chip: ChipData, verdict: { approve: boolean; arc: string }): Uint8Array | undefined;
  /** A script command with its MAC: value of tag 86. `header` is CLA INS P1 P2; the command carries no data. */
  scriptCommand(chip: ChipData, header: Uint8Array): Uint8Array | undefined;
  /** Whether three digits are the card verification value for this service code (999 for the chip's copy). */
  checkVerificationValue(card: { pan: string; expiry: string; serviceCode: string }, claimed: string): boolean;
};

export const openHsm = (keys: HsmKeys): Hsm => {
  // Names stored documents, so that a stolen store cannot be searched for card numbers. A key object, made once:
  // creating one from bytes takes longer than the hash.
  const indexKey = createSecretKey(
    createHash('sha256').update('account index').update(keys.bdk).update(keys.imkAc).digest(),
  );
  return {
    accountKey: (pan) => createHmac('sha256', indexKey).update(pan).digest('hex').slice(0, 32),
    openSred: (encrypted) => openSred(keys, encrypted),
    checkPin: (encrypted, account) => checkPin(keys, encrypted, account),
    checkCryptogram: (chip) => checkCryptogram(keys, chip),
    authenticate: (chip, verdict) => authenticate(keys, chip, verdict),
    scriptCommand: (chip, header) => scriptCommand(keys, chip, header),
    checkVerificationValue: (card, claimed) => isEqual(cvv({ cvk: keys.cvk, ...card }), claimed),
  };
};

const chipKeys = (hsm: HsmKeys, { brand, pan, psn, tags }: ChipData): { cvn: CvnName; keys: CardKeys } | undefined => {
  const { imkAc, imkSmi, imkSmc } = hsm;
  const iad = tags('9F10');
  const cvn = iad && cvnOfIad(brand, iad);
  return cvn && { cvn, keys: cardKeys({ imkAc, imkSmi, imkSmc, pan, psn }) };
};

const checkPin = (keys: HsmKeys, encrypted: DukptCiphertext, { pan, pin }: { pan: string; pin: string }) => {
  const enteredPin = openPin(keys, encrypted, pan);
  if (typeof enteredPin === 'string') return enteredPin;
  const pinVerificationValue = (input: string) => pvv({ pvk: keys.pvk, pvki: keys.pvki, pin: input, pan });
  return isEqual(pinVerificationValue(enteredPin.pin), pinVerificationValue(pin)) ? 'right' : 'wrong';
};

const checkCryptogram = (keys: HsmKeys, chip: ChipData) => {
  const claimed = chip.tags('9F26');
  const made = tryParse(() => {
    const card = chipKeys(keys, chip);
    return card && cryptogramOf(card.cvn, card.keys, chip.tags);
  });
  if (claimed?.length !== 8 || made === undefined) return 'malformed';
  return macEquals(made, claimed) ? 'genuine' : 'wrong';
};

const authenticate = (keys: HsmKeys, chip: ChipData, { approve, arc }: { approve: boolean; arc: string }) => {
  const cryptogram = chip.tags('9F26');
  const card = chipKeys(keys, chip);
  if (cryptogram === undefined || card === undefined) return undefined;
  return issuerAuthentication(card.cvn, card.keys, { tags: chip.tags, cryptogram, approve, arc });
};

const scriptCommand = (keys: HsmKeys, chip: ChipData, header: Uint8Array): Uint8Array | undefined => {
  const cryptogram = chip.tags('9F26');
  const card = chipKeys(keys, chip);
  if (cryptogram === undefined || card === undefined) return undefined;
  const command = concat(header, Uint8Array.of(8));
  return concat(command, scriptMacOf(card.cvn, card.keys, { tags: chip.tags, cryptogram, command }));
};

/** For verification values: compares digits in constant time. */
const isEqual = (left: string, right: string): boolean => macEquals(Buffer.from(left), Buffer.from(right));

// Decrypts a PIN block for as long as the comparison takes: ISO 9564-1 formats 0, 3 and 4.

/**
 * The PIN's digits, by the shape of the block: 8 bytes under Triple DES DUKPT are format 0 or 3; 16 bytes are format 4,
 * under AES DUKPT, or under AES-128 with the 16 bytes of the Triple DES DUKPT key. `unreadable` for a block that does
 * not open under this card number.
 */
const openPin = (
  keys: BaseKeys,
  encrypted: DukptCiphertext,
  pan: string,
): { pin: string } | 'badKey' | 'unreadable' => {
  const serial = keySerial(encrypted.ksn);
  if (serial === undefined) return 'badKey';
  const block = parseBlocks(encrypted.data);
  if (block === undefined) return 'unreadable';
  const pin = block.length === 16 ? format4(keys, serial, { block, pan }) : formats0and3(keys, serial, { block, pan });
  return pin === undefined ? 'unreadable' : { pin };
};

type Block = { block: Uint8Array; pan: string };

const formats0and3 = (keys: BaseKeys, serial: KeySerial, { block: cipher, pan }: Block): string | undefined => {
  if (cipher.length !== 8 || serial.scheme !== 'tdes') return undefined;
  const block = tdesDecryptPinBlock(tdesKey(keys, serial, 'pin'), cipher);
  const pin =
    tryParse(() => decodePinBlock({ format: 0, block, pan })) ??
    tryParse(() => decodePinBlock({ format: 3, block, pan }));
  block.fill(0);
  return pin;
};

const format4 = (keys: BaseKeys, serial: KeySerial, sealed: Block): string | undefined => {
  const workingKeys = serial.scheme === 'aes' ? aesKeys(keys, serial, 'pin') : [() => tdesKey(keys, serial, 'pin')];
  for (const key of workingKeys) {
    const pin = tryParse(() => decryptPinBlock4({ key: key(), ...sealed }));
    if (pin !== undefined) return pin;
  }
  return undefined;
};
