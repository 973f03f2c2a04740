/** POST /v1/checkouts/{id}/payment and …/registration: the shopper's browser sends the account that pays. */
import type { Endpoint, Gateway, Incoming } from '../../payments/endpoint.ts';
import type { Answer } from '../../payments/response.ts';
import type { Rows } from '../../spec/parameters/row.ts';
import { submittedRules } from '../../spec/rules/checkouts.ts';
import type { Checkout } from '../../store/checkout-store.ts';
import { endedCheckout, otherKind, underCheckout, unknownCheckout } from '../answers.ts';
import { isOver } from '../life.ts';
import { shopperRegistrationRows, shopperRows } from '../request.ts';
import { formAnswer } from '../return-url.ts';
import { paymentSubmitted, registrationSubmitted } from '../submitted.ts';

/** Answers the submission of an existing checkout that has not expired. */
export type Submitted = (gateway: Gateway, incoming: Incoming, checkout: Checkout) => Promise<Answer>;

type Submit = { kind: Checkout['kind']; says: string; accepts: Rows; submitted: Submitted };

/**
 * Parsed together with the shop's values: the rows are those of the shopper's side, the rules those of the resulting
 * request.
 */
const submitting = ({ kind, says, accepts, submitted }: Submit): Endpoint => ({
  operation: {
    access: 'checkout',
    method: 'POST',
    path: `/v1/checkouts/:id/${kind}`,
    says,
    accepts,
    needs: [],
    rules: submittedRules,
  },
  async answer(gateway, incoming) {
    const { id = '', channel, at } = incoming;
    const checkout = await gateway.store.checkouts.byId(id);
    if (checkout === undefined || checkout.entityId !== channel.entityId) return unknownCheckout(incoming);
    if (checkout.kind !== kind) return otherKind(incoming, checkout);
    if (isOver(checkout, at)) return endedCheckout(incoming, checkout);
    const answer = underCheckout(await submitted(gateway, incoming, checkout), checkout);
    gateway.checkoutSignal.wake();
    return incoming.forPage === true ? formAnswer(gateway, { checkout, answer, sent: incoming.sent }) : answer;
  },
});

export const submitPayment = submitting({
  kind: 'payment',
  says: 'Pay a checkout, from the shopper’s browser: the shop’s values stay, and this adds the account.',
  accepts: shopperRows,
  submitted: paymentSubmitted,
});

export const submitRegistration = submitting({
  kind: 'registration',
  says: 'Store an account in a checkout, from the shopper’s browser.',
  accepts: shopperRegistrationRows,
  submitted: registrationSubmitted,
});
