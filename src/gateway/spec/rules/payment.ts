/** The rules between the parameters of a payment, of whatever leads to one, and of what follows it. */
import { needed, type Rule } from '../operation.ts';
import {
  cardRules,
  migrationRules,
  otherAccountRules,
  payingAccountRules,
  posPairs,
  posRules,
  storedAccountRules,
} from './accounts.ts';
import { amountRules, marketplaceRules } from './amounts.ts';
import { asynchronousRules, noOverrides } from './checkouts.ts';
import { bothOrNeither, onlyWith, type SharedRule, shared, uses } from './shared.ts';
import { authenticatingRules, standingInstructionRules, threeDSecureRules } from './three-d-secure.ts';
import { walletRules } from './wallets.ts';

// The shopper, and addresses (spec 2.10 to 2.15).

const customerRules: readonly Rule[] = [
  ...needed(
    uses('customer'),
    ['customer.givenName', 'customer.surname'],
    'may not be empty when any other customer parameter is sent',
  ),
  ...['customer', 'shipping.customer'].flatMap((of) =>
    bothOrNeither(`${of}.identificationDocType`, `${of}.identificationDocId`),
  ),
];

/** A street that is digits only is a house number in the wrong place. */
const streetHasName = (address: string): Rule => {
  const [first, second] = [`${address}.street1`, `${address}.street2`];
  return {
    name: first,
    says: `may not be digits only, together with ${second}`,
    holds: (sent) => !/^[0-9]+$/.test(`${sent[first] ?? ''}${sent[second] ?? ''}`),
  };
};

const addressRules: readonly Rule[] = [
  ...['billing', 'merchant.billing'].map(streetHasName),
  ...['billing', 'shipping', 'merchant.billing', 'merchant.shipping'].flatMap((address) =>
    onlyWith(`${address}.houseNumber2`, `${address}.houseNumber1`),
  ),
];

/** payment: with its account. registration: stores one. onRegistration: charges a stored one. checkout: before it. */
export type Where = 'payment' | 'registration' | 'onRegistration' | 'checkout';

const everywhere: readonly Rule[] = [
  ...amountRules,
  ...marketplaceRules,
  ...customerRules,
  ...addressRules,
  ...threeDSecureRules,
  ...migrationRules,
];
const account: readonly Rule[] = [...walletRules, ...cardRules, ...posRules, ...otherAccountRules];

const rules: Readonly<Record<Where, readonly Rule[]>> = {
  payment: [
    ...everywhere,
    ...authenticatingRules,
    ...payingAccountRules,
    ...account,
    ...standingInstructionRules,
    ...asynchronousRules,
    ...noOverrides,
  ],
  registration: [...everywhere, ...storedAccountRules, ...account, ...noOverrides],
  onRegistration: [...everywhere, ...authenticatingRules, ...posPairs, ...asynchronousRules, ...noOverrides],
  checkout: [...everywhere, ...authenticatingRules],
};

/**
 * All of them, for an operation's table: an operation that does not take a parameter never breaks the rules about it.
 * In the order in which errors about one name count: the first broken one is told.
 */
export const paymentRules = (where: Where): readonly SharedRule[] => shared(rules[where]);

// The rules between the parameters of a follow-up: capture, reversal, refund, … (spec 4, POST /v1/payments/{id}).

/** A reversal without an amount is of all that is left, a chargeback and its reversal of the whole. */
const withAmount: ReadonlySet<string | undefined> = new Set(['CP', 'RF', 'RB', 'RC', 'PA']);

export const referenceRules: readonly SharedRule[] = shared([
  ...amountRules,
  ...marketplaceRules,
  ...needed(({ paymentType }) => withAmount.has(paymentType), ['amount', 'currency']),
  ...bothOrNeither('amount', 'currency'),
  ...posPairs,
  ...noOverrides,
]);
