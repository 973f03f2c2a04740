/** A token that has already paid: at another channel of the same merchant, or in another checkout. */
import { expect, test } from 'vitest';
import { openStore } from '../../../src/gateway/database/open.ts';
import { idOf, testGateway } from '../../support/gateway/gateway.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { madeVector } from './vectors.ts';

const { merchantId, keys, appleRootPem, paymentData, now } = madeVector('ec').inputs;
const applePay = {
  merchantId,
  keys: keys.map((privateKey) => ({ privateKey })),
  rootCertificates: [appleRootPem],
};
const order = { amount: '12.50', currency: 'EUR', paymentType: 'DB' };
const token = { 'applePay.paymentToken': JSON.stringify(paymentData) };

test('channels that share a merchant’s keys accept a token once among them, and reveal nothing about each other', async () => {
  const store = await openStore(':memory:');
  const clock = virtualClock(Number(now));
  const firstGateway = await testGateway({ store, clock, channel: { wallets: { applePay } } });
  const other = await testGateway({ store, clock, channel: { entityId: 'c'.repeat(32), wallets: { applePay } } });
  const first = await firstGateway.post('v1/payments', { ...order, ...token });
  expect(first.code).toBe('000.100.110');
  const replayed = await other.post('v1/payments', { ...order, ...token, entityId: 'c'.repeat(32) });
  expect(replayed).toMatchObject({ status: 400, code: '800.110.100' });
  expect(replayed.text).toContain('already used');
  expect(replayed.text).not.toContain(idOf(first));
  expect([...firstGateway.acquirer.authorised, ...other.acquirer.authorised]).toHaveLength(1);
});

test('a token from another checkout is refused at once, and the checkout stays open', async () => {
  const gateway = await testGateway({ clock: virtualClock(Number(now)), channel: { wallets: { applePay } } });
  const [first = '', second = ''] = await Promise.all(
    ['order-001', 'order-002'].map(async (merchantInvoiceId) =>
      idOf(await gateway.post('v1/checkouts', { ...order, merchantInvoiceId })),
    ),
  );
  const submit = (id: string, parameters: Record<string, string>) =>
    gateway.raw(`v1/checkouts/${id}/payment`, {
      method: 'POST',
      body: new URLSearchParams(parameters).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const reply = await submit(first, token);
  expect(reply.code).toBe('000.100.110');
  const replayed = await submit(second, token);
  expect(replayed.code).toBe('800.110.100');
  expect(replayed.text).toContain(`became payment ${idOf(reply)}`);
  expect((await gateway.get(`v1/checkouts/${second}/payment`)).code).toBe('000.200.000');
  expect(gateway.acquirer.authorised).toHaveLength(1);
});
