/** The JSON answer (spec 2.35), made from the payment alone: the same payment always gives the same bytes. */
import { createHash } from 'node:crypto';
import { dateTime } from '../base/clock.ts';
import { printAmount } from '../base/money.ts';
import type { ParameterError } from './parameters/errors.ts';
import { describe, meaningOf, statusOf } from './results.ts';
import type { Payment } from './store/store.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Body = { readonly [name: string]: Json };
export type Answer = { status: number; body: Body; headers?: Readonly<Record<string, string>> };

/** Spec 2.35: for support. The hash of the release and its date, as clients know the form. */
export const buildNumber = `${createHash('sha1').update('tillgate 0.1.0').digest('hex')}@2026-11-21 00:00:00 +0000`;

/** To those who look at a payment without an ending: transaction pending. */
const PENDING = '000.200.000';
/** To the one who asked for it: timeout, uncertain result. */
export const UNCERTAIN = '900.100.300';

/** Of -99999 to 99999. Nothing here screens payments, so nothing speaks for or against one. */
const UNSCREENED = '0';

/** `unended` is the code of a payment that has no ending yet. */
export const paymentAnswer = (payment: Payment, unended = PENDING): Answer => ({
  status: statusOf(payment.state === 'done' ? payment.resultCode : unended),
  body: { ...paymentBody(payment, unended), ...frame(payment.entityId, payment.facts.requestId, payment.at) },
});

/** The payment without buildNumber and ndc, as it stands in lists. */
export const paymentBody = (payment: Payment, unended = PENDING): Body => {
  const { id, referencedId, paymentType, amount, facts } = payment;
  const code = payment.state === 'done' ? payment.resultCode : unended;
  const went = ['approved', 'pending'].includes(meaningOf(code));
  const details = { ...facts.answer?.details, ...(facts.why === undefined ? {} : { ExtendedDescription: facts.why }) };
  const { pos, ...echo } = echoOf(facts.echo);
  return {
    id,
    ...optional('referencedId', referencedId),
    paymentType,
    ...optional('paymentBrand', facts.paymentBrand),
    ...(went ? { amount: printAmount(amount), currency: amount.currency, descriptor: facts.descriptor } : {}),
    ...echo,
    result: {
      code,
      description: describe(code),
      ...optional('cvvResponse', facts.answer?.cvvResponse),
    },
    ...(Object.keys(details).length === 0 ? {} : { resultDetails: details }),
    ...(facts.card === undefined ? {} : { card: facts.card }),
    ...posOf(payment, pos),
    ...optional('brandResult', facts.brandResult),
    ...(Object.keys(facts.customParameters).length === 0 ? {} : { customParameters: facts.customParameters }),
    risk: { score: UNSCREENED },
    timestamp: stamp(payment.at),
  };
};

/** Harmless request fields, nested as JSON has them: `pos.location.latitude` is pos: { location: { latitude } }. */
const echoOf = (echo: Readonly<Record<string, string>>): Body => {
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(echo)) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    let inner = body;
    for (const step of path) {
      const group = inner[step];
      inner = inner[step] = isGroup(group) ? group : {};
    }
    inner[last] = value;
  }
  return body;
};

const isGroup = (json: Json | undefined): json is Record<string, Json> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** What a terminal's request said, and what the acquirer says to the terminal. */
const posOf = ({ at, facts }: Payment, sent: Json | undefined): Body => {
  if (!isGroup(sent)) return {};
  const { clearing, merchantId, iccDataResponse, statusText } = facts.answer ?? {};
  const said = {
    ...(clearing === undefined ? {} : { clearing }),
    ...optional('merchantId', merchantId),
    ...optional('iccDataResponse', iccDataResponse),
    ...optional('statusText', statusText),
    timestamp: dateTime(at),
  };
  return { pos: { ...sent, ...said } };
};

/** `yyyy-MM-dd HH:mm:ss+0000`. */
const stamp = (at: number): string => `${dateTime(at)}+0000`;

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

const optional = (name: string, value: string | undefined): Body => (value === undefined ? {} : { [name]: value });
