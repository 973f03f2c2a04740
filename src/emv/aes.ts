/**
 * AES (FIPS 197) with keys of 128, 192 and 256 bits on whole blocks, with tables, for the same reasons as DES here: a
 * call of node:crypto costs more than several blocks, and key derivation needs a new key for every block.
 */
import { type BlockCipher, putWord, wordAt } from './cipher-modes.ts';
import { wantKey } from './want.ts';

// The tables of AES (FIPS 197): the S-box in both directions, and each step of a round folded into words. Computed on
// loading.

/** x times a, in the field of AES. */
const multiply = (a: number, x: number): number => {
  let sum = 0;
  for (let bit = 0, power = a; bit < 8; bit += 1) {
    if ((x >> bit) & 1) sum ^= power;
    power = (power << 1) ^ (power & 0x80 ? 0x11b : 0);
  }
  return sum;
};

/** The powers of 3, from the 0th: each nonzero element of the field once. */
const powers = new Uint8Array(255).fill(1);
for (let n = 1; n < powers.length; n += 1) powers[n] = multiply(powers[n - 1] ?? 0, 3);

/** The multiplicative inverse of each element: the powers in reverse. The inverse of 0 is 0. */
const inverses = new Uint8Array(256);
powers.forEach((power, n) => {
  inverses[power] = powers[(powers.length - n) % powers.length] ?? 0;
});

const sBox: Uint8Array = Uint8Array.from(inverses, (b) => {
  const rotate = (count: number) => (b << count) | (b >> (8 - count));
  return b ^ rotate(1) ^ rotate(2) ^ rotate(3) ^ rotate(4) ^ 0x63;
});

const inverseSBox: Uint8Array = (() => {
  const out = new Uint8Array(256);
  sBox.forEach((to, from) => {
    out[to] = from;
  });
  return out;
})();

type Rows = readonly [Int32Array, Int32Array, Int32Array, Int32Array];

/** The tables for the bytes of rows 0 to 3 of a column, from that for the first. */
const rotateRows = (first: Int32Array): Rows => {
  const rotateRow = (bits: number) => first.map((word) => (word >>> bits) | (word << (32 - bits)));
  return [first, rotateRow(8), rotateRow(16), rotateRow(24)];
};

/** S-box and MixColumns for a byte, by its row. */
const mixed: Rows = rotateRows(
  Int32Array.from(sBox, (s) => (multiply(s, 2) << 24) | (s << 16) | (s << 8) | multiply(s, 3)),
);

/** The same for decryption. */
const unmixed: Rows = rotateRows(
  Int32Array.from(
    inverseSBox,
    (s) => (multiply(s, 14) << 24) | (multiply(s, 9) << 16) | (multiply(s, 13) << 8) | multiply(s, 11),
  ),
);

const [mix0, mix1, mix2, mix3] = mixed;
const [unmix0, unmix1, unmix2, unmix3] = unmixed;

// All indices are masked to their table's size, which the compiler cannot see: hence `as number` in this file.
const substitute = (word: number): number =>
  ((sBox[word >>> 24] as number) << 24) |
  ((sBox[(word >>> 16) & 0xff] as number) << 16) |
  ((sBox[(word >>> 8) & 0xff] as number) << 8) |
  (sBox[word & 0xff] as number);

/** Round keys for encryption: four words per round and four before the first. */
const expandKey = (key: Uint8Array): Int32Array => {
  wantKey('An AES key', key, [16, 24, 32]);
  const words = key.length / 4;
  const schedule = new Int32Array(4 * (words + 7));
  for (let index = 0; index < words; index += 1) schedule[index] = wordAt(key, 4 * index);
  let constant = 1;
  for (let index = words; index < schedule.length; index += 1) {
    let word = schedule[index - 1] as number;
    if (index % words === 0) {
      word = substitute((word << 8) | (word >>> 24)) ^ (constant << 24);
      constant = (constant << 1) ^ (constant & 0x80 ? 0x11b : 0);
    } else if (words === 8 && index % words === 4) {
      word = substitute(word);
    }
    schedule[index] = (schedule[index - words] as number) ^ word;
  }
  return schedule;
};

/** Round keys for decryption: rounds in reverse order, the inner ones unmixed (the equivalent inverse cipher). */
const invertKey = (schedule: Int32Array): Int32Array => {
  const back = new Int32Array(schedule.length);
  const last = schedule.length - 4;
  for (let index = 0; index < schedule.length; index += 1) {
    const word = schedule[last - 4 * (index >> 2) + (index & 3)] as number;
    const between = index >= 4 && index < last;
    back[index] = between
      ? (unmix0[sBox[word >>> 24] as number] as number) ^
        (unmix1[sBox[(word >>> 16) & 0xff] as number] as number) ^
        (unmix2[sBox[(word >>> 8) & 0xff] as number] as number) ^
        (unmix3[sBox[word & 0xff] as number] as number)
      : word;
  }
  return back;
};

// One block of working space. Every use begins and ends within one call, so it can be shared.
const block = new Int32Array(4);

/** The last round, from `block` to the bytes: S-box and rows without mixing. `step` is 1, or 3 to decrypt. */
const finish = (box: Uint8Array, step: 1 | 3, target: { bytes: Uint8Array; at: number; keys: Int32Array }): void => {
  const { bytes, at, keys } = target;
  for (let index = 0; index < 4; index += 1) {
    const word =
      ((box[(block[index] as number) >>> 24] as number) << 24) |
      ((box[((block[(index + step) & 3] as number) >>> 16) & 0xff] as number) << 16) |
      ((box[((block[(index + 2) & 3] as number) >>> 8) & 0xff] as number) << 8) |
      (box[(block[(index - step) & 3] as number) & 0xff] as number);
    putWord(bytes, at + 4 * index, word ^ (keys[keys.length - 4 + index] as number));
  }
};

/** The first two bytes of a column in a round of encryption, and the last two. Their XOR is the column. */
const mixHigh = (a: number, b: number): number => (mix0[a >>> 24] as number) ^ (mix1[(b >>> 16) & 0xff] as number);
const mixLow = (c: number, d: number): number => (mix2[(c >>> 8) & 0xff] as number) ^ (mix3[d & 0xff] as number);

/** The same for decryption. */
const unmixHigh = (a: number, b: number): number =>
  (unmix0[a >>> 24] as number) ^ (unmix1[(b >>> 16) & 0xff] as number);
const unmixLow = (c: number, d: number): number => (unmix2[(c >>> 8) & 0xff] as number) ^ (unmix3[d & 0xff] as number);

const encryptBlock = (keys: Int32Array, bytes: Uint8Array, at: number): void => {
  let a = wordAt(bytes, at) ^ (keys[0] as number);
  let b = wordAt(bytes, at + 4) ^ (keys[1] as number);
  let c = wordAt(bytes, at + 8) ^ (keys[2] as number);
  let d = wordAt(bytes, at + 12) ^ (keys[3] as number);
  for (let round = 4; round < keys.length - 4; round += 4) {
    const newA = mixHigh(a, b) ^ mixLow(c, d) ^ (keys[round] as number);
    const newB = mixHigh(b, c) ^ mixLow(d, a) ^ (keys[round + 1] as number);
    const newC = mixHigh(c, d) ^ mixLow(a, b) ^ (keys[round + 2] as number);
    d = mixHigh(d, a) ^ mixLow(b, c) ^ (keys[round + 3] as number);
    a = newA;
    b = newB;
    c = newC;
  }
  block[0] = a;
  block[1] = b;
  block[2] = c;
  block[3] = d;
  finish(sBox, 1, { bytes, at, keys });
};

const decryptBlock = (keys: Int32Array, bytes: Uint8Array, at: number): void => {
  let a = wordAt(bytes, at) ^ (keys[0] as number);
  let b = wordAt(bytes, at + 4) ^ (keys[1] as number);
  let c = wordAt(bytes, at + 8) ^ (keys[2] as number);
  let d = wordAt(bytes, at + 12) ^ (keys[3] as number);
  for (let round = 4; round < keys.length - 4; round += 4) {
    const newA = unmixHigh(a, d) ^ unmixLow(c, b) ^ (keys[round] as number);
    const newB = unmixHigh(b, a) ^ unmixLow(d, c) ^ (keys[round + 1] as number);
    const newC = unmixHigh(c, b) ^ unmixLow(a, d) ^ (keys[round + 2] as number);
    d = unmixHigh(d, c) ^ unmixLow(b, a) ^ (keys[round + 3] as number);
    a = newA;
    b = newB;
    c = newC;
  }
  block[0] = a;
  block[1] = b;
  block[2] = c;
  block[3] = d;
  finish(inverseSBox, 3, { bytes, at, keys });
};

/** AES under 16, 24 or 32 bytes of key. Throws `key.malformed`. */
export const aes = (key: Uint8Array): BlockCipher => {
  const encrypting = expandKey(key);
  let decrypting: Int32Array | undefined;
  return {
    size: 16,
    encrypt: (bytes, at) => encryptBlock(encrypting, bytes, at),
    decrypt: (bytes, at) => {
      decrypting ??= invertKey(encrypting);
      decryptBlock(decrypting, bytes, at);
    },
  };
};
