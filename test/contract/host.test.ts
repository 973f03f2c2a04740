/**
 * What the till relies on from a gateway, tested on the real one through its client and on the twin for simulations: a
 * twin that behaves differently would prove nothing.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { gatewayClient } from '../../src/gateway/client/client.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { createHost } from '../../src/line/host.ts';
import type { Host, HostReply, Parameters } from '../../src/till/ports.ts';
import { bookkeepingHost, type Fate } from '../support/till/bookkeeping-host.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const openRealHost = async (): Promise<Host> => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
  const gateway = await openGateway({ dataDir: ':memory:', channels: [channel], ...parts });
  closing.push(() => gateway.close());
  const client = {
    fetch: gateway.fetch,
    baseUrl: 'http://embedded/',
    ...channel,
    clock: systemClock,
    timeoutMs: 5_000,
  };
  return createHost(gatewayClient(client));
};

const openTwinHost = async (): Promise<Host> => {
  const clock = { ...virtualClock(), after: (_: number, action: () => void) => systemClock.after(0, action) };
  const fate = (): Fate => 'answered';
  const behaviour = { fate, takesMs: () => 1, timeoutMs: 100, requestLifeMs: 200 };
  return bookkeepingHost({ mode: 'test', clock, ...behaviour, approves: (amount) => amount !== '8000.51' });
};

const sale = (reference: string, amount = '20.00'): Parameters => ({
  amount,
  currency: 'EUR',
  paymentType: 'DB',
  merchantTransactionId: reference,
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
});
const refund = (amount: string): Parameters => ({
  amount,
  currency: 'EUR',
  paymentType: 'RF',
  merchantTransactionId: 'refund-0001',
});
const reversal: Parameters = { paymentType: 'RV', merchantTransactionId: 'sale-0001' };

const answerOf = (reply: HostReply) => {
  if (reply.kind !== 'answered') throw new Error(`${reply.kind}: ${reply.fault.message}`);
  return reply;
};
const idOf = (reply: HostReply): string => String(answerOf(reply).body['id']);
const listPayments = async (host: Host, reference: string) => {
  const { payments } = answerOf(await host.find(reference)).body as { payments?: Record<string, unknown>[] };
  return (payments ?? []).map(({ paymentType, amount, result }) => [
    paymentType,
    amount,
    host.meaningOf((result as { code: string }).code) === 'declined',
  ]);
};

describe.each([
  ['the gateway', openRealHost],
  ['its twin', openTwinHost],
])('%s', (_, open) => {
  test('approves with the amount, and finds the payment by its reference', async () => {
    const host = await open();
    const reply = answerOf(await host.pay(sale('sale-0001'), 'key-1'));
    expect(reply).toMatchObject({
      means: 'approved',
      body: { amount: '20.00', currency: 'EUR', merchantTransactionId: 'sale-0001' },
    });
    expect(await listPayments(host, 'sale-0001')).toEqual([['DB', '20.00', false]]);
  });

  test('a decline has a declining code, also when it is found later', async () => {
    const host = await open();
    const reply = answerOf(await host.pay(sale('sale-0001', '8000.51'), 'key-1'));
    expect(reply.means).toBe('declined');
    expect((await listPayments(host, 'sale-0001')).map(([type, , declined]) => [type, declined])).toEqual([
      ['DB', true],
    ]);
  });

  test('the same key gets the first answer again, and the payment is booked once', async () => {
    const host = await open();
    const first = await host.pay(sale('sale-0001'), 'key-1');
    const repeated = await host.pay(sale('sale-0001'), 'key-1');
    expect(idOf(repeated)).toBe(idOf(first));
    expect(await listPayments(host, 'sale-0001')).toHaveLength(1);
  });

  test('a refusal is an answer too: the same key gets it again, whatever happened since', async () => {
    const host = await open();
    const payment = idOf(await host.pay(sale('sale-0001'), 'key-1'));
    const tooMuch = answerOf(await host.refer(payment, refund('20.01'), 'key-2'));
    expect(tooMuch.code).toBe('700.400.200');
    expect(answerOf(await host.refer(payment, refund('20.01'), 'key-2')).body).toEqual(tooMuch.body);
    const nobody = '0'.repeat(32);
    const unknown = answerOf(await host.refer(nobody, reversal, 'key-3'));
    expect(unknown.code).toBe('700.400.530');
    expect(answerOf(await host.refer(nobody, reversal, 'key-3')).body).toEqual(unknown.body);
  });

  test('a used key with another body gets an uncertain answer, and does nothing', async () => {
    const host = await open();
    const payment = idOf(await host.pay(sale('sale-0001'), 'key-1'));
    const others = [
      await host.pay(sale('sale-0001', '20.01'), 'key-1'),
      await host.pay(sale('sale-0002'), 'key-1'),
      await host.refer(payment, reversal, 'key-1'),
    ];
    for (const other of others) expect(answerOf(other)).toMatchObject({ code: '800.110.100', means: 'unknown' });
    expect(await listPayments(host, 'sale-0001')).toEqual([['DB', '20.00', false]]);
    expect(answerOf(await host.refer(payment, reversal, 'key-2')).means).toBe('approved');
  });

  test('reports a payment that was never sent as not found, with its own code', async () => {
    const host = await open();
    expect(answerOf(await host.find('sale-9999'))).toMatchObject({ code: '700.400.580' });
  });

  test('lists the payments of a period, of all terminals, newest first, with their terminal', async () => {
    const host = await open();
    const pos = { 'pos.terminalId': '7', 'pos.entryMode': 'MANUAL', 'pos.transactionSequenceNumber': '41' };
    const payment = idOf(await host.pay({ ...sale('sale-0001'), ...pos }, 'key-1'));
    await host.pay(sale('sale-0002'), 'key-2');
    await host.refer(payment, refund('20.00'), 'key-3');
    const period = { from: 0, to: Date.UTC(2037, 0, 1) };
    const { payments } = answerOf(await host.list(period)).body as { payments: Record<string, unknown>[] };
    expect(payments.map(({ merchantTransactionId }) => merchantTransactionId)).toEqual([
      'refund-0001',
      'sale-0002',
      'sale-0001',
    ]);
    expect(payments[2]).toMatchObject({ id: payment, pos: { terminalId: '7', transactionSequenceNumber: '41' } });
    expect(payments[0]).toMatchObject({ referencedId: payment });
    expect(answerOf(await host.list({ from: 0, to: 1_000 }))).toMatchObject({ code: '700.400.580' });
  });

  test('finds follow-ups by the reference, if requested', async () => {
    const host = await open();
    const payment = idOf(await host.pay(sale('sale-0001'), 'key-1'));
    await host.refer(payment, refund('5.00'), 'key-2');
    const { payments } = answerOf(await host.find('sale-0001', 'linked')).body as {
      payments: { paymentType: string }[];
    };
    expect(payments.map(({ paymentType }) => paymentType)).toEqual(['DB', 'RF']);
    expect(await listPayments(host, 'sale-0001')).toHaveLength(1);
  });

  test('a payment is reversed once; a second reversal is refused, the same key repeats the first answer', async () => {
    const host = await open();
    const payment = idOf(await host.pay(sale('sale-0001'), 'key-1'));
    expect(answerOf(await host.refer(payment, reversal, 'key-2')).means).toBe('approved');
    expect(answerOf(await host.refer(payment, reversal, 'key-2')).means).toBe('approved');
    expect(answerOf(await host.refer(payment, reversal, 'key-3')).code).toBe('700.400.300');
    // The refused second reversal is listed too, without an amount: it moved nothing.
    expect((await listPayments(host, 'sale-0001')).filter(([, amount]) => amount !== undefined)).toEqual([
      ['DB', '20.00', false],
      ['RV', '20.00', false],
    ]);
  });

  test('an unknown payment cannot be reversed, and has its own code', async () => {
    const host = await open();
    expect(answerOf(await host.refer('0'.repeat(32), reversal, 'key-1')).code).toBe('700.400.530');
  });

  test.each([
    ['given back', '700.400.100', 1],
    ['completed', '700.400.100', 1],
    ['of nobody', '700.400.510', 0],
  ])(
    'an increment of a hold that is %s is refused; of an unknown one nothing is listed',
    async (target, code, count) => {
      const host = await open();
      const holdId = idOf(await host.pay({ ...sale('hold-0001'), paymentType: 'PA' }, 'key-1'));
      const more = { paymentType: 'PA', amount: '5.00', currency: 'EUR', merchantTransactionId: 'more-0001' };
      if (target === 'given back') await host.refer(holdId, { paymentType: 'RV' }, 'key-2');
      if (target === 'completed')
        await host.refer(holdId, { paymentType: 'CP', amount: '20.00', currency: 'EUR' }, 'key-2');
      const increment = () => host.refer(target === 'of nobody' ? '0'.repeat(32) : holdId, more, 'key-3');
      expect(answerOf(await increment())).toMatchObject({ code, means: 'refused' });
      expect(answerOf(await increment()).code).toBe(code);
      expect(await listPayments(host, 'more-0001')).toHaveLength(count);
    },
  );

  test('refunds never exceed the payment', async () => {
    const host = await open();
    const payment = idOf(await host.pay(sale('sale-0001'), 'key-1'));
    expect(answerOf(await host.refer(payment, refund('15.00'), 'key-2')).means).toBe('approved');
    expect(answerOf(await host.refer(payment, refund('5.01'), 'key-3')).code).toBe('700.400.200');
    expect(answerOf(await host.refer(payment, refund('5.00'), 'key-4')).means).toBe('approved');
    expect(answerOf(await host.refer(payment, reversal, 'key-5')).code).toBe('700.400.300');
  });
});
