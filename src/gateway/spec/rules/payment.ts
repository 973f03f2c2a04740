/** The rules between the parameters of a payment, and of whatever leads to one. */
import type { Rule } from '../operation.ts';
import { payingAccountRules, storedAccountRules } from './accounts.ts';
import { amountRules } from './amounts.ts';
import { cardRules, posPairs, posRules } from './cards.ts';
import { asynchronousRules, noOverrides } from './checkouts.ts';
import { marketplaceRules } from './marketplace.ts';
import { migrationRules, otherAccountRules } from './other-accounts.ts';
import { addressRules, customerRules } from './people.ts';
import { type SharedRule, shared } from './shared.ts';
import { authenticatingRules, standingInstructionRules, threeDSecureRules } from './three-d-secure.ts';
import { walletRules } from './wallets.ts';

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
