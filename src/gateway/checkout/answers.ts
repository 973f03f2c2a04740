/** What a checkout answers beside the payment's own answer. Its id is the ndc of all of them. */
import { dateTime } from '../../base/clock.ts';
import { codes } from '../../base/result-codes.ts';
import { endOf, type Incoming } from '../payments/endpoint.ts';
import { type Answer, type Body, refusal } from '../payments/response.ts';
import { describe, statusOf } from '../spec/results.ts';
import type { Checkout } from '../store/checkout-store.ts';
import { CHECKOUT_MS } from './life.ts';

type AnswerContext = Pick<Incoming, 'channel' | 'requestId' | 'at'>;

/** The words by which clients know this answer. What exactly it is stands beside them. */
const NO_SESSION =
  'invalid or missing parameter - (opp) No payment session found for the requested id - are you mixing test/live ' +
  'servers or have you paid more than 30min ago?';
const PARAMETER = codes.parameterInvalid;

const noSession = (call: AnswerContext, status: number, why: string): Answer => {
  const answer = refusal({ code: PARAMETER, status, why }, endOf(call));
  return { ...answer, body: { ...answer.body, result: { code: PARAMETER, description: NO_SESSION } } };
};

/** No checkout of this channel has the id. Of another channel's nothing more is told. */
export const unknownCheckout = (call: AnswerContext): Answer =>
  noSession(
    call,
    404,
    'No checkout with this id was created here by this entityId. Check the id, that the host is the one which ' +
      'created it (test or live), and that entityId and access token are those of its creation.',
  );

/** Its time is over. What it came to is read elsewhere. */
export const endedCheckout = (call: AnswerContext, { at, kind, attempts }: Checkout): Answer => {
  const ended = `This checkout ended at ${dateTime(at + CHECKOUT_MS)}, 30 minutes after it was created`;
  const last = attempts.at(-1);
  const path = kind === 'payment' ? '/v1/payments' : '/v1/registrations';
  const further =
    last === undefined
      ? `nothing was submitted in it. Create another one.`
      : `GET ${path}/${last.id} tells what became of it.`;
  return noSession(call, 400, `${ended}; ${further}`);
};

/** A checkout for a payment was asked for a registration, or the other way round. */
export const otherKind = (call: AnswerContext, { id, kind }: Checkout): Answer =>
  noSession(call, 400, `This checkout is for a ${kind}: its path is /v1/checkouts/${id}/${kind}.`);

/** An answer of the checkout itself: of its creation, its change, or while nothing has come of it. */
export const checkoutAnswer = (
  call: AnswerContext,
  { code, id, more = {} }: { code: string; id: string; more?: Body },
): Answer => ({
  status: statusOf(code),
  body: { result: { code, description: describe(code) }, ...more, ...endOf(call), ndc: id },
});

/** The checkout's id in place of the request's own. */
export const underCheckout = (answer: Answer, { id }: Pick<Checkout, 'id'>): Answer => ({
  ...answer,
  body: { ...answer.body, ndc: id },
});

/** Nothing was done: another payment of the same checkout stands in the way, or has been approved. */
export const stoodInTheWay = (call: AnswerContext, why: string): Answer =>
  refusal({ code: codes.duplicate, why }, endOf(call));

/** Nothing was done, and nothing will be in this checkout. */
export const triedTooOften = (call: AnswerContext, most: number): Answer => {
  const why = `${most} payments were tried in this checkout. Another checkout must be created.`;
  return refusal({ code: codes.throttled, status: 429, why }, endOf(call));
};

/** Nothing was done; there is room again when the oldest of them is over. */
export const tooManyOpen = (call: AnswerContext, most: number, roomAt: number): Answer => {
  const why = `This channel has ${most} open checkouts, as many as it may. Each ends 30 minutes after its creation.`;
  const headers = { 'retry-after': String(Math.max(1, Math.ceil((roomAt - call.at) / 1000))) };
  return refusal({ code: codes.throttled, status: 429, why, headers }, endOf(call));
};
