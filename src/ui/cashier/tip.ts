/** Tips and equal parts, in minor units: nothing is lost or made by rounding. */

/** So many percent of an amount, rounded half up to the minor unit. */
export const percentOf = (minor: bigint, percent: number): bigint => (minor * BigInt(percent) + 50n) / 100n;

/** `count` parts that add up to the whole; the first ones take what does not divide. */
export const equalParts = (total: bigint, count: number): bigint[] => {
  const parts = BigInt(count);
  const [each, rest] = [total / parts, total % parts];
  return Array.from({ length: count }, (_, index) => (BigInt(index) < rest ? each + 1n : each));
};
