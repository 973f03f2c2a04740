/** What is wrong with a card number that travels in plain, before anybody is asked. */
import { type Brand, brandOfPan } from '../../emv/brands.ts';
import { luhnIsValid } from '../../emv/luhn.ts';

export type PlainCard = { number: string; expiryMonth: string; expiryYear: string };

export type Checked = { resultCode: string } | { paymentBrand: string; brandResult?: string };

/** Brands under which a merchant may send a number of these: cards with two brands, and a brand's own products. */
const sentAs: ReadonlyMap<string, readonly Brand[]> = new Map<string, readonly Brand[]>([
  ['CARTEBLEUE', ['VISA', 'MASTER']],
  ['VISADEBIT', ['VISA']],
  ['VISAELECTRON', ['VISA']],
  ['MASTERDEBIT', ['MASTER']],
  ['MAESTRO', ['MASTER']],
  ['DISCOVER', ['DINERS', 'UNIONPAY']],
]);

/** The card's brand, as sent or found out; or the result code that refuses it. `at` is wall time, ms. */
export const checkCard = (card: PlainCard, sent: string | undefined, at: number): Checked => {
  if (!luhnIsValid(card.number)) return { resultCode: '100.100.101' };
  if (`${card.expiryYear}-${card.expiryMonth}` < new Date(at).toISOString().slice(0, 7)) {
    return { resultCode: '100.100.303' };
  }
  const found = brandOfPan(card.number);
  if (sent === undefined) {
    return found === undefined ? { resultCode: '100.100.500' } : { paymentBrand: found, brandResult: found };
  }
  const fits = found !== undefined && (found === sent || sentAs.get(sent)?.includes(found) === true);
  return fits ? { paymentBrand: sent } : { resultCode: '100.100.700' };
};
