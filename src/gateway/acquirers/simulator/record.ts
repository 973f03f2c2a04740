/** What all authorisations share, whatever they charge: an id counts once, endings asked for, the outcome kept. */

import { createHash } from 'node:crypto';
import { codes } from '../../../base/result-codes.ts';
import { meaningOf } from '../../spec/results.ts';
import type { AcquirerAnswer, Authorisation, Reference } from '../acquirer.ts';
import { answerOf } from './answers.ts';
import type { DocumentChange, OperationOutcome } from './documents.ts';
import { approvedOf } from './part.ts';
import { opened } from './purse.ts';
import type { SimulatorContext } from './rooms.ts';
import { forcedResult } from './triggers.ts';

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
    ...(means === 'pending' && { pending: true as const }),
    answer,
    ...(means === 'approved' && { moved: opened(operation, approvedOf(amount, answer)) }),
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
