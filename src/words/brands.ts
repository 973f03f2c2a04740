/** Card brands by the names that people know them by, which are the same in every language. */

const names: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTER: 'Mastercard',
  MAESTRO: 'Maestro',
  AMEX: 'American Express',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
  CARTEBLEUE: 'Carte Bleue',
  INTERAC: 'Interac',
};

/**
 * Of the host API's word, `MASTER`; a brand of the shop's own keeps its word. `other` is the language's word for what
 * the books sum up as OTHER.
 */
export const brandName = (brand: string | undefined, other = 'OTHER'): string => {
  if (brand === undefined) return '';
  return brand === 'OTHER' ? other : Object.hasOwn(names, brand) ? (names[brand] ?? brand) : brand;
};
