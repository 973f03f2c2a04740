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

/** Of the host API's word, `MASTER`; a brand of the shop's own keeps its word. */
export const brandName = (brand: string | undefined): string => {
  if (brand === undefined) return '';
  return Object.hasOwn(names, brand) ? (names[brand] ?? brand) : brand;
};

/** As `brandName`; a gift card, which is no brand, by this word of the reader's language. */
export const cardName = (brand: string | undefined, giftCard: string): string =>
  brand === 'GIFTCARD' ? giftCard : brandName(brand);

/** As `brandName`; the books' OTHER and GIFTCARD, which are no brands, have words in each language. */
export const bookedBrandName = (
  brand: string,
  { otherBrands, entryModes }: { otherBrands: string; entryModes: Readonly<Record<string, string>> },
): string => {
  if (brand === 'OTHER') return otherBrands;
  return cardName(brand, entryModes['GIFTCARD'] ?? brand);
};
