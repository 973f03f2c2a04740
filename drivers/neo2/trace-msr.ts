/** Tag DFEE23 for a recording: the same block with its tracks masked, so that a recorded swipe is read again. */
import { decodeMsrBlock, encodeMsrBlock } from './msr-block.ts';

/** A block of the same length with right sums; undefined for bytes that are none, or hold more than is known here. */
export const maskedMsrBlock = (value: Uint8Array, fill: number): Uint8Array | undefined => {
  const block = decodeMsrBlock(value);
  if (block === undefined) return undefined;
  const tracks = block.tracks.map(({ track, masked, encrypted }) => ({
    track,
    ...(masked && { masked: track === 2 ? maskedTrack2(masked, fill) : filled(masked, fill) }),
    ...(encrypted && { encrypted: filled(encrypted, fill) }),
  }));
  const bytes = encodeMsrBlock({ ...block, tracks });
  return bytes.length === value.length ? bytes : undefined;
};

const filled = (bytes: Uint8Array, fill: number): Uint8Array => new Uint8Array(bytes.length).fill(fill);

/** First six, last four and the service code of track 2 stay, and its sentinels; every other digit is one of ours. */
const maskedTrack2 = (bytes: Uint8Array, fill: number): Uint8Array => {
  const text = Buffer.from(bytes).toString('latin1');
  const [whole, number = '', expiry = '', service = '', rest = ''] =
    /^;([\d*]{12,19})=([\d*]{4})([\d*]{3})([\d*]*)\?/.exec(text) ?? [];
  if (whole === undefined) return filled(bytes, fill);
  const digits = (count: number): string => (fill === 0 ? '0' : '9').repeat(count);
  const shown = `;${number.slice(0, 6)}${digits(number.length - 10)}${number.slice(-4)}=${digits(expiry.length)}${service}`;
  return new Uint8Array(Buffer.from(`${shown}${digits(rest.length)}?${digits(text.length - whole.length)}`, 'latin1'));
};
