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

/** The powers of 3, from the 0th: each number of the field but 0, once. */
const powers = new Uint8Array(255).fill(1);
for (let n = 1; n < powers.length; n += 1) powers[n] = times(powers[n - 1] ?? 0, 3);

/** The multiplicative inverse of each number: the powers counted backwards. That of 0 is 0. */
const inverses = new Uint8Array(256);
powers.forEach((power, n) => {
  inverses[power] = powers[(powers.length - n) % powers.length] ?? 0;
});

export const sBox: Uint8Array = Uint8Array.from(inverses, (b) => {
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

type Rows = readonly [Int32Array, Int32Array, Int32Array, Int32Array];

/** A table for the bytes of each row of a column, 0 to 3, of that for the first. */
const inEachRow = (first: Int32Array): Rows => {
  const turned = (bits: number) => first.map((word) => (word >>> bits) | (word << (32 - bits)));
  return [first, turned(8), turned(16), turned(24)];
};

/** S-box and MixColumns for a byte, by its row. */
export const mixed: Rows = inEachRow(
  Int32Array.from(sBox, (s) => (times(s, 2) << 24) | (s << 16) | (s << 8) | times(s, 3)),
);

/** The same backwards. */
export const unmixed: Rows = inEachRow(
  Int32Array.from(inverseSBox, (s) => (times(s, 14) << 24) | (times(s, 9) << 16) | (times(s, 13) << 8) | times(s, 11)),
);
