/** The checksum of NEO 2 frames: CRC-16/CCITT-FALSE, polynomial 1021, start FFFF, not reflected. */

/** What each byte does to the checksum. */
const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 0x8000) === 0 ? value << 1 : (value << 1) ^ 0x1021;
  return value;
});

/** The checksum over the first `length` bytes, or all. */
export const neo2Crc = (bytes: Uint8Array, length: number = bytes.length): number => {
  let crc = 0xffff;
  for (let at = 0; at < length; at += 1) {
    crc = ((crc << 8) & 0xffff) ^ (crcOfByte[(crc >> 8) ^ (bytes[at] as number)] as number);
  }
  return crc;
};
