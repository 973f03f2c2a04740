/**
 * DES and Triple DES (FIPS 46-3, SP 800-67) on whole blocks. Our own, because a call of node:crypto costs four to five
 * microseconds, more than a whole DUKPT key takes here, and because Electron's BoringSSL lacks ECB and single DES.
 * Table look-ups can leak through the cache: fit for a simulated world and a test HSM, not for real issuers.
 */

// The tables of DES (FIPS 46-3), folded into 32-bit words: S-boxes followed by the permutation P, PC-1 by key byte,
// PC-2 by seven bits of a half. They are computed once, when this module loads.

/** One box per line: four rows of sixteen values, one hex digit per value. */
const boxes = [
  'E4D12FB83A6C59070F74E2D1A6CB953841E8D62BFC973A50FC8249175B3EA06D',
  'F18E6B34972DC05A3D47F28EC01A69B50E7BA4D158C6932FD8A13F42B67C05E9',
  'A09E63F51DC7B428D709346A285ECBF1D6498F30B12C5AE71AD069874FE3B52C',
  '7DE3069A1285BC4FD8B56F03472C1AE9A690CB7DF13E52843F06A1D8945BC72E',
  '2C417AB6853FD0E9EB2C47D150FA3986421BAD78F9C5630EB8C71E2D6F09A453',
  'C1AF92680D34E75BAF427C9561DE0B389EF528C3704A1DB6432C95FABE17608D',
  '4B2EF08D3C975A61D0B7491AE35C2F8614BDC37EAF6805926BD814A7950FE23C',
  'D2846FB1A93E50C71FD8A374C56B0E927B419CE206ADF35821E74A8DFC90356B',
];

const permutationP = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];

const choice1 = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 63, 55,
  47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

const choice2 = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47, 55, 30,
  40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

/**
 * The 64 words of S-box `box` (0 to 7): the result of six input bits after the box and P, rotated left by one bit,
 * because the rounds keep both halves rotated that way.
 */
const spBox = (box: number): Int32Array =>
  Int32Array.from({ length: 64 }, (_, input) => {
    const row = ((input >> 4) & 2) | (input & 1);
    const value = Number.parseInt((boxes[box] ?? '').charAt(16 * row + ((input >> 1) & 15)), 16);
    const placed = value << (28 - 4 * box);
    const permuted = permutationP.reduce((word, from, to) => word | (((placed >>> (32 - from)) & 1) << (31 - to)), 0);
    return (permuted << 1) | (permuted >>> 31);
  });

/**
 * PC-1 by key byte: entry `128 * byte + value` is the contribution of the upper seven bits `value` of that key byte to
 * the 28 bits of a half of the key. `half` 0 is C, 1 is D.
 */
const keyHalf = (half: 0 | 1): Int32Array =>
  Int32Array.from({ length: 8 * 128 }, (_, index) => {
    const byte = index >> 7;
    const bits = choice1.slice(28 * half, 28 * half + 28);
    return bits.reduce((word, from, to) => {
      const inThisByte = (from - 1) >> 3 === byte;
      return word | (inThisByte ? ((index >> (7 - (((from - 1) & 7) + 1))) & 1) << (27 - to) : 0);
    }, 0);
  });

/** The positions of each S-box's six key bits in the word of a half: S1 S3 S2 S4 for C, S6 S8 S5 S7 for D, bytewise. */
const shifts = [24, 8, 16, 0, 8, 24, 0, 16];

/**
 * PC-2 by seven bits: entry `128 * part + value` is the contribution of part `part` (0 is the leftmost seven bits) of a
 * half to that half's 24 bits of a round key. `half` 0 is C, 1 is D.
 */
const roundKeyHalf = (half: 0 | 1): Int32Array =>
  Int32Array.from({ length: 4 * 128 }, (_, index) => {
    const part = index >> 7;
    let word = 0;
    for (let bit = 0; bit < 24; bit += 1) {
      const from = (choice2[24 * half + bit] ?? 0) - 1 - 28 * half;
      if (Math.floor(from / 7) !== part) continue;
      const box = 4 * half + Math.floor(bit / 6);
      word |= ((index >> (6 - (from % 7))) & 1) << ((shifts[box] ?? 0) + 5 - (bit % 6));
    }
    return word;
  });

/** Round keys in the order of use, 32 words per DES: 32 for one, 96 for three. */
export type DesSchedule = Int32Array;

const [sp1, sp2, sp3, sp4] = [spBox(0), spBox(1), spBox(2), spBox(3)];
const [sp5, sp6, sp7, sp8] = [spBox(4), spBox(5), spBox(6), spBox(7)];
const [halfC, halfD] = [keyHalf(0), keyHalf(1)];
const [roundC, roundD] = [roundKeyHalf(0), roundKeyHalf(1)];

/** The rounds before which the key's halves rotate by one bit; before the others they rotate by two. */
const turnsOnce = 0b1000_0001_0000_0011;

/**
 * Writes the 32 words of one key's rounds, in encryption order, to `into` at `start`. The key is two words. Every step
 * is linear over XOR: the schedule of `a ^ b` is the XOR of both schedules.
 */
export const expandDesKey = (key: { high: number; low: number }, into: DesSchedule, start: number): void => {
  const { high, low } = key;
  let c = 0;
  let d = 0;
  // All indices in this file are masked to their table's size, which the compiler cannot see: hence `as number`.
  for (let byte = 0; byte < 4; byte += 1) {
    const inHigh = (byte << 7) | ((high >>> (25 - 8 * byte)) & 0x7f);
    const inLow = ((byte + 4) << 7) | ((low >>> (25 - 8 * byte)) & 0x7f);
    c |= (halfC[inHigh] as number) | (halfC[inLow] as number);
    d |= (halfD[inHigh] as number) | (halfD[inLow] as number);
  }
  for (let round = 0; round < 16; round += 1) {
    const turn = 2 - ((turnsOnce >>> round) & 1);
    c = ((c << turn) | (c >>> (28 - turn))) & 0x0fff_ffff;
    d = ((d << turn) | (d >>> (28 - turn))) & 0x0fff_ffff;
    const fromC =
      (roundC[c >>> 21] as number) |
      (roundC[128 | ((c >>> 14) & 0x7f)] as number) |
      (roundC[256 | ((c >>> 7) & 0x7f)] as number) |
      (roundC[384 | (c & 0x7f)] as number);
    const fromD =
      (roundD[d >>> 21] as number) |
      (roundD[128 | ((d >>> 14) & 0x7f)] as number) |
      (roundD[256 | ((d >>> 7) & 0x7f)] as number) |
      (roundD[384 | (d & 0x7f)] as number);
    into[start + 2 * round] = (fromC & 0xffff_0000) | (fromD & 0xffff);
    into[start + 2 * round + 1] = (fromC << 16) | (fromD >>> 16);
  }
};

/** The contribution of one round to the other half. */
const feistel = (half: number, oddBoxes: number, evenBoxes: number): number => {
  const odd = ((half >>> 4) | (half << 28)) ^ oddBoxes;
  const even = half ^ evenBoxes;
  return (
    (sp7[odd & 0x3f] as number) ^
    (sp5[(odd >>> 8) & 0x3f] as number) ^
    (sp3[(odd >>> 16) & 0x3f] as number) ^
    (sp1[(odd >>> 24) & 0x3f] as number) ^
    (sp8[even & 0x3f] as number) ^
    (sp6[(even >>> 8) & 0x3f] as number) ^
    (sp4[(even >>> 16) & 0x3f] as number) ^
    (sp2[(even >>> 24) & 0x3f] as number)
  );
};

/** The initial permutation, as five exchanges of bits between the halves. Both end rotated left by one bit. */
const permuteIn = (pair: Int32Array): void => {
  let left = pair[0] as number;
  let right = pair[1] as number;
  let mix = ((left >>> 4) ^ right) & 0x0f0f_0f0f;
  right ^= mix;
  left ^= mix << 4;
  mix = ((left >>> 16) ^ right) & 0xffff;
  right ^= mix;
  left ^= mix << 16;
  mix = ((right >>> 2) ^ left) & 0x3333_3333;
  left ^= mix;
  right ^= mix << 2;
  mix = ((right >>> 8) ^ left) & 0x00ff_00ff;
  left ^= mix;
  right ^= mix << 8;
  right = (right << 1) | (right >>> 31);
  mix = (left ^ right) & 0xaaaa_aaaa;
  left ^= mix;
  pair[0] = (left << 1) | (left >>> 31);
  pair[1] = right ^ mix;
};

/** The final permutation: the same exchanges in reverse. */
const permuteOut = (pair: Int32Array): void => {
  let left = pair[0] as number;
  let right = pair[1] as number;
  left = (left >>> 1) | (left << 31);
  let mix = (left ^ right) & 0xaaaa_aaaa;
  left ^= mix;
  right ^= mix;
  right = (right >>> 1) | (right << 31);
  mix = ((right >>> 8) ^ left) & 0x00ff_00ff;
  left ^= mix;
  right ^= mix << 8;
  mix = ((right >>> 2) ^ left) & 0x3333_3333;
  left ^= mix;
  right ^= mix << 2;
  mix = ((left >>> 16) ^ right) & 0xffff;
  right ^= mix;
  left ^= mix << 16;
  mix = ((left >>> 4) ^ right) & 0x0f0f_0f0f;
  pair[0] = left ^ (mix << 4);
  pair[1] = right ^ mix;
};

/** Encrypts or decrypts the block in `pair` (its high and its low word) under the schedule, in place. */
export const desPair = (schedule: DesSchedule, pair: Int32Array): void => {
  permuteIn(pair);
  let left = pair[0] as number;
  let right = pair[1] as number;
  for (let i = 0; i < schedule.length; i += 32) {
    for (let round = i; round < i + 32; round += 4) {
      left ^= feistel(right, schedule[round] as number, schedule[round + 1] as number);
      right ^= feistel(left, schedule[round + 2] as number, schedule[round + 3] as number);
    }
    // Between two of three DES the final and the initial permutation cancel out; the exchange of halves remains.
    const last = left;
    left = right;
    right = last;
  }
  pair[0] = left;
  pair[1] = right;
  permuteOut(pair);
};
