/** POST /v1/registrations: stores an account without charging it (RG, spec 2.23). */
import { isResultCode } from '../../base/code-meanings.ts';
import { codes } from '../../base/result-codes.ts';
import { accountMissing, checkAccount } from '../payments/account.ts';
import { type Call, endOf, endpoint, type Gateway } from '../payments/endpoint.ts';
import { doOnce } from '../payments/repeats.ts';
import { type Answer, refuseWith } from '../payments/response.ts';
import { hasNumber, isStorable, registrationOf } from '../payments/stored-account.ts';
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
  summary: 'Store an account, to be charged later by its id.',
  accepts,
  needs,
  rules: [
    ...paymentRules('registration'),
    {
      name: 'paymentBrand',
      message: 'must be one whose account can be stored: a card, bank account, virtual account or token in plain',
      holds: (sent) => accountKindOf(sent) === undefined || isStorable(accountKindOf(sent)),
    },
    {
      name: 'paymentBrand',
      message: 'can be stored only with the number of its account',
      // For other accounts the missing number itself is named.
      holds: (sent) => accountKindOf(sent) !== 'bankAccount' || hasNumber(sent),
    },
  ],
} satisfies ApiOperation<Accepts, (typeof needs)[number]>;

export const register = endpoint(registerOperation, async (gateway, call) => {
  const { answer, registration } = createRegistration(gateway, call);
  const { notificationUrl } = call.request;
  const work = async (session: Session): Promise<Answer> => {
    if (registration === undefined) return answer;
    const { id, entityId, at } = registration;
    await session.addRegistration(registration);
    const notification = { id, entityId, resourcePath: `/v1/registrations/${id}`, at };
    await gateway.addNotification(session, notificationUrl, notification);
    return answer;
  };
  const done = await doOnce(gateway.store, call, { names: [], work });
  if (notificationUrl !== undefined) gateway.checkoutSignal.wake();
  return done;
});

export type RegistrationResult = { answer: Answer; registration?: ReturnType<typeof registrationOf> };

/** Checks the account and encrypts it, or returns why not. */
export const createRegistration = (
  gateway: Gateway,
  call: Call<ParsedParameters<Accepts, 'entityId'>>,
): RegistrationResult => {
  const { request, channel, at, requestId } = call;
  const parameterErrors = accountMissing(channel, request);
  if (parameterErrors.length > 0) {
    return { answer: refuseWith({ code: codes.parameterInvalid, parameterErrors }, endOf(call)) };
  }
  const kind = accountKindOf(request) ?? 'card';
  const checked = checkAccount({ kind, request, channel, at });
  const forcedResult = forcedResultOf(request);
  const refusal = checked.resultCode !== undefined ? checked : forcedResult;
  if (refusal !== undefined) return { answer: refuseWith({ code: refusal.resultCode, why: refusal.why }, endOf(call)) };
  const registration = registrationOf(gateway, call, { kind, account: request, checked });
  const answer = registrationAnswer(registration, {
    paymentType: 'RG',
    code: registration.facts.resultCode,
    requestId,
    at,
  });
  return { registration, answer };
};
