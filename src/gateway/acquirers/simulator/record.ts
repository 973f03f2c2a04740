/** What all authorisations share, whatever they charge: an id counts once, endings asked for, the outcome kept. */
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
import { approvedOf, opened } from './purse.ts';
import { forcedResult, type Trigger } from './responses.ts';

/** Which document the money sits in; neither, if there is none. */
export type AccountOrPurse = Pick<OperationOutcome, 'account' | 'purse'>;

/**
 * The answer to a request whose id has an outcome already: the stored one if it is the same request, or if the id is
 * closed, whatever the request shows. For another request under a used id: 94.
 */
export const answeredBefore = (
  { random }: Pick<SimulatorContext, 'random'>,
  request: Authorisation,
  { seen, place }: { seen: OperationOutcome; place: AccountOrPurse },
): AcquirerAnswer => {
  const { paymentType, amount, at } = request;
  const same =
    seen.operation === paymentType &&
    seen.minor === amount.minor &&
    seen.currency === amount.currency &&
    seen.account === place.account &&
    seen.purse === place.purse;
  return same || seen.operation === 'closed' ? seen.answer : answerOf({ code: '94', at, random });
};

/** Whether a forced result approves or not; undefined when none is forced. Malformed ones never come this far. */
export const forcedEnding = (request: Authorisation): 'approved' | 'declined' | undefined => {
  const forced = forcedResult(request);
  if (forced === undefined) return undefined;
  return meaningOf(forced) === 'approved' ? 'approved' : 'declined';
};

/** The answer with the forced result code, if one is. An ending that is neither yes nor no has no words of either. */
export const forcedAnswer = (request: Authorisation, answer: AcquirerAnswer): AcquirerAnswer => {
  const resultCode = forcedResult(request);
  if (resultCode === undefined) return answer;
  if (['approved', 'declined'].includes(meaningOf(resultCode))) return { ...answer, resultCode };
  const { statusText: _, ...rest } = answer;
  return { ...rest, resultCode, details: {} };
};

/**
 * The scheme's reference of the first payment of a series (spec 2.32), fifteen digits made from the payment's id. Later
 * payments without the shopper name it. Only of an approved one that says it is the first.
 */
export const firstOfSeries = ({ id, parameters }: Authorisation, answer: AcquirerAnswer): AcquirerAnswer => {
  const isFirst = parameters['standingInstruction.mode'] === 'INITIAL';
  if (!isFirst || meaningOf(answer.resultCode) !== 'approved') return answer;
  const reference = createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 15n;
  const CardholderInitiatedTransactionID = reference.toString().padStart(15, '0');
  return { ...answer, details: { ...answer.details, CardholderInitiatedTransactionID } };
};

/** The outcome to write for an authorisation. The money it moved is in it if its answer approves. */
export const outcomeOf = (request: Authorisation, answer: AcquirerAnswer, place: AccountOrPurse): DocumentChange => {
  const { id, paymentType: operation, amount } = request;
  const means = meaningOf(answer.resultCode);
  const document: OperationOutcome = {
    operation,
    minor: amount.minor,
    currency: amount.currency,
    ...place,
    pending: means === 'pending' || undefined,
    answer,
    moved: means === 'approved' ? opened(operation, approvedOf(amount, answer)) : undefined,
  };
  return { kind: 'outcome', name: id, document };
};

/** Closes an id nobody used yet: whatever comes under it later is declined with 800.100.191. */
export const closing = (
  { random }: Pick<SimulatorContext, 'random'>,
  id: string,
  { by, at, amount }: { by: 'reversal' | 'inquiry'; at: number; amount: Reference['amount'] },
): DocumentChange => {
  const answer = { ...answerOf({ code: '12', at, random }), resultCode: codes.acquirerStateWrong };
  const { minor, currency } = amount;
  return { kind: 'outcome', name: id, document: { operation: 'closed', minor, currency, closedBy: by, answer } };
};

// Where the money of an outcome sits: a card's account, or a purse. Both are moved the same way.

export type Holding = {
  /** Grains. */
  readonly available: bigint;
  /** The whole state, if it is a card's account. */
  readonly state?: AccountState;
  /** The document with this much in it. */
  holding(available: bigint, state?: AccountState): DocumentChange;
};

/**
 * Undefined if the outcome names none: an approval forced for a request without a card, a transfer that the shopper
 * makes. Throws `gateway.state` if what it names is missing.
 */
export const holdingOf = async (
  transaction: Pick<LedgerTransaction, 'read'>,
  place: AccountOrPurse,
): Promise<Holding | undefined> => {
  const { account, purse } = place;
  if (account !== undefined) {
    const kept = there(await transaction.read('account', account), `account ${account}`);
    return {
      available: kept.available,
      state: kept,
      holding: (available, state = kept) => ({ kind: 'account', name: account, document: { ...state, available } }),
    };
  }
  if (purse === undefined) return undefined;
  const { available } = there(await transaction.read('purse', purse), `purse ${purse}`);
  return { available, holding: (left) => ({ kind: 'purse', name: purse, document: { available: left } }) };
};

const there = <T>(document: T | undefined, what: string): T => {
  if (document === undefined) throw new Fault('gateway.state', { why: `the simulator’s ${what} is missing` });
  return document;
};

export type SimulatorContext = {
  readonly hsm: Hsm;
  readonly ledger: AcquirerLedger;
  readonly find: (pan: string) => AccountLookup;
  /** What holds for the account of this key when its card is not there: `Hsm.accountKey`. */
  readonly rulesOf: (accountKey: string | undefined) => AccountRules;
  readonly clock: Clock;
  readonly random: Random;
};

// What a trigger does to a request on its way here and to its answer on its way back.

type Befallen = { id: string; trigger: Trigger | undefined };

/**
 * Lets the trigger befall the work. A request answered before, and one that was declined, is answered at once and is
 * never lost: who asks again learns the truth.
 */
export const underTrigger = (
  rooms: SimulatorContext,
  { id, trigger }: Befallen,
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> =>
  trigger === undefined || trigger.kind === 'response' ? work() : onItsWay(rooms, { id, trigger }, work);

const onItsWay = async (
  { ledger, clock }: SimulatorContext,
  { id, trigger }: { id: string; trigger: Exclude<Trigger, { kind: 'response' }> },
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> => {
  if (trigger.kind === 'requestLost') return noAnswer;
  const repeated = (await ledger.read('outcome', id)) !== undefined;
  const answer = await work();
  if (repeated || !isAccepted(answer.resultCode)) return answer;
  if (trigger.kind === 'slow') await pause(clock, trigger.ms);
  return trigger.kind === 'answerLost' ? noAnswer : answer;
};
