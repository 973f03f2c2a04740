/** A checkout's own answers, apart from the payment's. The checkout's id is the ndc of all of them. */
import { dateTime } from '../../base/clock.ts';
import { codes } from '../../base/result-codes.ts';
import { endOf, type Incoming } from '../payments/endpoint.ts';
import { type Answer, type Body, refuseWith } from '../payments/response.ts';
import { describe, statusOf } from '../spec/results.ts';
import type { Checkout } from '../store/checkout-store.ts';
import { CHECKOUT_MS } from './life.ts';

type AnswerContext = Pick<Incoming, 'channel' | 'requestId' | 'at'>;

/** The text by which clients recognise this answer. The exact reason is given beside it. */
const NO_SESSION =
  'invalid or missing parameter - (opp) No payment session found for the requested id - are you mixing test/live ' +
  'servers or have you paid more than 30min ago?';
const PARAMETER = codes.parameterInvalid;

const noSessionAnswer = (call: AnswerContext, status: number, reason: string): Answer => {
  const answer = refuseWith({ code: PARAMETER, status, why: reason }, endOf(call));
  return { ...answer, body: { ...answer.body, result: { code: PARAMETER, description: NO_SESSION } } };
};

/** No checkout of this channel has the id. The answer does not reveal another channel's checkout. */
export const unknownCheckoutAnswer = (call: AnswerContext): Answer =>
  noSessionAnswer(
    call,
    404,
    'No checkout with this id was created here by this entityId. Check the id, that this is the host which ' +
      'created it (test or live), and that entityId and access token are those of its creation.',
  );

/** The checkout has ended. Its result is read elsewhere. */
export const endedCheckoutAnswer = (call: AnswerContext, { at, kind, attempts }: Checkout): Answer => {
  const endedText = `This checkout ended at ${dateTime(at + CHECKOUT_MS)}, 30 minutes after it was created`;
  const lastAttempt = attempts.at(-1);
  const path = kind === 'payment' ? '/v1/payments' : '/v1/registrations';
  const nextStep =
    lastAttempt === undefined
      ? `nothing was submitted in it. Create another one.`
      : `GET ${path}/${lastAttempt.id} returns its result.`;
  return noSessionAnswer(call, 400, `${endedText}; ${nextStep}`);
};

/** A payment checkout was queried for a registration, or the other way round. */
export const otherKindAnswer = (call: AnswerContext, { id, kind }: Checkout): Answer =>
  noSessionAnswer(call, 400, `This checkout is for a ${kind}: its path is /v1/checkouts/${id}/${kind}.`);

/** The checkout's own answer: to its creation, to a change, or while it has no result. */
export const checkoutAnswer = (
  call: AnswerContext,
  { code, id, more = {} }: { code: string; id: string; more?: Body },
): Answer => ({
  status: statusOf(code),
  body: { result: { code, description: describe(code) }, ...more, ...endOf(call), ndc: id },
});

/** Replaces the request's id by the checkout's. */
export const withCheckoutId = (answer: Answer, { id }: Pick<Checkout, 'id'>): Answer => ({
  ...answer,
  body: { ...answer.body, ndc: id },
});

/** Nothing was done: another payment of the same checkout blocks this one, or has been approved. */
export const blockedAnswer = (call: AnswerContext, reason: string): Answer =>
  refuseWith({ code: codes.duplicate, why: reason }, endOf(call));

/** Nothing was done, and nothing more can be done in this checkout. */
export const tooManyAttemptsAnswer = (call: AnswerContext, maxCount: number): Answer => {
  const reason = `${maxCount} payments were tried in this checkout. Create another checkout.`;
  return refuseWith({ code: codes.throttled, status: 429, why: reason }, endOf(call));
};

/** Nothing was done; there is room again when the oldest checkout ends. */
export const tooManyOpenAnswer = (call: AnswerContext, maxCount: number, nextRoomAt: number): Answer => {
  const cause = `This channel has ${maxCount} open checkouts, which is its limit. Each ends 30 minutes after its creation.`;
  const headers = { 'retry-after': String(Math.max(1, Math.ceil((nextRoomAt - call.at) / 1000))) };
  return refuseWith({ code: codes.throttled, status: 429, why: cause, headers }, endOf(call));
};
