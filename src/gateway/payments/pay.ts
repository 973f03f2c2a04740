/** POST /v1/payments: authorise (PA), authorise and capture at once (DB, PA.CP), credit (CD). */

import type { ApiOperation } from '../spec/operation.ts';
import { oneOf, required } from '../spec/parameters/kinds.ts';
import { accountRows, paymentRows } from '../spec/rules/accepts.ts';
import { accountKindOf } from '../spec/rules/accounts.ts';
import { paymentRules } from '../spec/rules/payment.ts';
import { accountMissing } from './account.ts';
import { authorise } from './authorise.ts';
import { endpoint, refuseParameters } from './endpoint.ts';
import { answerOnce } from './repeats.ts';
import { storableRules } from './stored-account.ts';

/** The payment types. Clients of this interface know the list from its error message. */
export const startTypes = oneOf(['PA', 'DB', 'CD', 'PA.CP'], 'The operation.', required('DB'));

const accepts = { ...paymentRows, ...accountRows, paymentType: startTypes };
const needs = ['entityId', 'amount', 'currency', 'paymentType'] as const;

export const payOperation = {
  method: 'POST',
  path: '/v1/payments',
  summary: 'Authorise, authorise and capture at once, or credit.',
  accepts,
  needs,
  rules: [...paymentRules('payment'), ...storableRules],
} satisfies ApiOperation<typeof accepts, (typeof needs)[number]>;

export const pay = endpoint(payOperation, (gateway, call) => {
  const errors = accountMissing(call.channel, call.request);
  if (errors.length > 0) return answerOnce(gateway.store, call, refuseParameters(call, errors));
  // Without an account and without this default, the brand would count as not accepted.
  return authorise(gateway, call, { kind: accountKindOf(call.request) ?? 'card', account: call.request });
});
