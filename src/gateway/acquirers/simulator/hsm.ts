/**
 * The software HSM: the only room with keys. Ciphertext and claims go in; card data, yes or no, and answers for the
 * chip come out. No key, PIN or PIN verification value ever leaves.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { concat, fromHex } from '../../../base/hex.ts';
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
import {
  tdesDecryptData,
  tdesDecryptPinBlock,
  tdesInitialKey,
  tdesTransactionKey,
  tdesWorkingKey,
} from '../../../emv/dukpt-tdes.ts';
import { decodePinBlock } from '../../../emv/pin-block.ts';
import { pvv } from '../../../emv/pvv.ts';
import { type KeySerial, keySerial } from './key-serial.ts';
import { unlessMalformed } from './malformed.ts';
import { type ReadCard, readCard } from './read-card.ts';

export type HsmKeys = Readonly<
  Record<'bdk' | 'imkAc' | 'imkSmi' | 'imkSmc' | 'pvk' | 'cvk', Uint8Array> & { pvki: string }
>;

export type Encrypted = { readonly data: string; readonly ksn: string };

/** A chip in a transaction: whose it is, and the values of the tags its cryptogram was made over. */
export type Chip = { readonly brand: Brand; readonly pan: string; readonly psn: string; readonly tags: TagValues };

export type Hsm = ReturnType<typeof openHsm>;

export const openHsm = (keys: HsmKeys) => {
  // Memory documents are named by this, so that a stolen store cannot be searched for card numbers.
  const indexKey = createHash('sha256').update('account index').update(keys.bdk).update(keys.imkAc).digest();

  const workingKey = (serial: KeySerial, usage: 'pin' | 'dataRequest') =>
    tdesWorkingKey(tdesTransactionKey(tdesInitialKey(keys.bdk, serial.bytes), serial.bytes), usage);

  const chipKeys = ({ brand, pan, psn, tags }: Chip): { cvn: CvnName; keys: CardKeys } | undefined => {
    const iad = tags('9F10');
    const cvn = iad && cvnOfIad(brand, iad);
    return cvn && { cvn, keys: cardKeys({ imkAc: keys.imkAc, imkSmi: keys.imkSmi, imkSmc: keys.imkSmc, pan, psn }) };
  };

  return {
    /** The name of a card number in memory documents: a keyed hash, 32 hex digits. */
    accountKey: (pan: string): string => createHmac('sha256', indexKey).update(pan).digest('hex').slice(0, 32),

    /**
     * Opens encrypted account data (TDES-DUKPT data request key, CBC, zero IV, zero padding; ANSI X9.24-1).
     * `badKey`: no such key serial number. `unreadable`: what comes out is no card data.
     */
    openSred({ data, ksn }: Encrypted): { card: ReadCard; serial: KeySerial } | 'badKey' | 'unreadable' {
      const serial = keySerial(ksn);
      if (serial === undefined) return 'badKey';
      const cipher = wholeBlocks(data);
      if (cipher === undefined) return 'unreadable';
      const plain = tdesDecryptData(workingKey(serial, 'dataRequest'), cipher);
      const card = unlessMalformed(() => readCard(plain));
      plain.fill(0);
      return card === undefined ? 'unreadable' : { card, serial };
    },

    /** Compares PIN verification values; a block that does not open under this card number is `unreadable`. */
    checkPin(sent: Encrypted, account: { pan: string; pin: string }): 'right' | 'wrong' | 'unreadable' | 'badKey' {
      const serial = keySerial(sent.ksn);
      if (serial === undefined) return 'badKey';
      const cipher = wholeBlocks(sent.data);
      if (cipher?.length !== 8) return 'unreadable';
      const block = tdesDecryptPinBlock(workingKey(serial, 'pin'), cipher);
      const pin = unlessMalformed(() => decodePinBlock({ format: 0, block, pan: account.pan }));
      block.fill(0);
      if (pin === undefined) return 'unreadable';
      const verification = (entered: string) => pvv({ pvk: keys.pvk, pvki: keys.pvki, pin: entered, pan: account.pan });
      return same(verification(pin), verification(account.pin)) ? 'right' : 'wrong';
    },

    /** Whether tag 9F26 is what this card makes over these tags. `malformed`: version unknown or a tag is missing. */
    checkCryptogram(chip: Chip): 'genuine' | 'wrong' | 'malformed' {
      const claimed = chip.tags('9F26');
      const made = unlessMalformed(() => {
        const card = chipKeys(chip);
        return card && cryptogramOf(card.cvn, card.keys, chip.tags);
      });
      if (claimed?.length !== 8 || made === undefined) return 'malformed';
      return timingSafeEqual(made, claimed) ? 'genuine' : 'wrong';
    },

    /** Value of tag 91 for a cryptogram that was found genuine. */
    authenticate(chip: Chip, { approve, arc }: { approve: boolean; arc: string }): Uint8Array | undefined {
      const cryptogram = chip.tags('9F26');
      const card = chipKeys(chip);
      if (cryptogram === undefined || card === undefined) return undefined;
      return issuerAuthentication(card.cvn, card.keys, { tags: chip.tags, cryptogram, approve, arc });
    },

    /** A script command with its MAC: value of tag 86. `header` is CLA INS P1 P2; the command carries no data. */
    scriptCommand(chip: Chip, header: Uint8Array): Uint8Array | undefined {
      const cryptogram = chip.tags('9F26');
      const card = chipKeys(chip);
      if (cryptogram === undefined || card === undefined) return undefined;
      const command = concat(header, Uint8Array.of(8));
      return concat(command, scriptMacOf(card.cvn, card.keys, { tags: chip.tags, cryptogram, command }));
    },

    /** Whether three digits are the card verification value for this service code (999 for the chip's copy). */
    checkVerificationValue(card: { pan: string; expiry: string; serviceCode: string }, claimed: string): boolean {
      return same(cvv({ cvk: keys.cvk, ...card }), claimed);
    },
  };
};

const CIPHER_MAX_BYTES = 1024;

const wholeBlocks = (hex: string): Uint8Array | undefined => {
  const ok =
    hex.length > 0 && hex.length <= 2 * CIPHER_MAX_BYTES && hex.length % 16 === 0 && /^[0-9A-Fa-f]+$/.test(hex);
  return ok ? fromHex(hex) : undefined;
};

const same = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
