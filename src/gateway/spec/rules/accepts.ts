/** Which sections of the spec the operations take that are about money. */
import { airline } from '../parameters/airline.ts';
import { asynchronous } from '../parameters/asynchronous.ts';
import { authentication } from '../parameters/authentication.ts';
import { bankAccount } from '../parameters/bank-account.ts';
import { billing, merchantBilling } from '../parameters/billing.ts';
import { card } from '../parameters/card.ts';
import { cartItems } from '../parameters/cart-items.ts';
import { cartPayments } from '../parameters/cart-payments.ts';
import { chargeback } from '../parameters/chargeback.ts';
import { corporate } from '../parameters/corporate.ts';
import { customParameters } from '../parameters/custom-parameters.ts';
import { customer, shippingCustomer } from '../parameters/customer.ts';
import { forex } from '../parameters/forex.ts';
import { giftCard } from '../parameters/gift-card.ts';
import { marketplace } from '../parameters/marketplace.ts';
import { merchant } from '../parameters/merchant.ts';
import { overridePaymentType, payment } from '../parameters/payment.ts';
import { pointOfSale } from '../parameters/point-of-sale.ts';
import { registration } from '../parameters/registration.ts';
import { risk } from '../parameters/risk.ts';
import { senderRecipient } from '../parameters/sender-recipient.ts';
import { merchantShipping, shipping } from '../parameters/shipping.ts';
import { standingInstruction } from '../parameters/standing-instruction.ts';
import { threeDSecure } from '../parameters/three-d-secure.ts';
import { tokenAccount } from '../parameters/token-account.ts';
import { virtualAccount } from '../parameters/virtual-account.ts';
import { wallets } from '../parameters/wallets.ts';

/** Everything but the account. A rule refuses what belongs to checkouts only, in its own words. */
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

/** What of an account is sent with a stored one: what may not be stored, and a holder where there was none. */
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
