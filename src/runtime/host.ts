/** Fits the gateway's client to what the till needs of a host. */
import type { gatewayClient } from '../gateway/client.ts';
import { meaningOf } from '../gateway/results.ts';
import type { Host } from '../till/ports.ts';

export const hostOver = (client: ReturnType<typeof gatewayClient>): Host => ({
  pay: (parameters, key) => client.post('v1/payments', parameters, key),
  refer: (payment, parameters, key) => client.post(`v1/payments/${encodeURIComponent(payment)}`, parameters, key),
  find: (merchantTransactionId) => client.get('v1/query', { merchantTransactionId }),
  meaningOf,
});
