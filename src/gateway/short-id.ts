/** The short id of a payment: what people read out on the telephone, and statements carry. */

const TENTH_MS = 100;

/**
 * `dddd.dddd.dddd`, made from the payment's id of 32 hex digits: eight digits of its time in tenths of a second, four
 * of its random end. Payments of one time stand side by side in an index.
 */
export const shortIdOf = (id: string): string => {
  const tenths = Math.floor(Number.parseInt(id.slice(1, 12), 16) / TENTH_MS);
  const time = (tenths % 1e8).toString().padStart(8, '0');
  const end = (Number.parseInt(id.slice(-8), 16) % 1e4).toString().padStart(4, '0');
  return `${time.slice(0, 4)}.${time.slice(4)}.${end}`;
};
