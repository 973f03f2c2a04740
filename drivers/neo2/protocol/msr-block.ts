/**
 * Tag DFEE23: the data of a swipe or a typed number: masked and encrypted tracks in one block. Sources: ID TECH,
 * SREDKey 2 Integration Manual 80172501-001, p30 and p31; SecureMag User Manual 80096504-001, p41 to p48, the same as
 * Unitech's MS246 manual, p32 to p38 (enhanced format); blocks of readers in the vendor's logs.
 *
 * 02, length (low byte first), card type, track status, three track lengths, what is masked, what is encrypted,
 * optional bytes; then masked tracks, encrypted tracks, session, hashes, serial number, key serial number, a MAC with
 * its own; then XOR, sum, 03.
 */
import { concat } from '../../../src/base/hex.ts';
import { findNeo2, type Neo2Tlv } from './tlv.ts';

export type MsrTrack = { track: 1 | 2 | 3; masked?: Uint8Array; encrypted?: Uint8Array };

export type MsrBlock = {
  cipher: 'tdes' | 'aes' | 'transArmor';
  tracks: readonly MsrTrack[];
  /** Key serial number, 10 bytes; undefined when nothing is encrypted. */
  ksn?: Uint8Array;
};

/** A decoded block: all its parts are views of the bytes. */
export type ReadMsrBlock = MsrBlock & {
  /** How many bytes come before the first track. */
  headBytes: number;
};

const start = 0x02;
const end = 0x03;
const isoCard = 0x80;
const typedIn = 0xc0;
const fixedHeadBytes = 10;
const tailBytes = 3;
const hashBytes = 20;
const ksnBytes = 10;
const serialBytes = 10;
const aesBit = 0x10;
const hasSerial = 0x80;
const hasKsn = 0x80;
const hasSession = 0x40;
const sessionBytes = 8;
/** One bit for each track. */
const hashBits = 0x38;
const hasOptions = 0x40;
/** Bits of the first optional byte: it names the cipher (not TransArmor with RSA); a MAC is at the end. */
const options = { cipher: 0x02, mac: 0x20 } as const;
const numbers = [1, 2, 3] as const;

const xor = (bytes: Uint8Array): number => bytes.reduce((all, byte) => all ^ byte, 0);
const sum = (bytes: Uint8Array): number => bytes.reduce((all, byte) => (all + byte) & 0xff, 0);
const bitOf = (track: number): number => 1 << (track - 1);

/** The block among these objects, complete and with correct sums. */
export const msrBlockIn = (tlvs: readonly Neo2Tlv[]): ReadMsrBlock | undefined => {
  const raw = findNeo2(tlvs, 'DFEE23')?.value;
  return raw === undefined ? undefined : decodeMsrBlock(raw);
};

/** Reads one part after the other. */
const partsOf = (bytes: Uint8Array, from: number) => {
  let offset = from;
  return {
    take(length: number): Uint8Array {
      offset += length;
      return bytes.subarray(offset - length, offset);
    },
    position: () => offset,
    isAtEnd: () => offset === bytes.length,
  };
};

/** Undefined for bytes that are not a complete block with correct sums. */
export const decodeMsrBlock = (bytes: Uint8Array): ReadMsrBlock | undefined => {
  const inner = bytes.subarray(3, -tailBytes);
  const [one, two, last] = bytes.subarray(-tailBytes);
  if (bytes.length < fixedHeadBytes + tailBytes || bytes[0] !== start || last !== end) return undefined;
  if (((bytes[1] ?? 0) | ((bytes[2] ?? 0) << 8)) !== inner.length) return undefined;
  if (one !== xor(inner) || two !== sum(inner)) return undefined;
  const [trackStatus = 0, ...lengths] = bytes.subarray(4, 8);
  const [maskedBits = 0, sealedBits = 0] = bytes.subarray(8, 10);
  const { take, position: at, isAtEnd } = partsOf(bytes.subarray(0, -tailBytes), fixedHeadBytes);
  const [option = 0] = trackStatus & hasOptions ? take(take(1)[0] ?? 0) : [];
  const headBytes = at();
  const cipher = option & options.cipher ? 'transArmor' : maskedBits & aesBit ? 'aes' : 'tdes';
  const blockSize = cipher === 'aes' ? 16 : 8;
  const lengthOf = (track: number): number => lengths[track - 1] ?? 0;
  const masked = numbers.map((track) => (maskedBits & bitOf(track) ? take(lengthOf(track)) : undefined));
  const sealed = numbers.map((track) =>
    sealedBits & bitOf(track) ? take(Math.ceil(lengthOf(track) / blockSize) * blockSize) : undefined,
  );
  if (sealedBits & hasSession) take(sessionBytes);
  for (const track of numbers) if (sealedBits & (bitOf(track) << 3)) take(hashBytes);
  if (maskedBits & hasSerial) take(serialBytes);
  const ksn = sealedBits & hasKsn ? take(ksnBytes) : undefined;
  if (option & options.mac) take((take(1)[0] ?? 0) + ksnBytes);
  // No public source describes how TransArmor's ciphertexts are divided, and no host here could decrypt them.
  if (cipher === 'transArmor') return { cipher, tracks: [], headBytes };
  if (!isAtEnd()) return undefined;
  const tracks = numbers.flatMap((track) => trackOf(track, masked, sealed));
  return { cipher, tracks, headBytes, ksn };
};

/**
 * Whether a complete block has parts that not every reader sends: optional bytes, hashes, the reader's serial number.
 */
export const hasExtras = (block: Uint8Array): boolean => {
  const [, , , , trackStatus = 0, , , , maskedBits = 0, sealedBits = 0] = block;
  return (trackStatus & hasOptions) !== 0 || (maskedBits & hasSerial) !== 0 || (sealedBits & hashBits) !== 0;
};

type Parts = readonly (Uint8Array | undefined)[];

const trackOf = (track: 1 | 2 | 3, masked: Parts, sealed: Parts): MsrTrack[] => {
  const clear = masked[track - 1];
  const cipher = sealed[track - 1];
  if ((clear?.length ?? 0) === 0 && (cipher?.length ?? 0) === 0) return [];
  return [{ track, masked: clear, encrypted: cipher }];
};

/** Further parts that a reader can put into a block. */
export type MsrExtras = {
  /** A number that was typed in. */
  typed?: boolean;
  /** A hash after each ciphertext: zeros, as from readers that compute none. */
  hashed?: boolean;
  /** The reader's own serial number, up to 10 characters. */
  serial?: string;
  /** Optional bytes: the first describes the others. */
  optional?: readonly number[];
};

/** The bytes of a block: every track with its masked text, as long as the plain text, and its ciphertext. */
export const encodeMsrBlock = ({ cipher, tracks, ksn }: MsrBlock, extras: MsrExtras = {}): Uint8Array => {
  const { typed = false, hashed = false, serial, optional } = extras;
  const findTrack = (track: number) => tracks.find((each) => each.track === track);
  const bits = (has: (each: MsrTrack) => boolean): number =>
    tracks.reduce((all, each) => (has(each) ? all | bitOf(each.track) : all), 0);
  const sealed = bits(({ encrypted }) => encrypted !== undefined);
  const none = new Uint8Array(0);
  const head = Uint8Array.of(
    typed ? typedIn : isoCard,
    bits(() => true) | (optional === undefined ? 0 : hasOptions),
    ...numbers.map((track) => findTrack(track)?.masked?.length ?? 0),
    bits(({ masked }) => masked !== undefined) |
      (cipher === 'aes' ? aesBit : 0) |
      (serial === undefined ? 0 : hasSerial),
    sealed | (hashed ? sealed << 3 : 0) | (ksn === undefined ? 0 : hasKsn),
    ...(optional === undefined ? [] : [optional.length, ...optional]),
  );
  const inner = concat(
    head,
    ...numbers.map((track) => findTrack(track)?.masked ?? none),
    ...numbers.map((track) => findTrack(track)?.encrypted ?? none),
    ...numbers.map((track) => (hashed && findTrack(track)?.encrypted ? new Uint8Array(hashBytes) : none)),
    serial === undefined ? none : Uint8Array.from(Buffer.from(serial.padStart(serialBytes, '0'), 'latin1')),
    ksn ?? none,
  );
  const open = Uint8Array.of(start, inner.length & 0xff, inner.length >> 8);
  return appendChecksums(concat(open, inner, Uint8Array.of(0, 0, end)));
};

/** The same block with the correct sums. */
export const appendChecksums = (block: Uint8Array): Uint8Array => {
  const inner = block.subarray(3, -tailBytes);
  return concat(block.subarray(0, -tailBytes), Uint8Array.of(xor(inner), sum(inner), end));
};
