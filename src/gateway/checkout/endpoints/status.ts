/** GET /v1/checkouts/{id}/payment and …/registration: what the checkout came to, as often as anybody asks. */
import { codes } from '../../../base/result-codes.ts';
import { type Call, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { type Answer, paymentAnswer } from '../../payments/response.ts';
import { registrationAnswer } from '../../registrations/answer.ts';
import { authentication } from '../../spec/parameters/authentication.ts';
import { checkoutAnswer, endedCheckout, otherKind, underCheckout, unknownCheckout } from '../answers.ts';
import { isOver } from '../life.ts';
import type { Checkout } from '../store/checkouts.ts';

const PENDING = codes.pending;

const statusOf = (kind: Checkout['kind'], says: string) =>
  endpoint(
    { method: 'GET', path: `/v1/checkouts/:id/${kind}`, says, accepts: authentication, needs: ['entityId'], rules: [] },
    async (gateway, call) => {
      const checkout = await gateway.store.checkouts.byId(call.id ?? '');
      if (checkout?.entityId !== call.channel.entityId) return unknownCheckout(call);
      if (checkout.kind !== kind) return otherKind(call, checkout);
      if (isOver(checkout, call.at)) return endedCheckout(call, checkout);
      const came = kind === 'payment' ? paymentOf : registrationOf;
      return (await came(gateway, call, checkout)) ?? checkoutAnswer(call, { code: PENDING, id: checkout.id });
    },
  );

export const checkoutPayment = statusOf(
  'payment',
  'How the payment of a checkout stands: the last one that was tried.',
);
export const checkoutRegistration = statusOf('registration', 'The account that a checkout has stored.');

type Came = (gateway: Gateway, call: Call<unknown>, checkout: Checkout) => Promise<Answer | undefined>;

/**
 * A status counts as fetched when it is an ending: whoever heard that the shopper is at his bank does not know yet.
 */
const paymentOf: Came = async ({ store, processing, checkoutSignal }, { at }, checkout) => {
  const last = checkout.attempts.at(-1);
  const kept = last === undefined ? undefined : await store.payment(last.id);
  const payment = kept?.state === 'processing' ? await processing.look(kept.id) : kept;
  if (payment === undefined) return undefined;
  if (payment.state === 'done' && checkout.fetchedAt === undefined) await store.checkouts.fetched(checkout, at);
  // Its ending may be what a notification has waited for.
  if (kept?.state !== payment.state) checkoutSignal.ring();
  return paymentAnswer(payment);
};

const registrationOf: Came = async ({ store }, { at, requestId }, checkout) => {
  const last = checkout.attempts.at(-1);
  const registration = last === undefined ? undefined : await store.registration(last.id);
  if (registration === undefined) return undefined;
  if (checkout.fetchedAt === undefined) await store.checkouts.fetched(checkout, at);
  const answer = registrationAnswer(registration, {
    paymentType: 'RG',
    code: registration.facts.resultCode,
    requestId,
    at,
  });
  return underCheckout(answer, checkout);
};
