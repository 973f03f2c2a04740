/** Which parameters the shopper's side may send when it submits a checkout. All others are the shop's alone. */
import { chosenRegistration } from '../spec/parameters/registration.ts';
import type { Rows } from '../spec/parameters/row.ts';
import { accountRows, paymentRows } from '../spec/rules/accepts.ts';

/**
 * By the beginnings of names: the account, who pays and where the bill goes, the browser itself, the language, the way
 * back. A later row decides before an earlier one. Amount, type, references, risk, cart and whatever else says what is
 * sold, and to whom the money goes, is not here.
 */
const sides: readonly (readonly [beginning: string, side: 'shopper' | 'shop'])[] = [
  ['card.', 'shopper'],
  ['applePay.', 'shopper'],
  ['googlePay.', 'shopper'],
  ['samsungPay.', 'shopper'],
  ['virtualAccount.', 'shopper'],
  ['bankAccount.', 'shopper'],
  // A mandate and its date are what the shop has agreed on with the shopper.
  ['bankAccount.mandate.', 'shop'],
  // A token is a merchant's own. Whoever typed a card's number in as one would pass by its cardholder's authentication.
  ['tokenAccount.', 'shop'],
  ['giftCard.', 'shopper'],
  ['paymentBrand', 'shopper'],
  ['registrationId', 'shopper'],
  ['createRegistration', 'shopper'],
  ['shopperResultUrl', 'shopper'],
  ['locale', 'shopper'],
  ['customer.', 'shopper'],
  // What risk rules go by must not come from whom they are about.
  ['customer.ip', 'shop'],
  ['customer.status', 'shop'],
  ['customer.category', 'shop'],
  ['customer.merchantCustomerId', 'shop'],
  ['customer.merchantReference', 'shop'],
  ['billing.', 'shopper'],
  ['customParameters[', 'shopper'],
  // Equal to the checkout's own, as clients repeat it.
  ['entityId', 'shopper'],
];

const named = (beginning: string, name: string): boolean =>
  /[.[]$/.test(beginning) ? name.startsWith(beginning) : name === beginning;

export const isShoppers = (name: string): boolean =>
  sides.findLast(([beginning]) => named(beginning, name))?.[1] === 'shopper';

/** Custom parameters of the shopper's side (spec 2.30) are told by their beginning. */
export const isShoppersCustom = (name: string): boolean => name.startsWith('customParameters[SHOPPER_');

const those = (rows: Rows): Rows => Object.fromEntries(Object.entries(rows).filter(([name]) => isShoppers(name)));

/** The rows themselves, for the documents. */
export const shopperRows: Rows = those({ ...paymentRows, ...accountRows, ...chosenRegistration });

/** Those of a checkout that stores an account: nothing that is stored already can be chosen. */
export const shopperRegistrationRows: Rows = those({ ...paymentRows, ...accountRows });
