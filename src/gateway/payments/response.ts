/** The JSON answer (spec 2.35), made from the payment alone: the same payment always gives the same bytes. */
import { createHash } from 'node:crypto';
import { dateTime } from '../../base/clock.ts';
import { printAmount } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import { type Json, nestedOf } from '../spec/json.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import { describe, isAccepted, statusOf } from '../spec/results.ts';
import type { Payment, PaymentFacts } from '../store/records.ts';

/** Written by `JSON.stringify`, which leaves out undefined values. */
export type Body = { readonly [name: string]: Json | undefined };
export type Answer = { status: number; body: Body; headers?: Readonly<Record<string, string>> };

/** For support (spec 2.35): the hash of the release and its date, in the format that clients know. */
export const buildNumber = `${createHash('sha1').update('tillgate 0.1.0').digest('hex')}@2026-11-21 00:00:00 +0000`;

/** The acquirer's detail that identifies the first of a series of payments. */
export const INITIAL_TRANSACTION = 'CardholderInitiatedTransactionID';

/** For queries of a payment without an ending: transaction pending. */
const PENDING = codes.pending;
/** For the request that started the payment: timeout, uncertain result. */
export const UNCERTAIN = codes.uncertain;

type Fields = { [name: string]: Json };

/** `pendingCode` is the code of a payment that has no ending yet and is not with the shopper. */
export const paymentAnswer = (payment: Payment, pendingCode: string = PENDING): Answer => {
  const { entityId, facts } = payment;
  // In a checkout the request is identified by the checkout's id.
  const ndc = facts.checkoutId ?? ndcOf(entityId, facts.requestId);
  return {
    status: statusOf(codeOf(payment, pendingCode)),
    body: Object.assign(fieldsOf(payment, pendingCode), { buildNumber, ndc }),
  };
};

/** The payment's current code: its ending's; pending while the shopper decides; otherwise `pendingCode`. */
const codeOf = (payment: Payment, pendingCode: string): string => {
  if (payment.state === 'done') return payment.resultCode;
  return payment.facts.answer === undefined ? pendingCode : PENDING;
};

/** The payment without buildNumber and ndc, as an item of a list. */
export const paymentBody = (payment: Payment): Body => fieldsOf(payment, PENDING);

const fieldsOf = (payment: Payment, pendingCode: string): Fields => {
  const { amount, facts, registrationId } = payment;
  const code = codeOf(payment, pendingCode);
  const isSuccessful = isAccepted(code);
  // Built from our own names, so the top is an object.
  const echo = nestedOf(facts.echo) as Body;
  const fields: Fields = { id: payment.id };
  if (isSuccessful && registrationId !== undefined) {
    fields['registrationId'] = registrationId;
    fields['registration'] = { id: registrationId };
  }
  put(fields, 'referencedId', payment.referencedId);
  put(fields, 'paymentType', payment.paymentType);
  put(fields, 'paymentBrand', facts.paymentBrand);
  if (isSuccessful) {
    fields['amount'] = printAmount(amount);
    fields['currency'] = amount.currency;
    fields['descriptor'] = facts.descriptor;
  }
  for (const name in echo) if (!returnedGroups.has(name)) put(fields, name, echo[name]);
  put(fields, 'result', resultOf(payment, code));
  put(fields, 'resultDetails', detailsOf(payment, code));
  put(fields, 'card', cardOf(facts, echo['card']));
  put(fields, 'pos', posOf(payment, echo['pos']));
  put(fields, 'merchant', merchantOf(facts, echo['merchant']));
  put(fields, 'standingInstruction', instructionOf(facts, echo['standingInstruction']));
  put(fields, 'threeDSecure', authenticationOf(facts, echo['threeDSecure']));
  put(fields, 'redirect', payment.state === 'done' ? undefined : facts.answer?.redirect);
  put(fields, 'brandResult', facts.brandResult);
  put(fields, 'risk', riskOf(facts, echo['risk']));
  put(fields, 'parameterWarnings', facts.warnings);
  put(fields, 'checkoutId', facts.checkoutId);
  put(fields, 'scheduleId', facts.scheduleId);
  put(fields, 'shortId', payment.shortId);
  put(fields, 'timestamp', formatTimestamp(payment.at));
  return fields;
};

const put = (fields: Fields, name: string, value: Json | undefined): void => {
  if (value !== undefined) fields[name] = value;
};

/** For these groups the answer has more fields than the request; the groups follow after the other fields. */
const returnedGroups: ReadonlySet<string> = new Set(['pos', 'card', 'merchant', 'standingInstruction', 'threeDSecure']);

/** Always has a description for a follow-up: clients of captures and reversals require one beside other details. */
const detailsOf = (
  { referencedId, facts: { answer, why } }: Payment,
  code: string,
): Readonly<Record<string, string>> | undefined => {
  const details = answer?.details ?? {};
  if (why !== undefined) return { ...details, ExtendedDescription: why };
  if (Object.keys(details).length === 0) return undefined;
  return referencedId === undefined ? details : { ExtendedDescription: describe(code), ...details };
};

const resultOf = ({ id, facts: { answer, echo, live } }: Payment, code: string): Body => {
  // The object has no prototype, so that the engine keeps an object with new keys in every answer as a hash table.
  const result: Fields = Object.create(null);
  result['code'] = code;
  result['description'] = describe(code);
  put(result, 'avsResponse', answer?.avsResponse);
  put(result, 'cvvResponse', answer?.cvvResponse);
  Object.assign(result, unexpectedFields(id, { live, testMode: echo['testMode'] }));
  return result;
};

const UNEXPECTED = 'Please allow for new unexpected fields to be added';

/** Derived from the id, so that a repeated answer has the same bytes. */
const unexpectedName = (id: string): string => `randomField${Number.parseInt(id.slice(-8), 16) || 0}`;

/**
 * In the simulators' test mode every answer has a field that no client knows, so that clients learn to tolerate new
 * ones (spec 2.35).
 */
export const unexpectedFields = (id: string, { live, testMode }: { live?: true; testMode?: string }): Body =>
  live === true || testMode === 'EXTERNAL' ? {} : { [unexpectedName(id)]: UNEXPECTED };

const groupOf = (json: Json | undefined): Body =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Body) : {};

const cardOf = ({ card }: PaymentFacts, sent: Json | undefined): Body | undefined =>
  card === undefined && sent === undefined ? undefined : { ...groupOf(sent), ...card };

/** The terminal's data of the request, and the acquirer's data for the terminal. */
const posOf = ({ at, facts }: Payment, sent: Json | undefined): Body | undefined => {
  if (sent === undefined) return undefined;
  const { clearing, merchantId, iccDataResponse, statusText } = facts.answer ?? {};
  return { ...groupOf(sent), clearing, merchantId, iccDataResponse, statusText, timestamp: dateTime(at) };
};

/** The merchant as sent, and the account that the shopper is to transfer to (spec 2.35, merchant.bankAccount). */
const merchantOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body | undefined => {
  const bankAccount = answer?.merchantBankAccount;
  if (sent === undefined && bankAccount === undefined) return undefined;
  return { ...groupOf(sent), bankAccount };
};

/** A standing instruction as sent, and the reference that its later payments must name (spec 2.32). */
const instructionOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body | undefined => {
  if (sent === undefined) return undefined;
  const group = groupOf(sent);
  return { ...group, initialTransactionId: answer?.details[INITIAL_TRANSACTION] ?? group['initialTransactionId'] };
};

/** The 3-D Secure data as sent, and the result of the gateway's own authentication. */
const authenticationOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body | undefined =>
  sent === undefined && answer?.threeDSecure === undefined ? undefined : { ...groupOf(sent), ...answer?.threeDSecure };

/** The risk data as sent, and the score of a payment that was screened. */
const riskOf = ({ riskScore }: PaymentFacts, sent: Json | undefined): Json | undefined =>
  riskScore === undefined ? sent : { ...groupOf(sent), score: String(riskScore) };

/** `yyyy-MM-dd HH:mm:ss+0000`. */
export const formatTimestamp = (at: number): string => `${dateTime(at)}+0000`;

/**
 * The end of every answer. The ndc is the request's own id: up to 69 letters, digits and hyphens. '' means no entity.
 */
export const answerFrame = (entityId: string, requestId: string, at: number): Body => ({
  buildNumber,
  timestamp: formatTimestamp(at),
  ndc: ndcOf(entityId, requestId),
});

const ndcOf = (entityId: string, requestId: string): string =>
  entityId === '' ? requestId : `${entityId}-${requestId}`;

export type Refusal = {
  code: string;
  status?: number;
  why?: string;
  parameterErrors?: readonly ParameterError[];
  headers?: Readonly<Record<string, string>>;
};

/** An answer about the request itself, when it led to no payment. */
export const refuseWith = ({ code, status, why, parameterErrors, headers }: Refusal, end: Body): Answer => ({
  status: status ?? statusOf(code),
  body: {
    result: { code, description: describe(code), parameterErrors },
    resultDetails: why === undefined ? undefined : { ExtendedDescription: why },
    ...end,
  },
  headers,
});
