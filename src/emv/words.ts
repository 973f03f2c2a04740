/** Big-endian 32-bit words in bytes, without a DataView: the block ciphers read and write millions of them. */

/** The word at `at`, signed as bit operations have it. The four bytes must be there. */
export const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number);

/** Writes a word at `at`. */
export const putWord = (bytes: Uint8Array, at: number, word: number): void => {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
};
