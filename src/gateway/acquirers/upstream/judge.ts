/**
 * What a call to the processor proves about one operation. An approval and a decline need evidence; anything else is
 * unknown.
 */

import { isResultCode } from '../../../base/code-meanings.ts';
import { isFault } from '../../../base/fault.ts';
import { type Money, parseAmount, printAmount } from '../../../base/money.ts';
import { codes, isInGroup } from '../../../base/result-codes.ts';
import type { HostOutcome } from '../../client/client.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { type CodeMeaning, describe, meaningOf } from '../../spec/results.ts';
import type { UpstreamAnswer, UpstreamIntent } from './record.ts';
import { type JsonObject, objectOf, storedFieldsOf } from './stored-fields.ts';

export type UpstreamVerdict =
  | ({ kind: 'said' } & UpstreamAnswer)
  /** Proved: no byte of it was sent. */
  | { kind: 'unsent'; why: string }
  /** The processor answers that it has no such operation. */
  | { kind: 'notFound' }
  | { kind: 'unknown'; why: string };

/** The operation that an answer must be about. */
type ExpectedOperation = UpstreamIntent & { id: string; upstreamId?: string };

/** "Cannot find transaction": the only code by which a query reports that there is no such payment. */
const NOT_FOUND = codes.transactionNotFound;
/** "Successful request": about the query as a whole, never about a payment. */
const OF_A_QUERY = codes.questionAnswered;
/** "Request to acquirer has not been sent": a certain ending. */
const NOT_SENT = codes.neverSentToAcquirer;
/** The processor refused this gateway, not the payment: throttled, or a wrong token or entity. */
const isAboutUs = (code: string): boolean => code === codes.throttled || isInGroup('access', code);

export const judgeAnswer = (outcome: HostOutcome, expected: ExpectedOperation): UpstreamVerdict => {
  if (outcome.kind !== 'answered') return unansweredVerdict(outcome);
  if (!isAnswerStatus(outcome.status)) return { kind: 'unknown', why: `status ${outcome.status}` };
  return judgePayment(outcome.body, outcome.code, expected);
};

/** Judges the answer to GET v1/payments/{id}. If the query is refused, that proves nothing about the payment. */
export const judgeLookup = (outcome: HostOutcome, expected: ExpectedOperation): UpstreamVerdict => {
  if (outcome.kind !== 'answered') return unknownVerdict(outcome);
  if (!isAnswerStatus(outcome.status) || outcome.body['id'] !== expected.upstreamId) {
    return { kind: 'unknown', why: `the processor answered ${outcome.code} when asked for its payment` };
  }
  return judgePayment(outcome.body, outcome.code, expected);
};

/** Judges the answer to GET v1/query?merchantTransactionId. */
export const judgeQuery = (outcome: HostOutcome, expected: ExpectedOperation): UpstreamVerdict => {
  if (outcome.kind !== 'answered') return unknownVerdict(outcome);
  const { code, status, body } = outcome;
  if (code === NOT_FOUND && isAnswerStatus(status)) return { kind: 'notFound' };
  const list = body['payments'] ?? body['records'];
  if (status !== 200 || meaningOf(code) !== 'approved' || !Array.isArray(list)) {
    return { kind: 'unknown', why: `the processor answered ${code} when asked` };
  }
  const verdicts = list
    .map(objectOf)
    .filter((each) => each['merchantTransactionId'] === expected.id && each['paymentType'] === expected.type)
    .map((each) => judgePayment(each, codeOf(each), expected));
  // It was sent once, but a processor may list a failed attempt of its own before the one that counted.
  return (
    strongestFirst
      .map((meaning) => verdicts.find((each) => meansOf(each) === meaning))
      .find((each) => each !== undefined) ?? {
      kind: 'unknown',
      why: 'the processor’s list has no payment with this reference and type',
    }
  );
};

const strongestFirst: readonly CodeMeaning[] = ['approved', 'pending', 'unknown', 'declined', 'refused', 'later'];

const meansOf = (verdict: UpstreamVerdict): CodeMeaning =>
  verdict.kind === 'said' ? meaningOf(verdict.answer.resultCode) : 'unknown';

const isAnswerStatus = (status: number): boolean => status === 200 || (status >= 400 && status < 500);

const codeOf = (body: JsonObject): string => {
  const { code } = objectOf(body['result']);
  return typeof code === 'string' ? code : '';
};

const unansweredVerdict = (outcome: Exclude<HostOutcome, { kind: 'answered' }>): UpstreamVerdict => {
  const { kind, fault } = outcome;
  // The cause can prove more than the outcome: after a failed handshake nothing was sent.
  const notSentFault = kind === 'notSent' ? fault : isFault(fault.cause, 'host.unreachable') ? fault.cause : undefined;
  return notSentFault === undefined
    ? { kind: 'unknown', why: fault.message }
    : { kind: 'unsent', why: notSentFault.message };
};

/** A query that was not sent proves nothing about the operation it asks about. */
const unknownVerdict = (outcome: Exclude<HostOutcome, { kind: 'answered' }>): UpstreamVerdict => ({
  kind: 'unknown',
  why: outcome.fault.message,
});

const judgePayment = (body: JsonObject, code: string, expected: ExpectedOperation): UpstreamVerdict => {
  const meaning = meaningOf(code);
  const mismatch = mismatchOf(body, expected, meaning);
  if (mismatch !== undefined) return { kind: 'unknown', why: mismatch };
  const upstreamId = idOf(body);
  if (meaning === 'approved' && (upstreamId === undefined || code === OF_A_QUERY)) {
    return { kind: 'unknown', why: `${code} came without an id for the payment` };
  }
  if (meaning === 'unknown' && !isResultCode(code)) {
    return { kind: 'unknown', why: 'its result code is malformed' };
  }
  const partialAmount =
    meaning === 'approved' && expected.partial === true ? partialAmountOf(body, expected) : undefined;
  const answer = { ...answerOf(body, code), approvedAmount: partialAmount && printAmount(partialAmount) };
  return { kind: 'said', answer, upstreamId };
};

/** Ids in the host API's form (spec 2.1), plus the characters that processors add; safe in a path. */
const idOf = ({ id }: JsonObject): string | undefined =>
  typeof id === 'string' && /^[A-Za-z0-9][A-Za-z0-9.-]{7,63}$/.test(id) ? id : undefined;

/** Why the answer is not about the expected operation. An approval of another amount is no approval of this one. */
const mismatchOf = (body: JsonObject, expected: ExpectedOperation, meaning: CodeMeaning): string | undefined => {
  const compareField = (name: string, expected: readonly string[]): string | undefined => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' && expected.includes(value) ? undefined : `its ${name} differs`;
  };
  const { id, type, currency, minor } = expected;
  const amount = printAmount({ minor: BigInt(minor), currency });
  const identity = compareField('merchantTransactionId', [id]) ?? compareField('paymentType', [type]);
  if (identity !== undefined || meaning !== 'approved') return identity;
  if (expected.partial === true && partialAmountOf(body, expected) !== undefined)
    return compareField('currency', [currency]);
  return compareField('amount', [amount, amount.replace(/\.00$/, '')]) ?? compareField('currency', [currency]);
};

/** The amount of a partial approval, above zero. */
const partialAmountOf = ({ amount }: JsonObject, { currency, minor }: ExpectedOperation): Money | undefined => {
  if (typeof amount !== 'string' || !/^\d{1,10}(\.\d{2})?$/.test(amount)) return undefined;
  const approvedMoney = parseAmount(amount, currency);
  return approvedMoney.minor > 0n && approvedMoney.minor < BigInt(minor) ? approvedMoney : undefined;
};

/** A refusal of this gateway ends the payment as not sent: the merchant can neither see nor fix the cause. */
const answerOf = (body: JsonObject, code: string): AcquirerAnswer => {
  const fields = storedFieldsOf(body);
  if (!isAboutUs(code)) return { ...fields, resultCode: code };
  const reason = `The processor refused this gateway: ${code} ${describe(code)}`;
  return { details: { ...fields.details, ExtendedDescription: reason }, resultCode: NOT_SENT };
};

/** The ending of an operation that was never sent. */
export const unsentAnswer = (reason: string): AcquirerAnswer => ({
  resultCode: NOT_SENT,
  details: { ExtendedDescription: reason },
});
