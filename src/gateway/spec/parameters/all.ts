/** Every section of the spec, and what follows from the marks of their rows: what may be logged, kept, hashed. */
import { hidden, printable } from '../../../base/mask.ts';
import { airline } from './airline.ts';
import { asynchronous } from './asynchronous.ts';
import { authentication } from './authentication.ts';
import { bankAccount } from './bank-account.ts';
import { billing, merchantBilling } from './billing.ts';
import { card } from './card.ts';
import { cartItems } from './cart-items.ts';
import { cartPayments } from './cart-payments.ts';
import { chargeback } from './chargeback.ts';
import { corporate } from './corporate.ts';
import { customParameters } from './custom-parameters.ts';
import { customer, shippingCustomer } from './customer.ts';
import { forex } from './forex.ts';
import { giftCard } from './gift-card.ts';
import { job } from './job.ts';
import { lookupOf } from './lookup.ts';
import { marketplace } from './marketplace.ts';
import { merchant } from './merchant.ts';
import { overridePaymentType, payment } from './payment.ts';
import { pointOfSale } from './point-of-sale.ts';
import { query } from './query.ts';
import { registration } from './registration.ts';
import { reporting } from './reporting.ts';
import { risk } from './risk.ts';
import type { ParameterRow, Rows, Secrecy } from './row.ts';
import { senderRecipient } from './sender-recipient.ts';
import { merchantShipping, shipping } from './shipping.ts';
import { standingInstruction } from './standing-instruction.ts';
import { threeDSecure } from './three-d-secure.ts';
import { tokenAccount } from './token-account.ts';
import { virtualAccount } from './virtual-account.ts';
import { wallets } from './wallets.ts';
import { webhook } from './webhook.ts';

/** In the order of the spec, 2.2 to 2.34. */
export const sections = {
  payment,
  overridePaymentType,
  forex,
  authentication,
  card,
  wallets,
  virtualAccount,
  bankAccount,
  tokenAccount,
  customer,
  shippingCustomer,
  billing,
  merchantBilling,
  shipping,
  merchantShipping,
  corporate,
  senderRecipient,
  merchant,
  cartItems,
  cartPayments,
  marketplace,
  airline,
  registration,
  query,
  reporting,
  giftCard,
  risk,
  job,
  threeDSecure,
  customParameters,
  asynchronous,
  standingInstruction,
  chargeback,
  pointOfSale,
  webhook,
};

const secrecies: readonly (Secrecy | undefined)[] = [undefined, 'personal', 'account', 'authentication'];

/** A name that stands in two sections is as secret as the more secret of its rows, and echoed if either is. */
const together = (one: ParameterRow, other: ParameterRow): ParameterRow => {
  const stricter = secrecies.indexOf(one.secret) > secrecies.indexOf(other.secret) ? one : other;
  return one.echo === true ? { ...stricter, echo: true } : stricter;
};

const merged = (): Rows => {
  const rows: Record<string, ParameterRow> = {};
  for (const each of Object.values<Rows>(sections)) {
    for (const [name, row] of Object.entries(each)) {
      const known = rows[name];
      rows[name] = known === undefined ? row : together(known, row);
    }
  }
  return rows;
};

const find = lookupOf(merged());

/** The row of a name as it is sent, of whatever section; undefined for strangers. */
const rowOf = (name: string): ParameterRow | undefined => {
  const found = find(name);
  return found.kind === 'stranger' ? undefined : found.row;
};

/** Whether this parameter is kept with the payment and given back. */
export const isEchoed = (name: string): boolean => rowOf(name)?.echo === true;

/** Whether this parameter says who somebody is, or more: what is not known counts as that. */
export const isPersonal = (name: string): boolean => {
  const row = rowOf(name);
  return row === undefined || row.secret !== undefined;
};

/** Whether this parameter must leave no trace, not even in a fingerprint of the request. */
export const isTraceless = (name: string): boolean => rowOf(name)?.secret === 'authentication';

/** Whether this parameter's value is never kept. */
export const isUnkept = (name: string): boolean => {
  const secret = rowOf(name)?.secret;
  return secret === 'account' || secret === 'authentication';
};

/** Whether people write this parameter, or their programs: card data may come in by it. What is not known is one. */
export const isFreeText = (name: string): boolean => {
  const row = rowOf(name);
  return row === undefined || (row.machine !== true && row.secret !== 'account' && row.secret !== 'authentication');
};

/** Whether the name is one of the host API’s own: not a stranger’s, nor a map’s entry, whose key is the sender’s. */
export const isOurs = (name: string): boolean => !name.includes('[') && rowOf(name) !== undefined;

/** Parameters as they may be logged: secrets and strangers hidden, the rest made printable. */
export const loggable = (sent: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const row = rowOf(name);
      return [printable(name, 128), row === undefined || row.secret !== undefined ? hidden : printable(value)];
    }),
  );
