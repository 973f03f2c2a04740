/** The rules between the parameters of a payment, of requests that lead to one, and of its follow-ups. */
import { exponentOf, isCurrency } from '../../../base/money.ts';
import { type Rule, requireWhen, type SentValues } from '../operation.ts';
import {
  cardRules,
  migrationRules,
  otherAccountRules,
  payingAccountRules,
  posPairs,
  posRules,
  storedAccountRules,
  walletRules,
} from './accounts.ts';
import { asynchronousRules, noOverrides } from './checkouts.ts';
import { requireTogether, requireWith, type SharedRule, shared, usesStructure } from './shared.ts';
import { authenticatingRules, standingInstructionRules, threeDSecureRules } from './three-d-secure.ts';

// Amounts, their currencies, and the shares of a marketplace's sellers (spec 2.2, 2.3, 2.21).

const AMOUNT = /^[0-9]{1,10}(\.[0-9]{2})?$/;

/** Decimals only if the currency has a minor unit. The parser reports a malformed amount or currency. */
export const amountFitsCurrency = (name: string, of: string): Rule => ({
  name,
  message: 'must have no decimals other than 00: this currency has no minor unit',
  holds: (sent) => {
    const [amount, currency] = [sent[name], sent[of]];
    if (amount === undefined || currency === undefined || !AMOUNT.test(amount) || !isCurrency(currency)) return true;
    return exponentOf(currency) >= 2 || !amount.includes('.') || amount.endsWith('.00');
  },
});

const amountRules: readonly Rule[] = [
  amountFitsCurrency('amount', 'currency'),
  amountFitsCurrency('forex.amount', 'forex.currency'),
  ...requireTogether('forex.amount', 'forex.currency'),
];

// The sellers of a marketplace share one payment (spec 2.21): each is named once, and their shares must not exceed it.

const SELLER = /^marketPlace\.sellers\[\d+\]\.(id|amount)$/;
const SHARE = /^(\d{1,10})(?:\.(\d{2}))?$/;

const sellerValuesOf = (sent: SentValues, property: 'id' | 'amount'): readonly string[] => {
  const values: string[] = [];
  for (const name in sent) {
    const value = name.startsWith('marketPlace.') && SELLER.exec(name)?.[1] === property ? sent[name] : undefined;
    if (value !== undefined) values.push(value);
  }
  return values;
};

/** Hundredths; the parser reports a malformed amount. */
const hundredths = (amount: string | undefined): bigint | undefined => {
  const [, integerPart, decimals = '00'] = SHARE.exec(amount ?? '') ?? [];
  return integerPart === undefined ? undefined : BigInt(integerPart + decimals);
};

const marketplaceRules: readonly Rule[] = [
  {
    name: 'marketPlace.sellers[n].amount',
    message: 'of all sellers together may not be more than the amount',
    holds: (sent) => {
      const integerPart = hundredths(sent['amount']);
      const shares = sellerValuesOf(sent, 'amount').map(hundredths);
      return integerPart === undefined || shares.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n) <= integerPart;
    },
  },
  {
    name: 'marketPlace.sellers[n].id',
    message: 'may name each seller only once',
    holds: (sent) => {
      const ids = sellerValuesOf(sent, 'id');
      return new Set(ids).size === ids.length;
    },
  },
];

// The shopper, and addresses (spec 2.10 to 2.15).

const customerRules: readonly Rule[] = [
  ...requireWhen(
    usesStructure('customer'),
    ['customer.givenName', 'customer.surname'],
    'may not be empty when any other customer parameter is sent',
  ),
  ...requireTogether('customer.identificationDocType', 'customer.identificationDocId'),
  ...requireTogether('shipping.customer.identificationDocType', 'shipping.customer.identificationDocId'),
];

/** A street that consists of digits is a house number in the wrong place. */
const streetHasName = (address: string): Rule => {
  const [first, second] = [`${address}.street1`, `${address}.street2`];
  return {
    name: first,
    message: `may not be digits only, together with ${second}`,
    holds: (sent) => !/^[0-9]+$/.test(`${sent[first] ?? ''}${sent[second] ?? ''}`),
  };
};

const addresses = ['billing', 'shipping', 'merchant.billing', 'merchant.shipping'];

const addressRules: readonly Rule[] = [
  streetHasName('billing'),
  streetHasName('merchant.billing'),
  ...addresses.flatMap((address) => requireWith(`${address}.houseNumber2`, `${address}.houseNumber1`)),
];

/**
 * payment: with its account. registration: stores one. onRegistration: charges a stored one. checkout: before the
 * payment.
 */
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
 * All of them, for an operation's table: an operation that does not accept a parameter never breaks the rules about it.
 * Sorted by precedence: of the errors about one name the first is reported.
 */
export const paymentRules = (endpointKind: Where): readonly SharedRule[] => shared(rules[endpointKind]);

/** A reversal without an amount reverses all that is left; a chargeback and its reversal are for the whole. */
const withAmount: ReadonlySet<string | undefined> = new Set(['CP', 'RF', 'RB', 'RC', 'PA']);

/** The rules between the parameters of a follow-up: capture, reversal, refund, … (spec 4, POST /v1/payments/{id}). */
export const referenceRules: readonly SharedRule[] = shared([
  ...amountRules,
  ...marketplaceRules,
  ...requireWhen(({ paymentType }) => withAmount.has(paymentType), ['amount', 'currency']),
  ...requireTogether('amount', 'currency'),
  ...posPairs,
  ...noOverrides,
]);
