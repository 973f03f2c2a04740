/**
 * DES and Triple DES (FIPS 46-3, SP 800-67) on whole blocks. It is our own because node:crypto costs four to five
 * microseconds a call, more than a whole DUKPT key takes here, and because Electron's BoringSSL lacks ECB and
 * single DES. Table look-ups can leak through the cache: fit for a simulated world and a test HSM, not for real
 * issuers.
 */
import { keyHalf, roundKeyHalf, spBox } from './des-tables.ts';

/** Round keys in the order of use, 32 words for each DES: 32 for one, 96 for three. */
export type DesSchedule = Int32Array;

const [sp1, sp2, sp3, sp4] = [spBox(0), spBox(1), spBox(2), spBox(3)];
const [sp5, sp6, sp7, sp8] = [spBox(4), spBox(5), spBox(6), spBox(7)];
const [halfC, halfD] = [keyHalf(0), keyHalf(1)];
const [roundC, roundD] = [roundKeyHalf(0), roundKeyHalf(1)];

/** Before which rounds the key's halves turn by one bit; before the others by two. */
const turnsOnce = 0b1000_0001_0000_0011;

/**
 * Writes the 32 words of one key's rounds, in the order of encryption, to `into` at `at`.
 * The key is two words. Every step is linear over XOR: the schedule of `a ^ b` is the XOR of both schedules.
 */
export const expandDesKey = (key: { high: number; low: number }, into: DesSchedule, at: number): void => {
  const { high, low } = key;
  let c = 0;
  let d = 0;
  // All indices in this file are masked into their table, which the checker cannot see: hence `as number`.
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
    into[at + 2 * round] = (fromC & 0xffff_0000) | (fromD & 0xffff);
    into[at + 2 * round + 1] = (fromC << 16) | (fromD >>> 16);
  }
};

/** What one round adds to the other half. */
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

/** The initial permutation, as five exchanges of bits between the halves. Both end turned left by one bit. */
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

/** The final permutation: the same exchanges backwards. */
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

/** Turns the block in `pair` (its high and its low word) into its image under the schedule, in place. */
export const desPair = (schedule: DesSchedule, pair: Int32Array): void => {
  permuteIn(pair);
  let left = pair[0] as number;
  let right = pair[1] as number;
  for (let at = 0; at < schedule.length; at += 32) {
    for (let round = at; round < at + 32; round += 4) {
      left ^= feistel(right, schedule[round] as number, schedule[round + 1] as number);
      right ^= feistel(left, schedule[round + 2] as number, schedule[round + 3] as number);
    }
    // Between two of three DES the final and the initial permutation cancel out; the exchange of halves stays.
    const last = left;
    left = right;
    right = last;
  }
  pair[0] = left;
  pair[1] = right;
  permuteOut(pair);
};
