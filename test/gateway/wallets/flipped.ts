/** Texts with one change. */

/** Base64 with the lowest bit of its middle byte changed: still base64, with the same number of bytes. */
export const flipBit = (text: string): string => {
  const bytes = Buffer.from(text, 'base64');
  const offset = bytes.length >> 1;
  bytes[offset] = (bytes[offset] as number) ^ 1;
  return bytes.toString('base64');
};

export const flippedHex = (text: string): string =>
  Buffer.from(flipBit(Buffer.from(text, 'hex').toString('base64')), 'base64').toString('hex');
