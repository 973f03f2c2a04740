/** POST /v1/threeDSecure and GET /v1/threeDSecure/{id}: authenticate the cardholder without a payment (3D). */
import { codes } from '../../../base/result-codes.ts';
import { accountMissing } from '../../payments/account.ts';
import { authorise } from '../../payments/authorise.ts';
import { endOf, endpoint, findOwnPayment, refuseParameters } from '../../payments/endpoint.ts';
import { answerOnce } from '../../payments/repeats.ts';
import { paymentAnswer, refuseWith } from '../../payments/response.ts';
import type { ApiOperation } from '../../spec/operation.ts';
import { card as cardRows } from '../../spec/parameters/accounts.ts';
import { oneOf } from '../../spec/parameters/kinds.ts';
import { authentication } from '../../spec/parameters/payment.ts';
import { paymentRows } from '../../spec/rules/accepts.ts';
import { paymentRules } from '../../spec/rules/payment.ts';

const PATH = '/v1/threeDSecure';

const accepts = {
  ...paymentRows,
  ...cardRows,
  paymentType: oneOf(['3D', 'PA', 'DB'], '3D, or left out; others are taken as 3D.', '3D'),
};
const needs = ['entityId', 'amount', 'currency'] as const;

export const authenticateOperation = {
  method: 'POST',
  path: PATH,
  summary: 'Authenticate the cardholder without a payment. The result can be sent with a later payment.',
  accepts,
  needs,
  rules: paymentRules('payment'),
} satisfies ApiOperation<typeof accepts, (typeof needs)[number]>;

export const authenticate = endpoint(authenticateOperation, async (gateway, call) => {
  const errors = accountMissing(call.channel, call.request);
  if (errors.length > 0) return answerOnce(gateway.store, call, refuseParameters(call, errors));
  // Only a payment may store an account.
  const { createRegistration: _, ...request } = call.request;
  const requested = { ...call, request: { ...request, paymentType: '3D' as const } };
  return authorise(gateway, requested, { kind: 'card', account: requested.request, resource: `${PATH}/` });
});

export const readAuthentication = endpoint(
  {
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'One authentication with its current state.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const payment = await findOwnPayment(gateway, call);
    // Any other payment is as unknown here as one that does not exist.
    if (payment?.paymentType !== '3D') return refuseWith({ code: codes.transactionNotFound, status: 404 }, endOf(call));
    return paymentAnswer(payment);
  },
);
