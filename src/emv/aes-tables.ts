/**
 * The tables of AES (FIPS 197): the S-box both ways, and each step of a round folded into words. Worked out on loading.
 */

/** x times a, in the field of AES. */
const times = (a: number, x: number): number => {
  let sum = 0;
  for (let bit = 0, power = a; bit < 8; bit += 1) {
    if ((x >> bit) & 1) sum ^= power;
    power = (power << 1) ^ (power & 0x80 ? 0x11b : 0);
  }
  return sum;
};

/** The multiplicative inverse, by raising to the 254th power. 0 stays 0. */
const inverse = (a: number): number => {
  let out = 1;
  for (let step = 0; step < 254; step += 1) out = times(out, a);
  return out;
};

export const sBox: Uint8Array = Uint8Array.from({ length: 256 }, (_, value) => {
  const b = inverse(value);
  const turned = (by: number) => (b << by) | (b >> (8 - by));
  return b ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63;
});

export const inverseSBox: Uint8Array = (() => {
  const out = new Uint8Array(256);
  sBox.forEach((to, from) => {
    out[to] = from;
  });
  return out;
})();

const turnedRight = (word: number, bits: number): number =>
  bits === 0 ? word : (word >>> bits) | (word << (32 - bits));

/** S-box and MixColumns for the byte in row `row` (0 to 3) of a column. */
export const mixed = (row: number): Int32Array =>
  Int32Array.from(sBox, (s) => turnedRight((times(s, 2) << 24) | (s << 16) | (s << 8) | times(s, 3), 8 * row));

/** The same backwards. */
export const unmixed = (row: number): Int32Array =>
  Int32Array.from(inverseSBox, (s) =>
    turnedRight((times(s, 14) << 24) | (times(s, 9) << 16) | (times(s, 13) << 8) | times(s, 11), 8 * row),
  );
