/** Every section of the spec, and the consequences of the marks on their rows: what may be stored, returned, hashed. */
import { bankAccount, card, giftCard, tokenAccount, virtualAccount, wallets } from './accounts.ts';
import { billing, merchantBilling, merchantShipping, shipping } from './addresses.ts';
import { airline, cartItems, cartPayments } from './cart.ts';
import { corporate, customer, senderRecipient, shippingCustomer } from './customer.ts';
import { job } from './job.ts';
import { lookupOf } from './lookup.ts';
import { marketplace, merchant } from './merchant.ts';
import {
  asynchronous,
  authentication,
  customParameters,
  forex,
  overridePaymentType,
  payment,
  risk,
} from './payment.ts';
import { pointOfSale } from './point-of-sale.ts';
import { chargeback, query, reporting } from './queries.ts';
import { registration, standingInstruction } from './registration.ts';
import type { ParameterRow, Rows, Secrecy } from './row.ts';
import { threeDSecure } from './three-d-secure.ts';
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

/** A name in two sections is as secret as the more secret of its rows, and echoed if either is. */
const mergeRows = (left: ParameterRow, right: ParameterRow): ParameterRow => {
  const stricter = secrecies.indexOf(left.secret) > secrecies.indexOf(right.secret) ? left : right;
  return left.echo === true ? { ...stricter, echo: true } : stricter;
};

const mergeSections = (): Rows => {
  const rows: Record<string, ParameterRow> = {};
  for (const each of Object.values<Rows>(sections)) {
    for (const [name, row] of Object.entries(each)) {
      const earlierRow = rows[name];
      rows[name] = earlierRow === undefined ? row : mergeRows(earlierRow, row);
    }
  }
  return rows;
};

const find = lookupOf(mergeSections());

/** The row of a name as sent, from any section; undefined for an unknown name. */
const rowOf = (name: string): ParameterRow | undefined => {
  const found = find(name);
  return found.kind === 'stranger' ? undefined : found.row;
};

/** Whether this parameter is stored with the payment and returned. */
export const isEchoed = (name: string): boolean => rowOf(name)?.echo === true;

/** Whether this parameter is personal data, or more sensitive; unknown names count as such. */
export const isPersonal = (name: string): boolean => {
  const row = rowOf(name);
  return row === undefined || row.secret !== undefined;
};

/** Whether this parameter must leave no trace, not even in a fingerprint of the request. */
export const isTraceless = (name: string): boolean => rowOf(name)?.secret === 'authentication';

/** Whether this parameter's value is never stored. */
export const isNotStored = (name: string): boolean => {
  const secret = rowOf(name)?.secret;
  return secret === 'account' || secret === 'authentication';
};

/**
 * Whether this parameter is written by people or their programs, so that it may contain card data. Unknown names count
 * as such.
 */
export const isFreeText = (name: string): boolean => {
  const row = rowOf(name);
  return row === undefined || (row.machine !== true && row.secret !== 'account' && row.secret !== 'authentication');
};

/** Whether the name belongs to the host API: not an unknown one, and not a map's entry, whose key is the sender's. */
export const isOurs = (name: string): boolean => !name.includes('[') && rowOf(name) !== undefined;
