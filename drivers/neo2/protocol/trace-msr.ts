/** Tag DFEE23 for a recording: the same block with its tracks masked, so that a recorded swipe is read again. */
import { serviceCodeOf } from '../../masked-pan.ts';
import { decodeMsrBlock, withSums } from './msr-block.ts';

/** A block of the same length with right sums; undefined for bytes that are none. */
export const maskedMsrBlock = (value: Uint8Array, fill: number): Uint8Array | undefined => {
  const block = decodeMsrBlock(value);
  if (block === undefined) return undefined;
  const shown = filled(value, fill);
  shown.set(value.subarray(0, block.headBytes));
  for (const { track, masked } of block.tracks) {
    if (track === 2 && masked !== undefined) shown.set(maskedTrack2(masked, fill), placeIn(value, masked));
  }
  if (block.ksn !== undefined) shown.set(block.ksn, placeIn(value, block.ksn));
  return withSums(shown);
};

/** Where this window on the bytes begins. */
const placeIn = (bytes: Uint8Array, part: Uint8Array): number => part.byteOffset - bytes.byteOffset;

const filled = (bytes: Uint8Array, fill: number): Uint8Array => new Uint8Array(bytes.length).fill(fill);

/** First six, last four and the service code of track 2 stay, and its separators; every other digit is one of ours. */
const maskedTrack2 = (bytes: Uint8Array, fill: number): Uint8Array => {
  const text = Buffer.from(bytes).toString('latin1');
  const [whole, number = '', rest = ''] = /^;([\d*]{12,19})=([\d*:]*)\?/.exec(text) ?? [];
  if (whole === undefined) return filled(bytes, fill);
  const ours = (digits: string): string => digits.replace(/[^:]/g, fill === 0 ? '0' : '9');
  const service = serviceCodeOf(rest) ?? ours(rest.slice(4, 7));
  const shown = `;${number.slice(0, 6)}${ours(number.slice(6, -4))}${number.slice(-4)}`;
  const behind = `${ours(rest.slice(0, 4))}${service}${ours(rest.slice(7))}`;
  return Uint8Array.from(Buffer.from(`${shown}=${behind}?${ours(text.slice(whole.length))}`, 'latin1'));
};
