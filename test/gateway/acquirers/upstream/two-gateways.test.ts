/** A whole gateway in front of another whole gateway: a merchant's view of testMode=EXTERNAL. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../../src/base/ids.ts';
import { gatewayClient } from '../../../../src/gateway/client/client.ts';
import { openGateway } from '../../../../src/gateway/server/embedded.ts';
import { listen } from '../../../../src/gateway/server/http/listen.ts';

const parts = { dataDir: ':memory:', clock: systemClock, ids: systemIds, random: systemRandom };
const names = () => ({ entityId: systemIds.next(), token: systemIds.next() });

test('a payment, its capture and its refund pass through both, and neither sees the other’s references', async () => {
  const processorNames = names();
  const processor = await openGateway({ ...parts, channels: [processorNames] });
  const server = await listen({ app: processor, port: 0, host: '127.0.0.1' });
  const upstream = { ...processorNames, baseUrl: `http://127.0.0.1:${server.port}/` };
  const ownNames = names();
  const gateway = await openGateway({ ...parts, channels: [{ ...ownNames, upstream }] });
  const call = { clock: systemClock, timeoutMs: 5_000 };
  const merchant = gatewayClient({ ...call, ...ownNames, fetch: gateway.fetch, baseUrl: 'http://embedded/' });
  const operator = gatewayClient({ ...call, ...processorNames, fetch: processor.fetch, baseUrl: 'http://embedded/' });

  const money = { amount: '12.50', currency: 'EUR', testMode: 'EXTERNAL' };
  const card = { paymentBrand: 'VISA', 'card.number': '4200000000000000', 'card.expiryMonth': '12' };
  const sale = { ...money, ...card, 'card.expiryYear': '2034', merchantTransactionId: 'till-7-000042' };
  const paidOutcome = await merchant.post('v1/payments', { ...sale, paymentType: 'PA' }, 'key-1');
  expect(paidOutcome).toMatchObject({
    code: '000.100.112',
    body: { merchantTransactionId: 'till-7-000042', amount: '12.50' },
  });
  const id = paidOutcome.kind === 'answered' ? String(paidOutcome.body['id']) : '';
  const captured = await merchant.post(`v1/payments/${id}`, { ...money, paymentType: 'CP' }, 'key-2');
  expect(captured).toMatchObject({ means: 'approved' });
  const capture = captured.kind === 'answered' ? String(captured.body['id']) : '';
  const refund = { amount: '12.50', currency: 'EUR', paymentType: 'RF' };
  expect(await merchant.post(`v1/payments/${capture}`, refund, 'key-3')).toMatchObject({ means: 'approved' });

  const remoteOutcome = await operator.get('v1/query', { merchantTransactionId: id });
  expect(remoteOutcome).toMatchObject({
    body: { payments: [{ paymentType: 'PA', customParameters: { merchantTransactionId: 'till-7-000042' } }] },
  });
  const declined = await merchant.post('v1/payments', { ...sale, paymentType: 'DB', amount: '8000.51' }, 'key-4');
  expect(declined).toMatchObject({ means: 'declined', status: 400 });
  await gateway.close();
  await server.close();
  await processor.close();
});
