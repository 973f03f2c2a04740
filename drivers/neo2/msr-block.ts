/**
 * Tag DFEE23: what the stripe reader says of a swipe, masked and encrypted tracks in one block.
 * Source: ID TECH, Encrypted Data Output 80000502-001 (enhanced format); see the README for what of it is assumed.
 *
 * 02, length (low byte first), card type, track status, three track lengths, what is masked, what is encrypted; then
 * masked tracks, encrypted tracks, hashes, serial number, key serial number; then XOR, sum, 03.
 */
import { concat } from '../../src/base/hex.ts';

export type MsrTrack = { track: 1 | 2 | 3; masked?: Uint8Array; encrypted?: Uint8Array };

export type MsrBlock = {
  cipher: 'tdes' | 'aes';
  tracks: readonly MsrTrack[];
  /** Key serial number, 10 bytes; undefined when nothing is encrypted. */
  ksn?: Uint8Array;
};

const start = 0x02;
const end = 0x03;
const isoCard = 0x80;
const headBytes = 10;
const tailBytes = 3;
const hashBytes = 20;
const ksnBytes = 10;
const serialBytes = 10;
const aesBit = 0x10;
const hasSerial = 0x80;
const hasKsn = 0x80;
const hasSession = 0x40;
const sessionBytes = 8;
const numbers = [1, 2, 3] as const;

const xor = (bytes: Uint8Array): number => bytes.reduce((all, byte) => all ^ byte, 0);
const sum = (bytes: Uint8Array): number => bytes.reduce((all, byte) => (all + byte) & 0xff, 0);
const bitOf = (track: number): number => 1 << (track - 1);

/** Undefined for bytes that are no whole block with right sums. */
export const decodeMsrBlock = (bytes: Uint8Array): MsrBlock | undefined => {
  const inner = bytes.subarray(3, -tailBytes);
  const [one, two, last] = bytes.subarray(-tailBytes);
  if (bytes.length < headBytes + tailBytes || bytes[0] !== start || last !== end) return undefined;
  if (((bytes[1] ?? 0) | ((bytes[2] ?? 0) << 8)) !== inner.length) return undefined;
  if (one !== xor(inner) || two !== sum(inner)) return undefined;
  const lengths = [...bytes.subarray(5, 8)];
  const [maskedBits = 0, sealedBits = 0] = bytes.subarray(8, 10);
  const cipher = (maskedBits & aesBit) === 0 ? 'tdes' : 'aes';
  const block = cipher === 'tdes' ? 8 : 16;
  let at = headBytes;
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.slice(at - length, at);
  };
  const lengthOf = (track: number): number => lengths[track - 1] ?? 0;
  const masked = numbers.map((track) => (maskedBits & bitOf(track) ? take(lengthOf(track)) : undefined));
  const sealed = numbers.map((track) =>
    sealedBits & bitOf(track) ? take(Math.ceil(lengthOf(track) / block) * block) : undefined,
  );
  for (const track of numbers) if (sealedBits & (bitOf(track) << 3)) take(hashBytes);
  if (sealedBits & hasSession) take(sessionBytes);
  if (maskedBits & hasSerial) take(serialBytes);
  const ksn = sealedBits & hasKsn ? take(ksnBytes) : undefined;
  if (at !== bytes.length - tailBytes) return undefined;
  return { cipher, tracks: numbers.flatMap((track) => trackOf(track, masked, sealed)), ...(ksn && { ksn }) };
};

type Parts = readonly (Uint8Array | undefined)[];

const trackOf = (track: 1 | 2 | 3, masked: Parts, sealed: Parts): MsrTrack[] => {
  const clear = masked[track - 1];
  const cipher = sealed[track - 1];
  if ((clear?.length ?? 0) === 0 && (cipher?.length ?? 0) === 0) return [];
  return [{ track, ...(clear && { masked: clear }), ...(cipher && { encrypted: cipher }) }];
};

/** The bytes of a block: every track with its masked text, as long as its plain text is, and its ciphertext. */
export const encodeMsrBlock = ({ cipher, tracks, ksn }: MsrBlock): Uint8Array => {
  const at = (track: number) => tracks.find((each) => each.track === track);
  const bits = (has: (each: MsrTrack) => boolean): number =>
    tracks.reduce((all, each) => (has(each) ? all | bitOf(each.track) : all), 0);
  const head = Uint8Array.of(
    isoCard,
    bits(() => true),
    ...numbers.map((track) => at(track)?.masked?.length ?? 0),
    bits(({ masked }) => masked !== undefined) | (cipher === 'aes' ? aesBit : 0),
    bits(({ encrypted }) => encrypted !== undefined) | (ksn === undefined ? 0 : hasKsn),
  );
  const inner = concat(
    head,
    ...numbers.map((track) => at(track)?.masked ?? new Uint8Array(0)),
    ...numbers.map((track) => at(track)?.encrypted ?? new Uint8Array(0)),
    ksn ?? new Uint8Array(0),
  );
  const open = Uint8Array.of(start, inner.length & 0xff, inner.length >> 8);
  return concat(open, inner, Uint8Array.of(xor(inner), sum(inner), end));
};
