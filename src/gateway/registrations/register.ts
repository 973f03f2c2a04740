/** POST /v1/registrations: stores an account without charging it (RG, spec 2.23). */
import { isResultCode } from '../../base/code-meanings.ts';
import { codes } from '../../base/result-codes.ts';
import { accountMissing, checkAccount } from '../payments/account.ts';
import { type Call, endOf, endpoint, type Gateway } from '../payments/endpoint.ts';
import { doneOnce } from '../payments/repeats.ts';
import { type Answer, refusal } from '../payments/response.ts';
import { hasNumber, isStorable, storedOf } from '../payments/stored-account.ts';
import type { ApiOperation, Flat, ParsedParameters } from '../spec/operation.ts';
import { oneOf } from '../spec/parameters/kinds.ts';
import { meaningOf } from '../spec/results.ts';
import { accountRows, paymentRows } from '../spec/rules/accepts.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import { paymentRules } from '../spec/rules/payment.ts';
import type { Session } from '../store/store.ts';
import { registrationAnswer } from './answer.ts';

// The test switch customParameters[forceResultCode] where no acquirer is asked: returns that result instead of storing.

/** The forced result, if it is a refusal. */
const forcedResultOf = (request: Flat): { resultCode: string; why: string } | undefined => {
  const code = request['customParameters[forceResultCode]'];
  if (code === undefined || !isResultCode(code) || meaningOf(code) === 'approved') return undefined;
  return { resultCode: code, why: 'customParameters[forceResultCode] requested this result.' };
};

const accepts = {
  ...paymentRows,
  ...accountRows,
  paymentType: oneOf(['RG', 'PA', 'DB', 'CD'], 'RG, or left out; others are taken as RG.', 'RG'),
};
const needs = ['entityId'] as const;
type Accepts = typeof accepts;

export const registerOperation = {
  method: 'POST',
  path: '/v1/registrations',
  says: 'Store an account, to be charged later by its id.',
  accepts,
  needs,
  rules: [
    ...paymentRules('registration'),
    {
      name: 'paymentBrand',
      says: 'must be one whose account can be stored: a card, bank account, virtual account or token in plain',
      holds: (sent) => accountKindOf(sent) === undefined || isStorable(accountKindOf(sent)),
    },
    {
      name: 'paymentBrand',
      says: 'can be stored only with the number of its account',
      // For other accounts the missing number itself is named.
      holds: (sent) => accountKindOf(sent) !== 'bankAccount' || hasNumber(sent),
    },
  ],
} satisfies ApiOperation<Accepts, (typeof needs)[number]>;

export const register = endpoint(registerOperation, async (gateway, call) => {
  const { answer, registration } = registered(gateway, call);
  const { notificationUrl } = call.request;
  const work = async (session: Session): Promise<Answer> => {
    if (registration === undefined) return answer;
    const { id, entityId, at } = registration;
    await session.addRegistration(registration);
    const reported = { id, entityId, resourcePath: `/v1/registrations/${id}`, at };
    await gateway.addNotification(session, notificationUrl, reported);
    return answer;
  };
  const done = await doneOnce(gateway.store, call, { names: [], work });
  if (notificationUrl !== undefined) gateway.checkoutSignal.wake();
  return done;
});

export type Registered = { answer: Answer; registration?: ReturnType<typeof storedOf> };

/** Checks the account and encrypts it, or returns why not. */
export const registered = (gateway: Gateway, call: Call<ParsedParameters<Accepts, 'entityId'>>): Registered => {
  const { request, channel, at, requestId } = call;
  const parameterErrors = accountMissing(channel, request);
  if (parameterErrors.length > 0) {
    return { answer: refusal({ code: codes.parameterInvalid, parameterErrors }, endOf(call)) };
  }
  const kind = accountKindOf(request) ?? 'card';
  const checked = checkAccount({ kind, request, channel, at });
  const forced = forcedResultOf(request);
  const refused = checked.resultCode !== undefined ? checked : forced;
  if (refused !== undefined) return { answer: refusal({ code: refused.resultCode, why: refused.why }, endOf(call)) };
  const registration = storedOf(gateway, call, { kind, account: request, checked });
  const answer = registrationAnswer(registration, {
    paymentType: 'RG',
    code: registration.facts.resultCode,
    requestId,
    at,
  });
  return { registration, answer };
};
