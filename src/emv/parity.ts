/** DES keys with odd parity: the low bit of every byte makes its number of ones odd. */

/** A copy of the key with odd parity. DES ignores that bit, but EMV compares and XORs keys that carry it. */
export const oddParity = (key: Uint8Array): Uint8Array =>
  key.map((byte) => {
    let folded = byte >> 1;
    folded ^= folded >> 4;
    folded ^= folded >> 2;
    folded ^= folded >> 1;
    return (byte & 0xfe) | (~folded & 1);
  });
