/**
 * Processes a submitted checkout: a payment with the account that the shopper entered or one that was offered, or a
 * stored account.
 */
import { accountMissing, checkAccount } from '../payments/account.ts';
import type { Payer, PayRequest } from '../payments/authorise.ts';
import { type Call, type Gateway, type Incoming, refuseParameters } from '../payments/endpoint.ts';
import { payOperation } from '../payments/pay.ts';
import { type Answer, paymentAnswer, UNCERTAIN } from '../payments/response.ts';
import { registrationAnswer } from '../registrations/answer.ts';
import { accountOf, openAccount, payStoredOperation } from '../registrations/pay-stored.ts';
import { createRegistration, registerOperation } from '../registrations/register.ts';
import type { Flat } from '../spec/operation.ts';
import type { ParameterError } from '../spec/parameters/errors.ts';
import { parserOf } from '../spec/parameters/parser.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import { withoutBrowserRules } from '../spec/rules/checkouts.ts';
import type { Checkout } from '../store/checkout-store.ts';
import type { Registration } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import { blockedAnswer, endedCheckoutAnswer, tooManyAttemptsAnswer } from './answers.ts';
import { ATTEMPTS_MAX, type AttemptOutcome, attemptPayment } from './attempt.ts';
import { addCalls } from './calls.ts';
import { isOver, lockNameOf, type Values, valuesOf } from './life.ts';
import { isOffered, offeredRegistrationsOf, parseSubmit } from './request.ts';

const parsePayment = parserOf({ ...payOperation, rules: withoutBrowserRules(payOperation.rules) });
const parseOnStored = parserOf({ ...payStoredOperation, rules: withoutBrowserRules(payStoredOperation.rules) });

type SubmittedRequest = { errors: readonly ParameterError[] } | { call: Call<PayRequest>; payer: Payer };

/** Answers as POST /v1/payments does; a request that comes too late or in parallel is told so, and nothing is done. */
export const processPaymentSubmit = async (
  gateway: Gateway,
  incoming: Incoming,
  checkout: Checkout,
): Promise<Answer> => {
  const values = valuesOf(gateway, checkout);
  const { registrationId } = incoming.sent;
  const submitted =
    registrationId === undefined
      ? readAccountSubmit(incoming, values)
      : await readStoredSubmit(gateway, { incoming, values, registrationId });
  if ('errors' in submitted) return refuseParameters(incoming, submitted.errors);
  const { call, payer } = submitted;
  const outcome = await attemptPayment(gateway, call, { checkout, payer, callees: payer.account });
  return outcome.kind === 'changed'
    ? processPaymentSubmit(gateway, incoming, outcome.checkout)
    : answerAttempt(incoming, checkout, outcome);
};

const readAccountSubmit = (incoming: Incoming, values: Values): SubmittedRequest => {
  const parsed = parseSubmit({ parse: parsePayment, incoming, values });
  if ('errors' in parsed) return parsed;
  const { channel, at } = incoming;
  const errors = accountMissing(channel, parsed.request);
  if (errors.length > 0) return { errors };
  // Without an account and without this default, the brand would count as not accepted.
  const kind = accountKindOf(parsed.request) ?? 'card';
  const { paymentBrand } = checkAccount({ kind, request: parsed.request, channel, at });
  const request = withPaymentType(parsed.request, paymentBrand, values);
  return { call: { ...incoming, request, warnings: parsed.warnings }, payer: { kind, account: request } };
};

type StoredSubmission = { incoming: Incoming; values: Values; registrationId: string };

const readStoredSubmit = async (
  gateway: Gateway,
  { incoming, values, registrationId }: StoredSubmission,
): Promise<SubmittedRequest> => {
  const registration = offeredRegistrationsOf(values).includes(registrationId)
    ? await gateway.store.registration(registrationId)
    : undefined;
  const parsed = parseSubmit({ parse: parseOnStored, incoming, values });
  if (!isOffered(registration, incoming)) {
    const message = 'is none of the stored accounts that this checkout offers';
    const refusedId = { name: 'registrationId', value: null, message };
    return { errors: [refusedId, ...('errors' in parsed ? parsed.errors : [])] };
  }
  if ('errors' in parsed) return parsed;
  const request = withPaymentType(parsed.request, registration.paymentBrand, values);
  return { call: { ...incoming, request, warnings: parsed.warnings }, payer: payerOf(gateway, request, registration) };
};

const payerOf = (gateway: Gateway, request: Flat, registration: Registration): Payer => {
  const { kind, stored } = openAccount(gateway, registration);
  return { kind, account: accountOf(request, { registration, stored }), registration };
};

/** With the payment type that the shop set for this brand (spec 2.2, overridePaymentType). */
const withPaymentType = <R extends Pick<PayRequest, 'paymentType'>>(
  request: R,
  brand: string | undefined,
  values: Values,
): R => {
  const type = values[`overridePaymentType[${brand}]`];
  // Creation accepts no other type.
  return type === undefined ? request : { ...request, paymentType: type as PayRequest['paymentType'] };
};

const answerAttempt = (
  incoming: Incoming,
  checkout: Checkout,
  outcome: Exclude<AttemptOutcome, { kind: 'changed' }>,
): Answer => {
  switch (outcome.kind) {
    case 'payment':
      return paymentAnswer(outcome.payment, outcome.uncertainCode ?? UNCERTAIN);
    case 'answer':
      return outcome.answer;
    case 'paid':
      return blockedAnswer(incoming, `This checkout is paid already, by payment ${outcome.by.id}. Nothing was done.`);
    case 'waits':
      return blockedAnswer(
        incoming,
        `Another payment of this checkout${outcome.for === undefined ? '' : `, ${outcome.for.id},`} has no certain ending ` +
          'yet, and may still be approved. Nothing was done; its status tells when it has ended.',
      );
    case 'over':
      return endedCheckoutAnswer(incoming, checkout);
    case 'tooMany':
      return tooManyAttemptsAnswer(incoming, ATTEMPTS_MAX);
    default:
      return outcome satisfies never;
  }
};

// The account that a submitted checkout stores: by the same code as POST /v1/registrations, once.

const parse = parserOf({ ...registerOperation, rules: withoutBrowserRules(registerOperation.rules) });

/** A checkout stores one account. After a refusal it stays open; a repeat of the request finds the stored account. */
export const processRegistrationSubmit = async (
  gateway: Gateway,
  incoming: Incoming,
  { id }: Checkout,
): Promise<Answer> => {
  const fingerprint = incoming.fingerprint();
  return gateway.store.transact([lockNameOf(id)], async (session) => {
    const checkout = await session.checkouts.byId(id);
    if (checkout === undefined) throw new TypeError('an existing checkout has disappeared');
    if (isOver(checkout, incoming.at)) return endedCheckoutAnswer(incoming, checkout);
    const lastAttempt = checkout.attempts.at(-1);
    if (lastAttempt !== undefined) {
      return lastAttempt.fingerprint === fingerprint
        ? repeatRegistrationAnswer(session, incoming, lastAttempt.id)
        : blockedAnswer(incoming, `This checkout has stored registration ${lastAttempt.id} already. Nothing was done.`);
    }
    const parsed = parseSubmit({ parse, incoming, values: valuesOf(gateway, checkout) });
    if ('errors' in parsed) return refuseParameters(incoming, parsed.errors);
    const call = { ...incoming, request: parsed.request, warnings: parsed.warnings };
    return storeRegistration(gateway, session, { call, checkout, fingerprint });
  });
};

type StoreContext = { call: Parameters<typeof createRegistration>[1]; checkout: Checkout; fingerprint: string };

const storeRegistration = async (
  gateway: Gateway,
  session: Session,
  { call, checkout, fingerprint }: StoreContext,
): Promise<Answer> => {
  const { answer, registration } = createRegistration(gateway, call);
  if (registration === undefined) return answer;
  const attempt = { id: registration.id, fingerprint, at: call.at };
  await session.addRegistration(registration);
  await session.checkouts.change({ ...checkout, attempts: [attempt] });
  await addCalls(session, checkout, { addresses: call.request, attemptId: registration.id });
  return answer;
};

const repeatRegistrationAnswer = async (
  session: Session,
  { requestId, at }: Pick<Call<unknown>, 'requestId' | 'at'>,
  id: string,
): Promise<Answer> => {
  const registration = await session.registration(id);
  if (registration === undefined) throw new TypeError('a registration is never deleted');
  return registrationAnswer(registration, { paymentType: 'RG', code: registration.facts.resultCode, requestId, at });
};
