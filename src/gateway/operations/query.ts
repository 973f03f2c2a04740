/** GET /v1/query?merchantTransactionId=: every payment with the merchant's reference, oldest first. */
import { authentication } from '../parameters/authentication.ts';
import { query as rows } from '../parameters/query.ts';
import { type Body, paymentBody, refusal } from '../response.ts';
import type { Payment } from '../store/store.ts';
import { endOf, endpoint, type Gateway } from './endpoint.ts';

const LIMIT_DEFAULT = 100;

export const query = endpoint(
  {
    method: 'GET',
    path: '/v1/query',
    says: 'All payments with this reference. A till learns here what became of a sale whose answer it lost.',
    accepts: { ...authentication, ...rows },
    needs: ['entityId', 'merchantTransactionId'],
    rules: [],
  },
  async (gateway, call) => {
    const { entityId, merchantTransactionId, limit } = call.request;
    const found = await gateway.store.withReference({
      entityId,
      merchantTransactionId,
      limit: limit === undefined ? LIMIT_DEFAULT : Number(limit),
    });
    // Nothing found is an error of the request and no missing resource: clients expect 400 here.
    if (found.length === 0) return refusal({ code: '700.400.580', status: 400 }, endOf(call));
    const payments = await Promise.all(found.map((payment) => bodyNow(gateway, payment)));
    const { body } = refusal({ code: '000.000.100' }, endOf(call));
    return { status: 200, body: { ...body, payments } };
  },
);

const bodyNow = async ({ processing }: Gateway, payment: Payment): Promise<Body> =>
  paymentBody(payment.state === 'done' ? payment : ((await processing.look(payment.id)) ?? payment));
