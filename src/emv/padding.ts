/** The paddings of ISO/IEC 9797-1: how data become whole blocks before a MAC. */

/** 1: zeros up to a whole block. 2: a byte 80, then zeros. 3: the length in bits as a block in front, then as 1. */
export type PaddingMethod = 1 | 2 | 3;

const zeros = (data: Uint8Array, block: number): Uint8Array => {
  const out = new Uint8Array(Math.max(Math.ceil(data.length / block) * block, block));
  out.set(data);
  return out;
};

/**
 * The data as whole blocks of `block` bytes, in a new array. Method 1 adds nothing to whole blocks, but empty data
 * become one block of zeros; method 2 always adds.
 */
export const pad = (method: PaddingMethod, data: Uint8Array, block: number): Uint8Array => {
  if (method === 1) return zeros(data, block);
  if (method === 2) {
    const out = new Uint8Array((Math.floor(data.length / block) + 1) * block);
    out.set(data);
    out[data.length] = 0x80;
    return out;
  }
  const padded = zeros(data, block);
  const out = new Uint8Array(block + padded.length);
  // The count of bits of any array fits 53 bits, six bytes and a bit: written as two words from the right.
  const view = new DataView(out.buffer);
  view.setUint32(block - 4, (data.length * 8) >>> 0);
  view.setUint32(block - 8, Math.floor(data.length / 2 ** 29));
  out.set(padded, block);
  return out;
};
