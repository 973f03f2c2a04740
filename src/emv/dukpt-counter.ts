/** The counters of both DUKPTs: only those with few one-bits are valid, so that a key is only a few steps away. */

export type CounterRule = { bits: 21 | 32; onesMost: 10 | 16 };

/** The number of one-bits in the low 32 bits of a counter. */
const countOnes = (counter: number): number => {
  let count = 0;
  for (let rest = counter | 0; rest !== 0; rest &= rest - 1) count += 1;
  return count;
};

/** Whether a device can have used this counter. */
export const counterIsValid = (counter: number, { onesMost }: CounterRule): boolean =>
  counter !== 0 && countOnes(counter) <= onesMost;

/** The next valid counter, or undefined after the last. */
export const nextCounter = (counter: number, { bits, onesMost }: CounterRule): number | undefined => {
  let next = counter + 1;
  // While there are too many ones, adding the lowest one skips only counters that all have too many.
  while (countOnes(next) > onesMost) next += (next & -next) >>> 0;
  return next < 2 ** bits ? next : undefined;
};

/** How many valid counters are greater than this one. */
export const countersLeft = (counter: number, { bits, onesMost }: CounterRule): number => {
  let remaining = 0;
  let onesAbove = 0;
  // Each zero-bit of the counter represents all greater counters that agree with it above and have a one there.
  for (let bit = bits - 1; bit >= 0; bit -= 1) {
    if ((counter >>> bit) & 1) onesAbove += 1;
    else remaining += binomial(bit, onesMost - onesAbove - 1);
  }
  return remaining;
};

/** How many words of `bits` bits have at most `most` ones. */
const binomial = (bits: number, most: number): number => {
  let sum = 0;
  let ways = 1;
  for (let count = 0; count <= Math.min(bits, most); count += 1) {
    sum += ways;
    ways = (ways * (bits - count)) / (count + 1);
  }
  return sum;
};
