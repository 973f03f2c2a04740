/** The pos.transactionSequenceNumber of a request that is sent anew: written here, and read here. */

/** As many digits as the largest number that a sale can have. */
const SALE_DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const RETRY_DIGITS = 9;

/**
 * A number that no sale has or will have, and the same for each try of the same retry: it has more digits than a sale's
 * own number can have. It has more than a card number too, so that nothing takes it for one.
 */
export const retryNumber = (own: string, again: number): string =>
  `9${own.padStart(SALE_DIGITS, '0')}${String(again).padStart(RETRY_DIGITS, '0')}`;

const written = new RegExp(`^9(\\d{${SALE_DIGITS}})\\d{${RETRY_DIGITS}}$`);

/** The sale's own number, of a first request or of a retry; 0 for what is none. */
export const saleNumberIn = (text: string): number => {
  const own = Number(written.exec(text)?.[1] ?? text);
  return /^\d+$/.test(text) && Number.isSafeInteger(own) ? own : 0;
};
