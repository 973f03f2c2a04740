/** Fits the gateway's client to what the till needs of a host. */
import { dateTime } from '../base/clock.ts';
import type { gatewayClient } from '../gateway/client/client.ts';
import { meaningOf } from '../gateway/spec/results.ts';
import { type Host, LIST_MOST } from '../till/ports.ts';

export const hostOver = (client: ReturnType<typeof gatewayClient>): Host => ({
  pay: (parameters, key) => client.post('v1/payments', parameters, key),
  refer: (payment, parameters, key) => client.post(`v1/payments/${encodeURIComponent(payment)}`, parameters, key),
  find: (merchantTransactionId, linked) =>
    client.get('v1/query', { merchantTransactionId, ...(linked && { includeLinkedTransactions: 'true' }) }),
  list: ({ from, to }) =>
    client.get('v1/query', { 'date.from': dateTime(from), 'date.to': dateTime(to), limit: String(LIST_MOST) }),
  meaningOf,
});
