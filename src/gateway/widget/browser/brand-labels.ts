/** How brands are called and drawn: in letters, since the schemes' and providers' own marks are theirs. */
import { cardBrandNamed } from './card-brands.ts';
import type { icons } from './dom.ts';
import type { WidgetWords } from './words.ts';

const names: Readonly<Record<string, string>> = {
  PAYPAL: 'PayPal',
  SOFORTUEBERWEISUNG: 'Sofort',
  APPLEPAY: 'Apple Pay',
  GOOGLEPAY: 'Google Pay',
  SAMSUNGPAY: 'Samsung Pay',
  // Short, since they stand side by side.
  AMEX: 'Amex',
  DINERS: 'Diners',
};

/** What the shopper reads for a brand. */
export const brandLabel = (name: string, words: WidgetWords): string => {
  if (name === 'DIRECTDEBIT_SEPA') return `${words.directDebit} (SEPA)`;
  if (name === 'PREPAYMENT') return words.prepayment;
  if (name === 'GIFTCARD') return words.giftCard;
  return names[name] ?? cardBrandNamed(name).label;
};

const byAccount: Readonly<Record<string, keyof typeof icons>> = {
  card: 'card',
  bankAccount: 'bank',
  virtualAccount: 'person',
  giftCard: 'gift',
};

export const brandIcon = (account: string, asynchronous: boolean): keyof typeof icons =>
  asynchronous ? 'away' : (byAccount[account] ?? 'card');
