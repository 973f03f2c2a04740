/** The account that a submitted checkout stores: by the same code as POST /v1/registrations, once. */
import type { Call, Gateway, Incoming } from '../payments/endpoint.ts';
import type { Answer } from '../payments/response.ts';
import { registrationAnswer } from '../registrations/answer.ts';
import { registered, registerOperation } from '../registrations/register.ts';
import { parserOf } from '../spec/parameters/parser.ts';
import { browserUnasked } from '../spec/rules/checkouts.ts';
import type { Session } from '../store/store.ts';
import { endedCheckout, parametersRefused, stoodInTheWay } from './answers.ts';
import { addCalls } from './calls.ts';
import { isOver, turnOf, valuesOf } from './life.ts';
import { parsedSubmit } from './request.ts';
import type { Checkout } from './store/checkouts.ts';

const parse = parserOf({ ...registerOperation, rules: browserUnasked(registerOperation.rules) });

/** A checkout stores one account. What was refused leaves it open; the same request again finds what it stored. */
export const registrationSubmitted = async (
  gateway: Gateway,
  incoming: Incoming,
  { id }: Checkout,
): Promise<Answer> => {
  const fingerprint = incoming.fingerprint();
  return gateway.store.atomically([turnOf(id)], async (session) => {
    const checkout = await session.checkouts.byId(id);
    if (checkout === undefined) throw new TypeError('a checkout that was there is gone');
    if (isOver(checkout, incoming.at)) return endedCheckout(incoming, checkout);
    const before = checkout.attempts.at(-1);
    if (before !== undefined) {
      return before.fingerprint === fingerprint
        ? storedBefore(session, incoming, before.id)
        : stoodInTheWay(incoming, `This checkout has stored registration ${before.id} already. Nothing was done.`);
    }
    const parsed = parsedSubmit({ parse, incoming, values: valuesOf(gateway, checkout) });
    if ('errors' in parsed) return parametersRefused(incoming, parsed.errors);
    const call = { ...incoming, request: parsed.request, warnings: parsed.warnings };
    return stored(gateway, session, { call, checkout, fingerprint });
  });
};

type Storing = { call: Parameters<typeof registered>[1]; checkout: Checkout; fingerprint: string };

const stored = async (
  gateway: Gateway,
  session: Session,
  { call, checkout, fingerprint }: Storing,
): Promise<Answer> => {
  const { answer, registration } = registered(gateway, call);
  if (registration === undefined) return answer;
  const { shopperResultUrl, notificationUrl } = call.request;
  const callees = {
    ...(shopperResultUrl === undefined ? {} : { shopperResultUrl }),
    ...(notificationUrl === undefined ? {} : { notificationUrl }),
  };
  const attempt = { id: registration.id, fingerprint, at: call.at };
  await session.addRegistration(registration);
  await session.checkouts.change({ ...checkout, attempts: [attempt] });
  await addCalls(session, checkout, { callees, attemptId: registration.id });
  return answer;
};

const storedBefore = async (
  session: Session,
  { requestId, at }: Pick<Call<unknown>, 'requestId' | 'at'>,
  id: string,
): Promise<Answer> => {
  const registration = await session.registration(id);
  if (registration === undefined) throw new TypeError('a registration is never deleted');
  return registrationAnswer(registration, { paymentType: 'RG', code: registration.facts.resultCode, requestId, at });
};
