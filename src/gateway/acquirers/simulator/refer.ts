/** Follow-ups: the operations that an approved authorisation still allows, and the money that moves. */
import { codes } from '../../../base/result-codes.ts';
import type { Reference, ReferenceOperation } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { meaningOf } from '../../spec/results.ts';
import { type AccountRules, perTransactionDefaultMinor } from './accounts.ts';
import { acquirerRefusal, answerOf } from './answers.ts';
import { type DecisionFacts, decide } from './decision.ts';
import type { AccountState, DocumentChange, OperationOutcome } from './documents.ts';
import { dayOf, dayWithPayment, paymentCountOn, triggerCode } from './issuer.ts';
import type { LedgerTransaction } from './ledger.ts';
import { createPurseMove, type PurseMove, applyOperation as referTo, releaseRest, takenAmount } from './purse.ts';
import {
  type AccountOrPurse,
  applyTrigger,
  closingChange,
  type Holding,
  holdingOf,
  type SimulatorContext,
} from './record.ts';
import { isPast, printExpiry } from './request.ts';
import { type ResponseCode, type Trigger, triggerOf } from './responses.ts';
import { GRAINS_PER_CENT, worthOf } from './worth.ts';

/** The codes for a payment that was never approved here, or is unknown. */
const noSuchPayment: Readonly<Record<ReferenceOperation, string>> = {
  capture: codes.nothingToCapture,
  refund: codes.nothingToRefund,
  reverse: codes.nothingToReverse,
  increase: codes.transactionNotFound,
  rebill: codes.transactionNotFound,
  receipt: codes.nothingToReceipt,
  chargeback: codes.nothingToChargeBack,
  chargebackReversal: codes.chargebackMissing,
};

/** Waiting for the shopper: the movement of its money is not known yet. */
const STILL_PENDING = codes.stillPending;

/**
 * The answer to an operation on an approved authorisation, named by its id or by the id of an approved follow-up; the
 * stored answer if this operation's own id was answered before. Refused with a result code, without any effect: an
 * unknown, declined or pending payment, another currency, a zero amount or more than is left. A rebill and an increase
 * are declined with a response code if the account cannot carry them.
 */
export const refer = (context: SimulatorContext, request: Reference): Promise<AcquirerAnswer> => {
  const trigger = isCharge(request) ? triggerOf({ amount: request.amount, customParameters: {} }) : undefined;
  return applyTrigger(context, { id: request.id, trigger }, () => referExclusively(context, { request, trigger }));
};

type TriggeredRequest = Pick<Charge, 'request' | 'trigger'>;

/** Rebills and increases ask for new money, so the issuer decides as on an authorisation. */
const isCharge = ({ operation }: Reference): boolean => operation === 'rebill' || operation === 'increase';

const referExclusively = async (context: SimulatorContext, request: TriggeredRequest): Promise<AcquirerAnswer> => {
  const { id, of } = request.request;
  const earlier = await targetOf(context.ledger, of);
  const names = [`outcome ${id}`, `outcome ${earlier.id}`];
  const { account, purse } = earlier.outcome ?? {};
  if (account !== undefined) names.push(`account ${account}`);
  if (purse !== undefined) names.push(`purse ${purse}`);
  const answer = await context.ledger.withLocks(names, async (transaction) => {
    const previous = await transaction.read('outcome', id);
    if (previous !== undefined) return repeatAnswer(context, request.request, previous);
    const target = await targetOf(transaction, of);
    const isSame = target.id === earlier.id && target.outcome?.account === account && target.outcome?.purse === purse;
    return isSame ? settle(context, transaction, { ...request, target }) : undefined;
  });
  // The authorisation was recorded between the read and the transaction: read again, now that its account is known.
  return answer ?? referExclusively(context, request);
};

const repeatAnswer = ({ random }: SimulatorContext, request: Reference, previous: OperationOutcome): AcquirerAnswer => {
  const { operation, amount, at } = request;
  const isSame =
    previous.operation === operation && previous.minor === amount.minor && previous.currency === amount.currency;
  const isKnown = (isSame && previous.of === request.of) || previous.operation === 'closed';
  return isKnown ? previous.answer : answerOf({ code: '94', at, random });
};

type Target = { id: string; outcome: OperationOutcome | undefined };

/** Follow-ups move the money of the payment that started the chain. A rebill starts a new one. */
const targetOf = async (transaction: Pick<LedgerTransaction, 'read'>, of: string): Promise<Target> => {
  const outcome = await transaction.read('outcome', of);
  if (outcome?.of === undefined || outcome.moved !== undefined) return { id: of, outcome };
  return meaningOf(outcome.answer.resultCode) === 'approved' ? targetOf(transaction, outcome.of) : { id: of, outcome };
};

type ReferenceCase = TriggeredRequest & { target: Target };

const settle = async (
  context: SimulatorContext,
  transaction: LedgerTransaction,
  input: ReferenceCase,
): Promise<AcquirerAnswer> => {
  const { request, target } = input;
  const { operation, amount, at } = request;
  const { outcome } = target;
  const refuse = async (resultCode: string, extraChanges: readonly DocumentChange[] = []): Promise<AcquirerAnswer> => {
    const answer = acquirerRefusal(resultCode);
    await transaction.write([ownOutcome(request, answer), ...extraChanges]);
    return answer;
  };

  if (outcome?.pending === true) return refuse(STILL_PENDING);
  if (outcome?.moved === undefined) {
    // A reversal may overtake its authorisation: the id is closed, so that the authorisation is declined when it
    // arrives.
    const closes = operation === 'reverse' && outcome === undefined;
    const extraChanges = closes ? [closingChange(context, target.id, { by: 'reversal', at, amount })] : [];
    return refuse(noSuchPayment[operation], extraChanges);
  }
  // A receipt for a capture names the authorisation's money and takes nothing more from it.
  const isOfCapture = operation === 'receipt' && request.parent !== undefined && request.parent !== request.of;
  const result = referTo(outcome.moved, isOfCapture ? 'confirmation' : operation, amount);
  if (!result.ok) return refuse(result.resultCode);
  const isLast = operation === 'capture' && request.parameters['sequence'] === 'FINAL';
  const nextMove = isLast ? releaseRest(result.moved) : result.moved;
  return carryOut(context, transaction, { ...input, outcome, moveBefore: outcome.moved, moveAfter: nextMove });
};

type AllowedOperation = ReferenceCase & { outcome: OperationOutcome; moveBefore: PurseMove; moveAfter: PurseMove };

const carryOut = async (
  context: SimulatorContext,
  transaction: LedgerTransaction,
  input: AllowedOperation,
): Promise<AcquirerAnswer> => {
  const { request, target, outcome, moveBefore: before, moveAfter: after } = input;
  const { operation, amount, at } = request;
  const place: AccountOrPurse = { account: outcome.account, purse: outcome.purse };
  const rebill = operation === 'rebill';
  const money = await holdingOf(transaction, place);
  const charge: Charge = { ...input, moveBefore: rebill ? 0n : takenAmount(before) };
  const code = isCharge(request) ? judgeCharge(charge, money, context.rulesOf(outcome.account)) : '00';
  const answer = answerOf({ code, at, random: context.random, account: outcome.answer.account });
  if (code !== '00') {
    await transaction.write([ownOutcome(request, answer)]);
    return answer;
  }

  const deducted = rebill ? worthOf(amount) : takenAmount(after) - takenAmount(before);
  const { state } = money ?? {};
  const changes: DocumentChange[] = [
    ownOutcome(request, answer, rebill ? { ...place, moved: createPurseMove('DB', amount) } : {}),
    { kind: 'outcome', name: target.id, document: { ...outcome, moved: after } },
  ];
  if (money !== undefined) {
    const nextState = state !== undefined && isCharge(request) ? stateAfterCharge(charge, state) : state;
    changes.push(money.changeTo(money.available - deducted, nextState));
  }
  await transaction.write(changes);
  return answer;
};

/** The follow-up's own outcome. */
const ownOutcome = (
  { id, of, operation, amount }: Reference,
  answer: AcquirerAnswer,
  extra: Partial<OperationOutcome> = {},
): DocumentChange => {
  const { minor, currency } = amount;
  return { kind: 'outcome', name: id, document: { operation, minor, currency, of, ...extra, answer } };
};

// An account charged again without its card: a rebill, or an increase of an open authorisation. Its issuer decides
// anew.

type Charge = {
  readonly request: Reference;
  /** Grains already taken by the same payment: an increase is judged by the whole amount. */
  readonly moveBefore: bigint;
  readonly trigger: Trigger | undefined;
};

/** The facts when nothing is presented: no card, no chip, no PIN. */
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
 * The response code of a charge on a card's account, or on a purse, which has funds and no other rules. Without either,
 * only a test's trigger decides.
 */
const judgeCharge = (charge: Charge, money: Holding | undefined, rules: AccountRules): ResponseCode => {
  const { request, moveBefore: before, trigger } = charge;
  const { available, state } = money ?? {};
  const amount = worthOf(request.amount);
  const limit = (rules.perTransactionMinor ?? perTransactionDefaultMinor) * GRAINS_PER_CENT;
  const isExpired = rules.expiry !== undefined && isPast(printExpiry(rules.expiry), request.at);
  return decide({
    ...nothingPresented,
    trigger: triggerCode(trigger),
    status: rules.account,
    expired: isExpired ? 'yes' : 'no',
    amount,
    perTransaction: state === undefined ? amount : limit - before,
    paymentsLeftToday: state === undefined ? 1 : paymentsLeftCount(charge, state, rules),
    available: rules.endless ? amount : (available ?? amount),
  });
};

/** An increase does not count as a new payment. */
const paymentsLeftCount = ({ request }: Charge, state: AccountState, { perDay }: AccountRules): number =>
  perDay === undefined || request.operation === 'increase' ? 1 : perDay - paymentCountOn(state, dayOf(request.at));

/** The account's state after an approved charge, before its money is deducted. */
const stateAfterCharge = ({ request }: Charge, state: AccountState): AccountState =>
  request.operation === 'increase' ? state : { ...state, day: dayWithPayment(state, request.at) };
