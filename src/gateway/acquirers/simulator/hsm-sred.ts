/**
 * Opens encrypted account data from any maker's terminal: whole tags (several from Miura, one from ID TECH), the text
 * of a stripe, or MagTek's container, in which tracks and PIN are encrypted under their own serial numbers.
 */
import { fromHex, toHex } from '../../../base/hex.ts';
import { aesDecryptData, aesInitialKey, aesTransactionKey, aesWorkingKey } from '../../../emv/dukpt-aes.ts';
import { tdesDecryptData, tdesInitialKey, tdesTransactionKey, tdesWorkingKey } from '../../../emv/dukpt-tdes.ts';
import { luhnIsValid } from '../../../emv/luhn.ts';
import { tagRow } from '../../../emv/tags.ts';
import { decodeTlv, find, findDeep, type Tlv, tlv } from '../../../emv/tlv.ts';
import { type KeySerial, keySerial } from './key-serial.ts';
import { type ReadCard, readTags, readTracks, tryParse } from './read-card.ts';

export type DukptCiphertext = { readonly data: string; readonly ksn: string };

/** Card data, every serial number used to encrypt them, and the still encrypted PIN from the same container. */
export type Contents = {
  readonly card: ReadCard;
  readonly serials: readonly KeySerial[];
  readonly pin?: DukptCiphertext;
};

/** `badKey`: no such serial number. `unreadable`: no card data inside. */
export type OpenedSred = Contents | 'badKey' | 'unreadable';

export const openSred = (keys: BaseKeys, { data, ksn }: DukptCiphertext): OpenedSred => {
  const serial = keySerial(ksn);
  if (serial === undefined) return 'badKey';
  const cipher = parseBlocks(data);
  if (cipher === undefined) return 'unreadable';
  return findContents(deciphersFor(keys, serial, cipher.length), cipher, (plaintext) => {
    const found = readPlainText(plaintext);
    return found && contentsOf(keys, serial, found);
  });
};

/** The first plain text with a card number whose check digit is right; otherwise the first that is readable. */
const findContents = (
  deciphers: readonly Decipher[],
  cipher: Uint8Array,
  read: (plaintext: Uint8Array) => Contents | undefined,
): Contents | 'unreadable' => {
  let fallback: Contents | undefined;
  for (const decipher of deciphers) {
    const plaintext = decipher(cipher);
    const found = read(plaintext);
    plaintext.fill(0);
    if (found !== undefined && luhnIsValid(found.card.pan)) return found;
    fallback ??= found;
  }
  return fallback ?? 'unreadable';
};

const contentsOf = (keys: BaseKeys, serial: KeySerial, found: PlainText): Contents | undefined => {
  if (found.kind === 'tracks') {
    const card = tryParse(() => readTracks(found.text));
    return card && { card: { ...card, tags: [] }, serials: [serial] };
  }
  const container = find(found.tags, 'FC')?.children;
  const stripe = container && openStripe(keys, serial, container);
  const card = tryParse(() => readTags([...found.tags, ...(stripe?.tags ?? [])]));
  for (const { value } of stripe?.tags ?? []) value.fill(0);
  if (card === undefined) return undefined;
  const pin = container && sealedPin(container);
  const serials = stripe === undefined ? [serial] : [serial, ...stripe.serials];
  return pin === undefined ? { card, serials } : { card, serials, pin };
};

/** The tags of tracks 1 and 2 in MagTek's container, and those of all other makers. */
const trackTagPairs = [
  ['DFDF37', '5F21'],
  ['DFDF39', '5F22'],
] as const;

/** F4 of a MagTek container: tracks as text, encrypted when DFDF50 names a key. */
const openStripe = (keys: BaseKeys, outer: KeySerial, container: readonly Tlv[]) => {
  const stripe = find(container, 'F4')?.children;
  if (stripe === undefined) return undefined;
  const ksn = find(stripe, 'DFDF50')?.value;
  const inner = ksn === undefined || ksn.length === 0 ? undefined : keySerial(toHex(ksn));
  const tags = trackTagPairs.flatMap(([source, target]) => {
    const value = find(stripe, source)?.value;
    if (value === undefined || value.length === 0) return [];
    const text = inner === undefined ? value.slice() : openTrack(keys, inner, value);
    return text === undefined ? [] : [tlv(target, text)];
  });
  return { tags, serials: inner === undefined || isSame(inner, outer) ? [] : [inner] };
};

const isSame = (left: KeySerial, right: KeySerial): boolean => left.id === right.id && left.use === right.use;

const openTrack = (keys: BaseKeys, serial: KeySerial, value: Uint8Array): Uint8Array | undefined => {
  const cipher = parseBlocks(toHex(value));
  if (cipher === undefined) return undefined;
  for (const decipher of deciphersFor(keys, serial, cipher.length)) {
    const plaintext = decipher(cipher);
    if (readPlainText(plaintext)?.kind === 'tracks') return plaintext;
    plaintext.fill(0);
  }
  return undefined;
};

/** F5 of a MagTek container: the encrypted block in 99, its serial number in DFDF41. */
const sealedPin = (container: readonly Tlv[]): DukptCiphertext | undefined => {
  const pin = find(container, 'F5')?.children ?? [];
  const block = findDeep(pin, '99')?.value;
  const ksn = findDeep(pin, 'DFDF41')?.value;
  if (block === undefined || ksn === undefined || block.length === 0) return undefined;
  return { data: toHex(block), ksn: toHex(ksn) };
};

// Whether deciphered bytes are account data to the last byte. A wrong cipher yields random bytes, so nothing may be
// left over: that is how the right one is recognised.

type PlainText = { readonly kind: 'tags'; readonly tags: readonly Tlv[] } | { kind: 'tracks'; text: string };

/** Manufacturers' tags around account data: MagTek F0 to F9, FC, DF71, DFDFxx; ID TECH DFEExx; Miura DFAExx. */
const makersTags = /^(?:F[0-9C]|DF71|5F2[12]|DF(?:AE|DF|EE|EF)[0-7][0-9A-F]|FFEE[0-7][0-9A-F])$/;

const isKnown = ({ tag }: Tlv): boolean => tagRow(tag) !== undefined || makersTags.test(tag);

/** Tracks 1, 2 and 3 with their sentinels, each with a check character or none, then filling zeros. */
const tracks = /^(?:%[ -$&->@-_]{1,76}\?[ -~]?)?(?:;[0-9:;<=>]{1,37}\?[ -~]?)?(?:;[0-9:;<=>]{1,104}\?[ -~]?)?\0*$/;

/**
 * Consecutive tags followed by zeros, or the text of a stripe followed by zeros. Only the outermost tags must be known:
 * the contents of a container depend on how its device was configured. Undefined for anything else. Tags are views of
 * the given bytes.
 */
const readPlainText = (plaintext: Uint8Array): PlainText | undefined => {
  const first = plaintext[0];
  if (first === PERCENT || first === SEMICOLON) {
    const text = Buffer.from(plaintext).toString('latin1');
    return tracks.test(text) ? { kind: 'tracks', text } : undefined;
  }
  if (first === 0) return undefined;
  const tags = tryParse(() => decodeTlv(plaintext));
  return tags?.every(isKnown) ? { kind: 'tags', tags } : undefined;
};

const PERCENT = 0x25;
const SEMICOLON = 0x3b;

// The HSM's side of DUKPT: every way in which a terminal may encrypt under a key serial number.

export type BaseKeys = Readonly<Record<'bdk' | 'bdkAes128' | 'bdkAes256', Uint8Array>>;

/** Decrypts account data: CBC with a zero IV. The caller wipes the plain text. */
type Decipher = (cipher: Uint8Array) => Uint8Array;

export const tdesKey = ({ bdk }: BaseKeys, { bytes }: KeySerial, usage: 'pin' | 'dataRequest'): Uint8Array =>
  tdesWorkingKey(tdesTransactionKey(tdesInitialKey(bdk, bytes), bytes), usage);

/** The working keys of both lengths; the serial number does not tell which of the two the device was loaded with. */
export const aesKeys = (keys: BaseKeys, { bytes: ksn }: KeySerial, usage: 'pin' | 'dataEnc'): (() => Uint8Array)[] => {
  const deriveWorkingKey = (bdk: Uint8Array, keyType: 'AES128' | 'AES256') => () =>
    aesWorkingKey(aesTransactionKey(aesInitialKey(bdk, ksn.subarray(0, 8)), ksn), { ksn, usage, keyType });
  return [deriveWorkingKey(keys.bdkAes128, 'AES128'), deriveWorkingKey(keys.bdkAes256, 'AES256')];
};

/**
 * The ways to open `size` bytes of account data, the usual one first. Under Triple DES DUKPT: Triple DES, then AES-128
 * with the 16 bytes of the same data key, which ID TECH readers set up for AES use. Under AES DUKPT: AES-128, then
 * AES-256.
 */
const deciphersFor = (keys: BaseKeys, serial: KeySerial, size: number): Decipher[] => {
  const isAesSize = size % 16 === 0;
  if (serial.scheme === 'aes') {
    if (!isAesSize) return [];
    return aesKeys(keys, serial, 'dataEnc').map((key) => (cipher) => aesDecryptData(key(), cipher));
  }
  const key = tdesKey(keys, serial, 'dataRequest');
  const tdes: Decipher = (cipher) => tdesDecryptData(key, cipher);
  return isAesSize ? [tdes, (cipher) => aesDecryptData(key, cipher)] : [tdes];
};

const CIPHER_MAX_BYTES = 1024;

/** Hex of whole 8-byte blocks, up to 1024 bytes. Undefined for anything else. */
export const parseBlocks = (hex: string): Uint8Array | undefined => {
  const ok =
    hex.length > 0 && hex.length <= 2 * CIPHER_MAX_BYTES && hex.length % 16 === 0 && /^[0-9A-Fa-f]+$/.test(hex);
  return ok ? fromHex(hex) : undefined;
};
