/** Shared by all authorisations, whatever they charge: an id counts once, forced endings, the stored outcome. */
import { createHash } from 'node:crypto';
import { type Clock, pause } from '../../../base/clock.ts';
import { Fault } from '../../../base/fault.ts';
import type { Random } from '../../../base/ids.ts';
import { codes } from '../../../base/result-codes.ts';
import type { Authorisation, Reference } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { isAccepted, meaningOf } from '../../spec/results.ts';
import type { AccountLookup, AccountRules } from './accounts.ts';
import { answerOf, noAnswer } from './answers.ts';
import type { AccountState, DocumentChange, OperationOutcome } from './documents.ts';
import type { Hsm } from './hsm.ts';
import type { AcquirerLedger, LedgerTransaction } from './ledger.ts';
import { approvedAmountOf, createPurseMove } from './purse.ts';
import { forcedResult, type Trigger } from './responses.ts';

/** The document that holds the money; neither field if there is none. */
export type AccountOrPurse = Pick<OperationOutcome, 'account' | 'purse'>;

/**
 * The answer to a request whose id already has an outcome: the stored one if it is the same request or the id is
 * closed. For a different request under a used id: 94.
 */
export const repeatAnswer = (
  { random }: Pick<SimulatorContext, 'random'>,
  request: Authorisation,
  { seen, place }: { seen: OperationOutcome; place: AccountOrPurse },
): AcquirerAnswer => {
  const { paymentType, amount, at } = request;
  const isSame =
    seen.operation === paymentType &&
    seen.minor === amount.minor &&
    seen.currency === amount.currency &&
    seen.account === place.account &&
    seen.purse === place.purse;
  return isSame || seen.operation === 'closed' ? seen.answer : answerOf({ code: '94', at, random });
};

/**
 * Whether a forced result approves or declines; undefined if none is forced. Malformed results never reach this
 * function.
 */
export const forcedEnding = (request: Authorisation): 'approved' | 'declined' | undefined => {
  const forced = forcedResult(request);
  if (forced === undefined) return undefined;
  return meaningOf(forced) === 'approved' ? 'approved' : 'declined';
};

/** The answer with the forced result code, if there is one. An uncertain ending has no text for either outcome. */
export const forcedAnswer = (request: Authorisation, answer: AcquirerAnswer): AcquirerAnswer => {
  const resultCode = forcedResult(request);
  if (resultCode === undefined) return answer;
  if (['approved', 'declined'].includes(meaningOf(resultCode))) return { ...answer, resultCode };
  const { statusText: _, ...rest } = answer;
  return { ...rest, resultCode, details: {} };
};

/**
 * The scheme's reference for the first payment of a series (spec 2.32), fifteen digits made from the payment's id.
 * Later payments without the shopper name it. Only for an approved payment that is marked as the first.
 */
export const addSeriesReference = ({ id, parameters }: Authorisation, answer: AcquirerAnswer): AcquirerAnswer => {
  const isFirst = parameters['standingInstruction.mode'] === 'INITIAL';
  if (!isFirst || meaningOf(answer.resultCode) !== 'approved') return answer;
  const reference = createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 15n;
  const CardholderInitiatedTransactionID = reference.toString().padStart(15, '0');
  return { ...answer, details: { ...answer.details, CardholderInitiatedTransactionID } };
};

/** The outcome to write for an authorisation, including the money it moved if its answer approves. */
export const outcomeOf = (request: Authorisation, answer: AcquirerAnswer, place: AccountOrPurse): DocumentChange => {
  const { id, paymentType: operation, amount } = request;
  const meaning = meaningOf(answer.resultCode);
  const document: OperationOutcome = {
    operation,
    minor: amount.minor,
    currency: amount.currency,
    ...place,
    pending: meaning === 'pending' || undefined,
    answer,
    moved: meaning === 'approved' ? createPurseMove(operation, approvedAmountOf(amount, answer)) : undefined,
  };
  return { kind: 'outcome', name: id, document };
};

/** Closes an unused id: a request that comes under it later is declined with 800.100.191. */
export const closingChange = (
  { random }: Pick<SimulatorContext, 'random'>,
  id: string,
  { by, at, amount }: { by: 'reversal' | 'inquiry'; at: number; amount: Reference['amount'] },
): DocumentChange => {
  const answer = { ...answerOf({ code: '12', at, random }), resultCode: codes.acquirerStateWrong };
  const { minor, currency } = amount;
  return { kind: 'outcome', name: id, document: { operation: 'closed', minor, currency, closedBy: by, answer } };
};

// The document that holds an outcome's money: a card's account or a purse. Both are changed the same way.

export type Holding = {
  /** In grains. */
  readonly available: bigint;
  /** The whole state, for a card's account. */
  readonly state?: AccountState;
  changeTo(available: bigint, state?: AccountState): DocumentChange;
};

/**
 * Undefined if the outcome names none: an approval forced for a request without a card, a transfer by the shopper.
 * Throws `gateway.state` if the named document is missing.
 */
export const holdingOf = async (
  transaction: Pick<LedgerTransaction, 'read'>,
  place: AccountOrPurse,
): Promise<Holding | undefined> => {
  const { account, purse } = place;
  if (account !== undefined) {
    const stored = requireDocument(await transaction.read('account', account), `account ${account}`);
    return {
      available: stored.available,
      state: stored,
      changeTo: (available, state = stored) => ({ kind: 'account', name: account, document: { ...state, available } }),
    };
  }
  if (purse === undefined) return undefined;
  const { available } = requireDocument(await transaction.read('purse', purse), `purse ${purse}`);
  return { available, changeTo: (remaining) => ({ kind: 'purse', name: purse, document: { available: remaining } }) };
};

const requireDocument = <T>(document: T | undefined, description: string): T => {
  if (document === undefined) throw new Fault('gateway.state', { why: `the simulator’s ${description} is missing` });
  return document;
};

export type SimulatorContext = {
  readonly hsm: Hsm;
  readonly ledger: AcquirerLedger;
  readonly find: (pan: string) => AccountLookup;
  /** The rules of the account with this key (`Hsm.accountKey`) when its card is not present. */
  readonly rulesOf: (accountKey: string | undefined) => AccountRules;
  readonly clock: Clock;
  readonly random: Random;
};

// The effect of a trigger on the request before it arrives and on the answer before it returns.

type TriggeredPayment = { id: string; trigger: Trigger | undefined };

/**
 * Applies the trigger to the transaction. A request answered before, or declined, is answered at once and is never
 * lost: a repeat gets the real outcome.
 */
export const applyTrigger = (
  context: SimulatorContext,
  { id, trigger }: TriggeredPayment,
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> =>
  trigger === undefined || trigger.kind === 'response' ? work() : applyTransportTrigger(context, { id, trigger }, work);

const applyTransportTrigger = async (
  { ledger, clock }: SimulatorContext,
  { id, trigger }: { id: string; trigger: Exclude<Trigger, { kind: 'response' }> },
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> => {
  if (trigger.kind === 'requestLost') return noAnswer;
  const isRepeated = (await ledger.read('outcome', id)) !== undefined;
  const answer = await work();
  if (isRepeated || !isAccepted(answer.resultCode)) return answer;
  if (trigger.kind === 'slow') await pause(clock, trigger.ms);
  return trigger.kind === 'answerLost' ? noAnswer : answer;
};
