/** GET /v1/checkouts/{id}/payment and …/registration: the checkout's result, as often as it is requested. */
import { codes } from '../../../base/result-codes.ts';
import { type Call, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { type Answer, type Body, paymentAnswer } from '../../payments/response.ts';
import { registrationAnswer } from '../../registrations/answer.ts';
import { brandsOf } from '../../spec/brands.ts';
import type { Json } from '../../spec/json.ts';
import { authentication } from '../../spec/parameters/payment.ts';
import type { Checkout } from '../../store/checkout-store.ts';
import type { Registration } from '../../store/records.ts';
import {
  checkoutAnswer,
  endedCheckoutAnswer,
  otherKindAnswer,
  unknownCheckoutAnswer,
  withCheckoutId,
} from '../answers.ts';
import { CHECKOUT_MS, checkoutStateIn, isOver, type Values, valuesOf } from '../life.ts';
import { isOffered, offeredRegistrationsOf } from '../request.ts';

const PENDING = codes.pending;

const statusOf = (kind: Checkout['kind'], says: string) =>
  endpoint(
    {
      method: 'GET',
      path: `/v1/checkouts/:id/${kind}`,
      summary: says,
      accepts: authentication,
      needs: ['entityId'],
      rules: [],
    },
    async (gateway, call) => {
      const checkout = await gateway.store.checkouts.byId(call.id ?? '');
      if (checkout?.entityId !== call.channel.entityId) return unknownCheckoutAnswer(call);
      if (checkout.kind !== kind) return otherKindAnswer(call, checkout);
      if (isOver(checkout, call.at)) return endedCheckoutAnswer(call, checkout);
      const findSubmitted = kind === 'payment' ? paymentOf : registrationOf;
      return (await findSubmitted(gateway, call, checkout)) ?? checkoutAnswer(call, { code: PENDING, id: checkout.id });
    },
  );

export const checkoutPayment = statusOf('payment', 'The status of a checkout’s payment: of its last attempt.');
export const checkoutRegistration = statusOf('registration', 'The account that a checkout has stored.');

type StatusHandler = (gateway: Gateway, call: Call<unknown>, checkout: Checkout) => Promise<Answer | undefined>;

/** A status counts as fetched when it is final: a client told that the shopper is at the bank has no result yet. */
const paymentOf: StatusHandler = async ({ store, processing, checkoutSignal }, { at }, checkout) => {
  const lastAttempt = checkout.attempts.at(-1);
  const lastPayment = lastAttempt === undefined ? undefined : await store.payment(lastAttempt.id);
  const payment = lastPayment?.state === 'processing' ? await processing.lookUp(lastPayment.id) : lastPayment;
  if (payment === undefined) return undefined;
  if (payment.state === 'done' && checkout.fetchedAt === undefined) await store.checkouts.recordFetch(checkout, at);
  // A notification may have waited for its ending.
  if (lastPayment?.state !== payment.state) checkoutSignal.wake();
  return paymentAnswer(payment);
};

const registrationOf: StatusHandler = async ({ store }, { at, requestId }, checkout) => {
  const lastAttempt = checkout.attempts.at(-1);
  const registration = lastAttempt === undefined ? undefined : await store.registration(lastAttempt.id);
  if (registration === undefined) return undefined;
  if (checkout.fetchedAt === undefined) await store.checkouts.recordFetch(checkout, at);
  const answer = registrationAnswer(registration, {
    paymentType: 'RG',
    code: registration.facts.resultCode,
    requestId,
    at,
  });
  return withCheckoutId(answer, checkout);
};

// GET /v1/checkouts/{id}/widget: the data of the payment widget. Requested by the shopper's browser.

/**
 * Nothing in it is secret: anyone with the id has it from the shop's page. Stored accounts show their last four digits.
 */
export const checkoutWidget = endpoint(
  {
    access: 'checkout',
    method: 'GET',
    path: '/v1/checkouts/:id/widget',
    summary: 'The data that the payment widget shows: the checkout’s state, the amount, the brands.',
    accepts: {},
    needs: [],
    rules: [],
  },
  async (gateway, call) => {
    const checkout = await gateway.store.checkouts.byId(call.id ?? '');
    if (checkout === undefined || checkout.entityId !== call.channel.entityId) return unknownCheckoutAnswer(call);
    const { id, kind, at } = checkout;
    const isFinished = isOver(checkout, call.at);
    const checkoutState = await checkoutStateIn(gateway.store, checkout);
    // The shop's values are gone when the checkout ends, whether they are deleted yet or not.
    const values = isFinished ? {} : valuesOf(gateway, checkout);
    return {
      status: 200,
      body: {
        id,
        kind,
        // `ended` means that nothing was charged: a paid or possibly paid checkout keeps its state.
        state: isFinished && checkoutState === 'open' ? 'ended' : checkoutState,
        ...pickValues(values, ['amount', 'currency', 'paymentType', 'shopperResultUrl', 'locale']),
        brands: brandsIn(call, values),
        registrations: await registrationsIn(gateway, call, values),
        shop: values['merchant.name'] ?? call.channel.name,
        expiresAt: at + CHECKOUT_MS,
      },
    };
  },
);

const pickValues = (values: Values, names: readonly string[]): Body =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));

/** All brands of the channel, or the one that the shop named. */
const brandsIn = ({ channel }: Call<unknown>, { paymentBrand }: Values): Json =>
  brandsOf(channel)
    .filter(({ name }) => paymentBrand === undefined || name === paymentBrand)
    .map(({ name, account, asynchronous = false }) => ({ name, account, asynchronous }));

const registrationsIn = async ({ store }: Gateway, call: Call<unknown>, values: Values): Promise<Json> => {
  const found = await Promise.all(offeredRegistrationsOf(values).map((id) => store.registration(id)));
  return found.flatMap((each) => (isOffered(each, call) ? [storedAccountBody(each)] : []));
};

const storedAccountBody = ({ id, paymentBrand, facts: { card, bankAccount, virtualAccount } }: Registration): Json => ({
  id,
  brand: paymentBrand,
  last4: card?.last4Digits ?? bankAccount?.['last4Digits'] ?? virtualAccount?.['accountId']?.slice(-4) ?? '',
  holder: card?.holder ?? bankAccount?.['holder'],
  expiryMonth: card?.expiryMonth,
  expiryYear: card?.expiryYear,
});
