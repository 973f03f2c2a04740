/** An account charged again without its card: a rebill, or more on an open authorisation. Its issuer decides anew. */
import type { Reference } from '../acquirer.ts';
import { type AccountRules, perTransactionDefaultMinor } from './accounts.ts';
import { type DecisionFacts, decide } from './decision.ts';
import type { AccountState } from './documents.ts';
import type { Holding } from './holding.ts';
import { dayAfter, dayOf, paymentsOn, triggerCode } from './issuer.ts';
import { isPast, printed } from './request.ts';
import type { ResponseCode } from './responses.ts';
import type { Trigger } from './triggers.ts';
import { GRAINS_PER_CENT, worthOf } from './worth.ts';

export type Charge = {
  readonly request: Reference;
  /** Grains that the same payment has taken already: an increase is judged by the whole. */
  readonly before: bigint;
  readonly trigger: Trigger | undefined;
};

/** What is certain when nothing is presented: no card, no chip, no PIN. */
const nothingPresented = {
  type: 'DB',
  advice: false,
  key: 'fresh',
  chip: 'none',
  amountAgrees: 'yes',
  counter: 'none',
  chipSays: 'nothing',
  claimedOffline: 'no',
  pin: 'none',
  wrongPins: 0,
  verificationValue: 'none',
  securityCode: 'none',
} as const satisfies Partial<DecisionFacts>;

/**
 * The response code of a charge on a card's account; or on a purse, which has funds and no other rules. Without either
 * there is only what a test asks for.
 */
export const judgeOnFile = (charge: Charge, money: Holding | undefined, rules: AccountRules): ResponseCode => {
  const { request, before, trigger } = charge;
  const { available, state } = money ?? {};
  const amount = worthOf(request.amount);
  const limit = (rules.perTransactionMinor ?? perTransactionDefaultMinor) * GRAINS_PER_CENT;
  const expired = rules.expiry !== undefined && isPast(printed(rules.expiry), request.at);
  return decide({
    ...nothingPresented,
    trigger: triggerCode(trigger),
    status: rules.account,
    expired: expired ? 'yes' : 'no',
    amount,
    perTransaction: state === undefined ? amount : limit - before,
    paymentsLeftToday: state === undefined ? 1 : paymentsLeft(charge, state, rules),
    available: rules.endless ? amount : (available ?? amount),
  });
};

/** An increase is no payment of its own. */
const paymentsLeft = ({ request }: Charge, state: AccountState, { perDay }: AccountRules): number =>
  perDay === undefined || request.operation === 'increase' ? 1 : perDay - paymentsOn(state, dayOf(request.at));

/** The account's state after a charge that was approved, before its money is taken off. */
export const charged = ({ request }: Charge, state: AccountState): AccountState =>
  request.operation === 'increase' ? state : { ...state, day: dayAfter(state, request.at) };
