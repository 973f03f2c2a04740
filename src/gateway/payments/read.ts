/** One payment by its id: GET /v1/payments/{id}, GET /v1/query/{id}, GET /v3/query/{id}. */
import { codes } from '../../base/result-codes.ts';
import { authentication } from '../spec/parameters/authentication.ts';
import { isSet } from '../spec/parameters/kinds.ts';
import { query as rows } from '../spec/parameters/query.ts';
import { type Call, endOf, endpoint } from './endpoint.ts';
import { ownPayment } from './own-payment.ts';
import { bodiesOf, chainsOf, listed } from './query.ts';
import { type Answer, paymentAnswer, refusal } from './response.ts';

/** What is another channel's is as unknown as what is nobody's. */
const unknown = (call: Call<unknown>): Answer => refusal({ code: codes.transactionNotFound, status: 404 }, endOf(call));

export const read = endpoint(
  {
    method: 'GET',
    path: '/v1/payments/:id',
    says: 'One payment as it stands.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const payment = await ownPayment(gateway, call);
    return payment === undefined ? unknown(call) : paymentAnswer(payment);
  },
);

const filters = {
  ...authentication,
  includeLinkedTransactions: rows.includeLinkedTransactions,
  paymentTypes: rows.paymentTypes,
  paymentMethods: rows.paymentMethods,
};

const byId = (version: 'v1' | 'v3') =>
  endpoint(
    {
      method: 'GET',
      path: `/${version}/query/:id`,
      says: 'One payment as it stands, found by its id; with includeLinkedTransactions all of its chain, as a list.',
      accepts: filters,
      needs: ['entityId'],
      rules: [],
    },
    async (gateway, call) => {
      const payment = await ownPayment(gateway, call);
      if (payment === undefined) return unknown(call);
      const { includeLinkedTransactions, paymentTypes, paymentMethods } = call.request;
      if (!isSet(includeLinkedTransactions)) return paymentAnswer(payment);
      const fits = (wanted: string | undefined, is: string) => wanted === undefined || wanted.split(',').includes(is);
      const linked = (await chainsOf(gateway, [payment])).filter(
        (each) => fits(paymentTypes, each.paymentType) && fits(paymentMethods, each.paymentMethod),
      );
      const { bodies, cut } = await bodiesOf(gateway, linked);
      return listed(call, { ...(version === 'v3' ? { records: bodies } : {}), payments: bodies, ...cut });
    },
  );

export const queryById = byId('v1');
export const queryByIdV3 = byId('v3');
