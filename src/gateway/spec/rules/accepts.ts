/** The sections of the spec that the payment operations accept. */
import { bankAccount, card, giftCard, tokenAccount, virtualAccount, wallets } from '../parameters/accounts.ts';
import { billing, merchantBilling, merchantShipping, shipping } from '../parameters/addresses.ts';
import { airline, cartItems, cartPayments } from '../parameters/cart.ts';
import { corporate, customer, senderRecipient, shippingCustomer } from '../parameters/customer.ts';
import { marketplace, merchant } from '../parameters/merchant.ts';
import {
  asynchronous,
  authentication,
  customParameters,
  forex,
  overridePaymentType,
  payment,
  risk,
} from '../parameters/payment.ts';
import { pointOfSale } from '../parameters/point-of-sale.ts';
import { chargeback } from '../parameters/queries.ts';
import { registration, standingInstruction } from '../parameters/registration.ts';
import { threeDSecure } from '../parameters/three-d-secure.ts';

/** Everything except the account. A rule with its own message refuses what belongs only to checkouts. */
export const paymentRows = {
  ...authentication,
  ...payment,
  ...overridePaymentType,
  ...forex,
  ...customer,
  ...shippingCustomer,
  ...billing,
  ...merchantBilling,
  ...shipping,
  ...merchantShipping,
  ...corporate,
  ...senderRecipient,
  ...merchant,
  ...cartItems,
  ...cartPayments,
  ...marketplace,
  ...airline,
  ...registration,
  ...risk,
  ...threeDSecure,
  ...customParameters,
  ...asynchronous,
  ...standingInstruction,
  ...chargeback,
};

/** The accounts of every method (spec 2.5 to 2.9, 2.26, 2.34). */
export const accountRows = {
  ...card,
  ...wallets,
  ...virtualAccount,
  ...bankAccount,
  ...tokenAccount,
  ...giftCard,
  ...pointOfSale,
};

/**
 * The account parameters allowed with a stored account: those that may not be stored, and a holder if there was none.
 */
export const holderRows = {
  'card.cvv': card['card.cvv'],
  'card.holder': card['card.holder'],
  'bankAccount.holder': bankAccount['bankAccount.holder'],
  'bankAccount.mandate.id': bankAccount['bankAccount.mandate.id'],
  'bankAccount.mandate.dateOfSignature': bankAccount['bankAccount.mandate.dateOfSignature'],
  transactionDueDate: bankAccount.transactionDueDate,
  'tokenAccount.cryptogram': tokenAccount['tokenAccount.cryptogram'],
  'tokenAccount.dtvc': tokenAccount['tokenAccount.dtvc'],
};
