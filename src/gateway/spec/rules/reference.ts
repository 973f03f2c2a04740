/** The rules between the parameters of a follow-up: capture, reversal, refund, … (spec 4, POST /v1/payments/{id}). */
import { needed } from '../operation.ts';
import { amountRules } from './amounts.ts';
import { posPairs } from './cards.ts';
import { noOverrides } from './checkouts.ts';
import { marketplaceRules } from './marketplace.ts';
import { bothOrNeither } from './pairs.ts';
import { type SharedRule, shared } from './shared.ts';

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
