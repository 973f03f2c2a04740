/** GET /v1/query and /v3/query (spec 2.24): payments by reference, by short id, or by the time of their request. */
import { codes } from '../../base/result-codes.ts';
import { type Channel, channelFieldsOf } from '../channel.ts';
import type { ParsedParameters } from '../spec/operation.ts';
import { momentOf } from '../spec/parameters/formats.ts';
import { isSet, regex } from '../spec/parameters/kinds.ts';
import { authentication } from '../spec/parameters/payment.ts';
import { query as rows } from '../spec/parameters/queries.ts';
import { queryRules } from '../spec/rules/query.ts';
import type { Payment } from '../store/records.ts';
import type { PaymentQuery } from '../store/store.ts';
import { type Call, endOf, endpoint, findOwnPayment, type Gateway } from './endpoint.ts';
import { type Answer, type Body, paymentAnswer, paymentBody, refuseWith } from './response.ts';

const LIMIT_DEFAULT = 100;

const accepts = { ...authentication, ...rows };
/** The specification has no pages; clients of v3 ask for them. */
const acceptsPages = {
  ...accepts,
  pageNo: regex(
    /^[1-9][0-9]{0,5}$/,
    { mustBe: 'a page from 1', good: ['1', '999999'], bad: ['0', '-1', '01', '1000000', 'x'] },
    'Which page of the answer, from 1.',
    '1',
  ),
};
type Request = ParsedParameters<typeof acceptsPages, 'entityId'>;

/**
 * Payments with their current state: for a reference the oldest first, for a period the newest, which a limit never
 * cuts off.
 */
export const query = endpoint(
  {
    method: 'GET',
    path: '/v1/query',
    summary:
      'All payments with this reference or short id, or of this time, the newest first. Here a till learns of lost ' +
      'answers.',
    accepts,
    needs: ['entityId'],
    rules: queryRules('v1'),
  },
  async (gateway, call) => {
    const { payments, resultDetails } = await searchPayments(gateway, call);
    return payments.length === 0 ? nothingFoundAnswer(call) : listAnswer(call, { payments, resultDetails });
  },
);

/** Like v1, with `records` beside `payments`, and pages. */
export const queryV3 = endpoint(
  {
    method: 'GET',
    path: '/v3/query',
    summary: 'All payments with this reference or short id, or of this time, the newest first, page by page.',
    accepts: acceptsPages,
    needs: ['entityId'],
    rules: queryRules('v3'),
  },
  async (gateway, call) => {
    const { payments, total, resultDetails } = await searchPayments(gateway, call);
    if (payments.length === 0) return nothingFoundAnswer(call);
    const pages = Math.ceil(total / limitOf(call.request));
    const pageCount = call.request['pageNo'] === undefined ? undefined : pages;
    return listAnswer(call, { records: payments, payments, pages: pageCount, resultDetails });
  },
);

const limitOf = ({ limit }: Request): number => (limit === undefined ? LIMIT_DEFAULT : Number(limit));

const searchPayments = async (gateway: Gateway, { request, channel }: Call<Request>) => {
  const { payments, total } = await gateway.store.search(searchOf(request, entitiesOf(channel)));
  const withLinked = isSet(request.includeLinkedTransactions) ? await chainsOf(gateway, payments) : payments;
  const { bodies, resultDetails } = await bodiesOf(gateway, withLinked);
  return { payments: withChannels(bodies, { payments: withLinked, channel }), total, resultDetails };
};

/** The requesting channel, or all channels of a merchant. */
export const entitiesOf = ({ entityId, dispatch }: Channel): string | readonly string[] =>
  dispatch === undefined ? entityId : dispatch.channels.map((each) => each.entityId);

/** A merchant learns for each payment which of its channels took it. */
const withChannels = (
  bodies: readonly Body[],
  { payments, channel: { dispatch } }: { payments: readonly Payment[]; channel: Channel },
): readonly Body[] =>
  dispatch === undefined
    ? bodies
    : bodies.map((body, i) => {
        const owner = dispatch.channels.find(({ entityId }) => entityId === payments[i]?.entityId);
        return owner === undefined ? body : { ...body, ...channelFieldsOf(owner) };
      });

const searchOf = (request: Request, entityId: PaymentQuery['entityId']): PaymentQuery => {
  const { merchantTransactionId, shortId, paymentTypes, paymentMethods, pageNo } = request;
  const { 'date.from': from, 'date.to': to } = request;
  const limit = limitOf(request);
  return {
    entityId,
    merchantTransactionId,
    shortId,
    from: from === undefined ? undefined : momentOf(from),
    // The period includes the whole of its last second.
    to: to === undefined ? undefined : momentOf(to) + 999,
    // Duplicates are removed, because an engine accepts only a limited number of values.
    paymentTypes: paymentTypes === undefined ? undefined : [...new Set(paymentTypes.split(','))],
    paymentMethods: paymentMethods === undefined ? undefined : [...new Set(paymentMethods.split(','))],
    limit,
    offset: pageNo === undefined ? undefined : (Number(pageNo) - 1) * limit,
  };
};

const LINKED_MAX = 500;
/** The limit for all payments of an answer: a cart can have a thousand items, and an answer is in memory as a whole. */
const LIST_BYTES_MAX = 8 * 1024 * 1024;

/** The payments with their whole chains, each once, oldest first within its chain. */
const chainsOf = async ({ store }: Gateway, payments: readonly Payment[]): Promise<readonly Payment[]> => {
  const all = new Map<string, Payment>();
  const roots = new Map(payments.map(({ rootId, entityId }) => [rootId, entityId]));
  for (const [rootId, entityId] of roots) {
    const chain = await store.search({ entityId, rootId, limit: LINKED_MAX });
    for (const payment of chain.payments) all.set(payment.id, payment);
    if (all.size >= LINKED_MAX) break;
  }
  return [...all.values()];
};

/** An empty result is an error of the request, not a missing resource: clients expect 400 here. */
export const nothingFoundAnswer = (call: Call<unknown>): Answer =>
  refuseWith({ code: codes.transactionNotFound, status: 400 }, endOf(call));

export const listAnswer = (call: Call<unknown>, lists: Body): Answer => {
  const { body } = refuseWith({ code: codes.questionAnswered }, endOf(call));
  return { status: 200, body: { ...body, ...lists } };
};

/** The payments' bodies, as many as fit into one answer, and a note if there are more. */
const bodiesOf = async (
  gateway: Gateway,
  payments: readonly Payment[],
): Promise<{ bodies: Body[]; resultDetails?: Body }> => {
  const bodies: Body[] = [];
  let bytes = 0;
  for (const payment of payments) {
    const body = await currentBodyOf(gateway, payment);
    bytes += JSON.stringify(body).length;
    if (bytes > LIST_BYTES_MAX && bodies.length > 0) break;
    bodies.push(body);
  }
  const omittedCount = payments.length - bodies.length;
  const reason = `${omittedCount} more do not fit into one answer: query them by their ids, or a shorter period.`;
  return { bodies, resultDetails: omittedCount === 0 ? undefined : { ExtendedDescription: reason } };
};

const currentBodyOf = async ({ processing }: Gateway, payment: Payment): Promise<Body> =>
  paymentBody(payment.state === 'done' ? payment : ((await processing.lookUp(payment.id)) ?? payment));

// One payment by its id: GET /v1/payments/{id}, GET /v1/query/{id}, GET /v3/query/{id}.

/** Another channel's payment is as unknown as one that does not exist. */
const unknownPaymentAnswer = (call: Call<unknown>): Answer =>
  refuseWith({ code: codes.transactionNotFound, status: 404 }, endOf(call));

export const read = endpoint(
  {
    method: 'GET',
    path: '/v1/payments/:id',
    summary: 'One payment with its current state.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const payment = await findOwnPayment(gateway, call);
    return payment === undefined ? unknownPaymentAnswer(call) : paymentAnswer(payment);
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
      summary:
        'One payment with its current state, by its id; with includeLinkedTransactions its whole chain, as a list.',
      accepts: filters,
      needs: ['entityId'],
      rules: [],
    },
    async (gateway, call) => {
      const payment = await findOwnPayment(gateway, call);
      if (payment === undefined) return unknownPaymentAnswer(call);
      const { includeLinkedTransactions, paymentTypes, paymentMethods } = call.request;
      if (!isSet(includeLinkedTransactions)) return paymentAnswer(payment);
      const isListed = (accepted: string | undefined, actual: string) =>
        accepted === undefined || accepted.split(',').includes(actual);
      const withLinked = (await chainsOf(gateway, [payment])).filter(
        (each) => isListed(paymentTypes, each.paymentType) && isListed(paymentMethods, each.paymentMethod),
      );
      const { bodies, resultDetails } = await bodiesOf(gateway, withLinked);
      return listAnswer(call, { records: version === 'v3' ? bodies : undefined, payments: bodies, resultDetails });
    },
  );

export const queryById = byId('v1');
export const queryByIdV3 = byId('v3');
