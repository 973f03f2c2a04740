/** One virtual card, read once, in the encoding of each manufacturer's terminals. */
import { virtualCard } from '../../../drivers/simulation/card.ts';
import { stripeOf, track2Check } from '../../../drivers/simulation/card-profile.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createVerifier, firstCryptogram, tapCryptogram } from '../../../drivers/simulation/kernel.ts';
import { type Cipher, createKeySlots, type DukptScheme, type KeySlots } from '../../../drivers/simulation/key-slots.ts';
import { terminalConfig } from '../../../drivers/simulation/terminal-config.ts';
import { openTransaction, pick } from '../../../drivers/simulation/transaction.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { money } from '../../../src/base/money.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import { NOW, nextId } from './shop-counter.ts';

export type Read = {
  by: 'ICC' | 'NFC_ICC' | 'MAGSTRIPE';
  pan: string;
  pin?: string;
  /** The chip's data for the issuer, without account data. */
  icc: readonly Tlv[];
  /** Account data from the chip: 57, 5A, 5F24. */
  account: readonly Tlv[];
  track1: string;
  track2: string;
};

const iccTags = '5F2A 5F34 82 84 95 9A 9C 9F02 9F03 9F09 9F10 9F1A 9F1E 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41';
const amountMinor = 9_900n;

/** Reads a chip by contact or contactless, with a real first cryptogram. Every call is the card's first sale. */
export const readChip = (name: TestCardName, options: { via?: 'chip' | 'tap'; pin?: string } = {}): Read => {
  const { via = 'chip', pin } = options;
  const card = testCard(name);
  const transaction = openTransaction({
    via,
    card: virtualCard(card),
    request: { amountMinor, currency: 'EUR', type: '00', date: '260601', time: '120000' },
    config: terminalConfig,
    unpredictable: fromHex('11223344'),
    sequence: 7,
  });
  if (transaction === undefined) throw new Error('the card does not answer');
  if (via === 'chip') {
    const verifierOfCard = createVerifier(transaction);
    while (verifierOfCard.needs() !== undefined) verifierOfCard.enterPin(pin ?? card.pin);
    firstCryptogram(transaction);
  } else {
    tapCryptogram(transaction);
  }
  return {
    by: via === 'chip' ? 'ICC' : 'NFC_ICC',
    pan: card.pan,
    pin,
    icc: pick(transaction, iccTags.split(' ')),
    account: pick(transaction, ['57', '5A', '5F24']),
    ...stripeOf(card),
  };
};

export const readStripe = (name: TestCardName, pin?: string): Read => ({
  by: 'MAGSTRIPE',
  pan: testCard(name).pan,
  pin,
  icc: [],
  account: [],
  ...stripeOf(testCard(name)),
});

export type Pos = NonNullable<Authorisation['pos']>;
export type Encoding = (read: Read) => Pos;

const hexOf = ({ data, ksn }: { data: Uint8Array; ksn: Uint8Array }) => ({ data: toHex(data), ksn: toHex(ksn) });
const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const keysOf = (scheme: DukptScheme): KeySlots => createKeySlots({ random: seededRandom(11), scheme });

const commonFields = ({ by, pin, pan }: Read, keys: KeySlots, options: Cipher) => ({
  entryMode: by,
  terminalId: '12345678',
  encryptedPin: pin === undefined ? undefined : hexOf(keys.sealPin(pin, pan, options)),
});
const chipHalf = ({ icc }: Read) => (icc.length === 0 ? {} : { iccDataRequest: toHex(encodeTlv(icc)) });

/** Miura: one ciphertext of whole tags, tracks with the check character; the chip's data are plain. */
export const mpi: Encoding = (read) => {
  const keys = keysOf('tdesDukpt');
  const stripe = [tlv('5F21', ascii(read.track1)), tlv('5F22', ascii(read.track2 + track2Check(read.track2)))];
  const account = read.by === 'MAGSTRIPE' ? stripe : read.account.slice(0, 1);
  return {
    ...commonFields(read, keys, 'tdes'),
    encryptedSred: hexOf(keys.sealData(encodeTlv(account))),
    ...chipHalf(read),
  };
};

/** ID TECH: each tag is encrypted separately under one serial number, of which the first is sent. */
export const neo2 =
  (options: Cipher): Encoding =>
  (read) => {
    const keys = keysOf('tdesDukpt');
    const stripe = [ascii(read.track2 + track2Check(read.track2)), ascii(read.track1)];
    const plainBlocks = read.by === 'MAGSTRIPE' ? stripe : read.account.map((each) => encodeTlv([each]));
    const { data, ksn } = keys.sealAll(plainBlocks, options);
    const [first = new Uint8Array(0)] = data;
    return { ...commonFields(read, keys, options), encryptedSred: hexOf({ data: first, ksn }), ...chipHalf(read) };
  };

/** ID TECH's stripe block as one tag with all tracks. */
export const neo2StripeBlock: Encoding = (read) => {
  const keys = keysOf('tdesDukpt');
  const block = encodeTlv([tlv('DFEE23', ascii(read.track1 + read.track2 + track2Check(read.track2)))]);
  return { ...commonFields(read, keys, 'tdes'), encryptedSred: hexOf(keys.sealData(block)) };
};

/** MagTek: everything in one container, with PIN and tracks encrypted a second time; nothing is plain. */
export const mms =
  (scheme: DukptScheme, options: { alsoInClear?: boolean; stripeInClear?: boolean } = {}): Encoding =>
  (read) => {
    const keys = keysOf(scheme);
    const { encryptedPin, ...pos } = commonFields(read, keys, 'tdes');
    const children: Tlv[] = [...read.icc, ...read.account];
    if (read.by === 'MAGSTRIPE') children.push(stripeOfContainer(read, keys, options.stripeInClear === true));
    if (encryptedPin !== undefined) {
      const type = scheme === 'tdesDukpt' ? '81' : scheme === 'aes128Dukpt' ? '91' : 'A1';
      const { data, ksn } = encryptedPin;
      children.push(tlv('F5', [tlv('DF71', '00'), tlv('99', data), tlv('DFDF41', ksn), tlv('DFDF42', type)]));
    }
    const encryptedSred = hexOf(keys.sealData(encodeTlv([tlv('FC', children)])));
    return { ...pos, encryptedSred, ...(options.alsoInClear === true ? chipHalf(read) : {}) };
  };

const stripeOfContainer = ({ track1, track2 }: Read, keys: KeySlots, inClear: boolean): Tlv => {
  const texts = [ascii(track1), ascii(track2)];
  const { data, ksn } = inClear ? { data: texts, ksn: undefined } : keys.sealAll(texts);
  return tlv('F4', [
    tlv('DFDF36', '00'),
    tlv('DFDF37', data[0] ?? ''),
    tlv('DFDF38', '00'),
    tlv('DFDF39', data[1] ?? ''),
    ...(ksn === undefined ? [] : [tlv('DFDF50', ksn), tlv('DFDF51', '80')]),
  ]);
};

export const requestOf = (pos: Pos, id = nextId()): Authorisation => ({
  id,
  paymentType: 'DB',
  amount: money(amountMinor, 'EUR'),
  account: 'pos',
  pos,
  parameters: {},
  customParameters: {},
  at: NOW,
});
