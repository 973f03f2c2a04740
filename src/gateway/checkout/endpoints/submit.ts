/** POST /v1/checkouts/{id}/payment and …/registration: the shopper's browser sends the account that pays. */
import type { Endpoint, Gateway, Incoming } from '../../payments/endpoint.ts';
import type { Answer } from '../../payments/response.ts';
import type { Rows } from '../../spec/parameters/row.ts';
import { submittedRules } from '../../spec/rules/checkouts.ts';
import type { Checkout } from '../../store/checkout-store.ts';
import { endedCheckoutAnswer, otherKindAnswer, unknownCheckoutAnswer, withCheckoutId } from '../answers.ts';
import { isOver } from '../life.ts';
import { shopperRegistrationRows, shopperRows } from '../request.ts';
import { formAnswer } from '../return-url.ts';
import { processPaymentSubmit, processRegistrationSubmit } from '../submitted.ts';

/** Answers the submission of an existing checkout that has not expired. */
export type ProcessSubmit = (gateway: Gateway, incoming: Incoming, checkout: Checkout) => Promise<Answer>;

type Submit = { kind: Checkout['kind']; summary: string; accepts: Rows; processSubmit: ProcessSubmit };

/**
 * Parsed together with the shop's values: the rows are those of the shopper's side, the rules those of the resulting
 * request.
 */
const submitEndpoint = ({ kind, summary: says, accepts, processSubmit }: Submit): Endpoint => ({
  operation: {
    access: 'checkout',
    method: 'POST',
    path: `/v1/checkouts/:id/${kind}`,
    summary: says,
    accepts,
    needs: [],
    rules: submittedRules,
  },
  async answer(gateway, incoming) {
    const { id = '', channel, at } = incoming;
    const checkout = await gateway.store.checkouts.byId(id);
    if (checkout === undefined || checkout.entityId !== channel.entityId) return unknownCheckoutAnswer(incoming);
    if (checkout.kind !== kind) return otherKindAnswer(incoming, checkout);
    if (isOver(checkout, at)) return endedCheckoutAnswer(incoming, checkout);
    const answer = withCheckoutId(await processSubmit(gateway, incoming, checkout), checkout);
    gateway.checkoutSignal.wake();
    return incoming.forPage === true ? formAnswer(gateway, { checkout, answer, sent: incoming.sent }) : answer;
  },
});

export const submitPayment = submitEndpoint({
  kind: 'payment',
  summary: 'Pay a checkout, from the shopper’s browser: the shop’s values stay, and this adds the account.',
  accepts: shopperRows,
  processSubmit: processPaymentSubmit,
});

export const submitRegistration = submitEndpoint({
  kind: 'registration',
  summary: 'Store an account in a checkout, from the shopper’s browser.',
  accepts: shopperRegistrationRows,
  processSubmit: processRegistrationSubmit,
});
