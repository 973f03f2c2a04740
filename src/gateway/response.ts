/** The JSON answer (spec 2.35), made from the payment alone: the same payment always gives the same bytes. */
import { createHash } from 'node:crypto';
import { dateTime } from '../base/clock.ts';
import { printAmount } from '../base/money.ts';
import type { Json } from './json.ts';
import { nestedOf } from './nested.ts';
import type { ParameterError } from './parameters/errors.ts';
import { describe, meaningOf, statusOf } from './results.ts';
import type { Payment, PaymentFacts } from './store/store.ts';

export type Body = { readonly [name: string]: Json };
export type Answer = { status: number; body: Body; headers?: Readonly<Record<string, string>> };

/** Spec 2.35: for support. The hash of the release and its date, as clients know the form. */
export const buildNumber = `${createHash('sha1').update('tillgate 0.1.0').digest('hex')}@2026-11-21 00:00:00 +0000`;

/** The acquirer's detail that names the first of a series of payments. */
export const INITIAL_TRANSACTION = 'CardholderInitiatedTransactionID';

/** To those who look at a payment without an ending: transaction pending. */
const PENDING = '000.200.000';
/** To the one who asked for it: timeout, uncertain result. */
export const UNCERTAIN = '900.100.300';

/** `unended` is the code of a payment that has no ending yet and is not with the shopper. */
export const paymentAnswer = (payment: Payment, unended = PENDING): Answer => ({
  status: statusOf(codeOf(payment, unended)),
  body: {
    ...paymentBody(payment, unended),
    ...frame(payment.entityId, payment.facts.requestId, payment.at),
    // In a checkout the request is known by the checkout's id.
    ...optional('ndc', payment.facts.checkoutId),
  },
});

/** The code of a payment as it stands: its ending's, pending while the shopper decides, else `unended`. */
const codeOf = (payment: Payment, unended: string): string => {
  if (payment.state === 'done') return payment.resultCode;
  return payment.facts.answer === undefined ? unended : PENDING;
};

/** The payment without buildNumber and ndc, as it stands in lists. */
export const paymentBody = (payment: Payment, unended = PENDING): Body => {
  const { id, referencedId, paymentType, amount, facts, registrationId } = payment;
  const code = codeOf(payment, unended);
  const went = ['approved', 'pending'].includes(meaningOf(code));
  const details = detailsOf(payment, code);
  // Built from our own names: an object at the top.
  const { pos, card, merchant, standingInstruction, threeDSecure, ...echo } = nestedOf(facts.echo) as Body;
  return {
    id,
    ...(went && registrationId !== undefined ? { registrationId, registration: { id: registrationId } } : {}),
    ...optional('referencedId', referencedId),
    paymentType,
    ...optional('paymentBrand', facts.paymentBrand),
    ...(went ? { amount: printAmount(amount), currency: amount.currency, descriptor: facts.descriptor } : {}),
    ...echo,
    ...resultOf(payment, code),
    ...(Object.keys(details).length === 0 ? {} : { resultDetails: details }),
    ...cardOf(facts, card),
    ...posOf(payment, pos),
    ...merchantOf(facts, merchant),
    ...instructionOf(facts, standingInstruction),
    ...authenticationOf(facts, threeDSecure),
    ...redirectOf(payment),
    ...optional('brandResult', facts.brandResult),
    ...(facts.riskScore === undefined ? {} : { risk: { ...groupOf(echo['risk']), score: String(facts.riskScore) } }),
    ...warningsOf(facts),
    ...optional('checkoutId', facts.checkoutId),
    ...optional('scheduleId', facts.scheduleId),
    shortId: payment.shortId,
    timestamp: stamp(payment.at),
  };
};

/** Of a follow-up always with a description: clients of captures and reversals require one beside other details. */
const detailsOf = (
  { referencedId, facts: { answer, why } }: Payment,
  code: string,
): Readonly<Record<string, string>> => {
  const details = answer?.details ?? {};
  if (why !== undefined) return { ...details, ExtendedDescription: why };
  if (referencedId === undefined || Object.keys(details).length === 0) return details;
  return { ExtendedDescription: describe(code), ...details };
};

const resultOf = ({ id, facts }: Payment, code: string): Body => ({
  result: {
    code,
    description: describe(code),
    ...optional('avsResponse', facts.answer?.avsResponse),
    ...optional('cvvResponse', facts.answer?.cvvResponse),
    ...(facts.echo['testMode'] === 'EXTERNAL' ? {} : unexpected(id)),
  },
});

/**
 * In the simulators' test mode every answer has a field that no client knows, so that clients learn to tolerate new
 * ones (spec 2.35). Its name follows from the id: a repeated answer has the same bytes.
 */
export const unexpected = (id: string): Body => ({
  [`randomField${Number.parseInt(id.slice(-8), 16) || 0}`]: 'Please allow for new unexpected fields to be added',
});

const groupOf = (json: Json | undefined): Body =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Body) : {};

const cardOf = ({ card }: PaymentFacts, echoed: Json | undefined): Body =>
  card === undefined && echoed === undefined ? {} : { card: { ...groupOf(echoed), ...card } };

/** What a terminal's request said, and what the acquirer says to the terminal. */
const posOf = ({ at, facts }: Payment, sent: Json | undefined): Body => {
  if (sent === undefined) return {};
  const { clearing, merchantId, iccDataResponse, statusText } = facts.answer ?? {};
  const said = {
    ...(clearing === undefined ? {} : { clearing }),
    ...optional('merchantId', merchantId),
    ...optional('iccDataResponse', iccDataResponse),
    ...optional('statusText', statusText),
    timestamp: dateTime(at),
  };
  return { pos: { ...groupOf(sent), ...said } };
};

/** The merchant as sent, and the account to which the shopper is to transfer (spec 2.35, merchant.bankAccount). */
const merchantOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body => {
  const bankAccount = answer?.merchantBankAccount;
  if (sent === undefined && bankAccount === undefined) return {};
  return { merchant: { ...groupOf(sent), ...(bankAccount === undefined ? {} : { bankAccount }) } };
};

/** A standing instruction as sent, and what its later payments must name (spec 2.32). */
const instructionOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body => {
  if (sent === undefined) return {};
  const first = optional('initialTransactionId', answer?.details[INITIAL_TRANSACTION]);
  return { standingInstruction: { ...groupOf(sent), ...first } };
};

/** What was sent about 3-D Secure, and what the gateway's own authentication found out. */
const authenticationOf = ({ answer }: PaymentFacts, sent: Json | undefined): Body =>
  sent === undefined && answer?.threeDSecure === undefined
    ? {}
    : { threeDSecure: { ...groupOf(sent), ...answer?.threeDSecure } };

/** Where the shopper must go, while he must. The parameters are a list even when there is none: clients run over it. */
const redirectOf = ({ state, facts: { answer } }: Payment): Body =>
  state === 'done' || answer?.redirect === undefined ? {} : { redirect: answer.redirect };

/** What a lenient channel let pass. */
export const warningsOf = ({ warnings }: Pick<PaymentFacts, 'warnings'>): Body =>
  warnings === undefined ? {} : { parameterWarnings: warnings };

/** `yyyy-MM-dd HH:mm:ss+0000`. */
export const stamp = (at: number): string => `${dateTime(at)}+0000`;

/** What ends every answer. The ndc is the request's own id: up to 69 letters, digits and hyphens. '' is no entity. */
export const frame = (entityId: string, requestId: string, at: number): Body => ({
  buildNumber,
  timestamp: stamp(at),
  ndc: entityId !== '' ? `${entityId}-${requestId}` : requestId,
});

export type Refusal = {
  code: string;
  status?: number;
  why?: string;
  parameterErrors?: readonly ParameterError[];
  headers?: Readonly<Record<string, string>>;
};

/** An answer about the request itself, when no payment came of it. */
export const refusal = ({ code, status, why, parameterErrors, headers }: Refusal, end: Body): Answer => ({
  status: status ?? statusOf(code),
  body: {
    result: {
      code,
      description: describe(code),
      ...(parameterErrors === undefined ? {} : { parameterErrors }),
    },
    ...(why === undefined ? {} : { resultDetails: { ExtendedDescription: why } }),
    ...end,
  },
  ...(headers === undefined ? {} : { headers }),
});

export const optional = (name: string, value: string | undefined): Body =>
  value === undefined ? {} : { [name]: value };
