/** Follow-ups: the processor's payment that they name, their payment type, and an uncertain predecessor. */
import { expect, test } from 'vitest';
import { isFault } from '../../../../src/base/fault.ts';
import { money } from '../../../../src/base/money.ts';
import type { ReferenceOperation } from '../../../../src/gateway/payments/acquirer.ts';
import { bench, follow, GRACE_MS, nextId, sale } from './bench.ts';

const approved = '000.100.110';
const errorOf = (error: unknown): unknown => error;

test.each([
  ['capture', 'CP'],
  ['reverse', 'RV'],
  ['refund', 'RF'],
  ['rebill', 'RB'],
  ['receipt', 'RC'],
  ['chargeback', 'CB'],
  ['increase', 'PA'],
] as const)('%s is posted as %s on the processor’s own id', async (operation, sentType) => {
  const { host, acquirer } = await bench();
  const start = sale();
  await acquirer.authorise(start);
  const request = follow(start.id, { operation, amount: money(500n, 'EUR') });
  expect((await acquirer.refer(request)).resultCode).toBe(approved);
  expect((await acquirer.refer(request)).resultCode).toBe(approved);
  expect(host.posted).toHaveLength(2);
  const [, sentRequest] = host.posted;
  expect(sentRequest?.path).toBe(`/v1/payments/${host.booked[0]?.id}`);
  expect(sentRequest?.form).toEqual({
    entityId: '8ac7a4c76ad5d1b6016ad5d1b6000001',
    paymentType: sentType,
    amount: '5.00',
    currency: 'EUR',
    merchantTransactionId: request.id,
  });
  expect(sentRequest?.headers['idempotency-key']).toBe(request.id);
});

test('a refund of a captured authorisation names its capture: the given one, or the last', async () => {
  const { host, acquirer } = await bench();
  const start = sale({ paymentType: 'PA' });
  await acquirer.authorise(start);
  const captures = [nextId(), nextId()];
  for (const id of captures) await acquirer.refer(follow(start.id, { id, operation: 'capture' }));
  const [, first, second] = host.booked.map(({ id }) => id);
  await acquirer.refer(follow(start.id, { parent: captures[0] ?? '' }));
  await acquirer.refer(follow(start.id));
  expect(host.posted.slice(3).map(({ path }) => path)).toEqual([`/v1/payments/${first}`, `/v1/payments/${second}`]);
});

test('a chargeback reversal names the chargeback', async () => {
  const { host, acquirer } = await bench();
  const start = sale();
  await acquirer.authorise(start);
  await acquirer.refer(follow(start.id, { operation: 'chargeback' }));
  await acquirer.refer(follow(start.id, { operation: 'chargebackReversal' }));
  expect(host.posted[2]).toMatchObject({ path: `/v1/payments/${host.booked[1]?.id}`, form: { paymentType: 'CR' } });
});

test.each([
  ['capture', '700.400.510'],
  ['refund', '700.400.520'],
  ['reverse', '700.400.530'],
] as const)('a %s of an unknown payment is refused without sending', async (operation: ReferenceOperation, code) => {
  const { host, acquirer } = await bench();
  expect((await acquirer.refer(follow(nextId(), { operation }))).resultCode).toBe(code);
  expect(host.counts().requests).toBe(0);
});

test('a reversal of an uncertain payment first inquires about it', async () => {
  const { host, clock, acquirer } = await bench();
  const start = sale({ at: clock.now() });
  host.next({ does: 'cuts', at: 'booked' });
  await acquirer.authorise(start);
  expect((await acquirer.refer(follow(start.id, { operation: 'reverse' }))).resultCode).toBe(approved);
  expect(host.requests).toEqual([
    `/v1/query?entityId=8ac7a4c76ad5d1b6016ad5d1b6000001&merchantTransactionId=${start.id}`,
  ]);
  expect(host.posted[1]?.path).toBe(`/v1/payments/${host.booked[0]?.id}`);
});

test('while the payment is not found and may still be on its way, its reversal is not sent and not recorded', async () => {
  const { host, clock, acquirer } = await bench();
  const start = sale({ at: clock.now() });
  host.next({ does: 'cuts', at: 'head' });
  await acquirer.authorise(start);
  const reversal = follow(start.id, { operation: 'reverse', at: clock.now() });
  expect(isFault(await acquirer.refer(reversal).catch(errorOf), 'host.silent')).toBe(true);
  expect(await acquirer.inquire(reversal.id, clock.now())).toBeUndefined();
  await clock.advance(GRACE_MS);
  expect((await acquirer.refer(follow(start.id, { operation: 'reverse' }))).resultCode).toBe('700.400.530');
  expect(host.posted).toEqual([]);
});

test('a follow-up with a lost answer is found by its own reference', async () => {
  const { host, clock, acquirer } = await bench();
  const start = sale();
  await acquirer.authorise(start);
  host.next({ does: 'cuts', at: 'answer' });
  const refund = follow(start.id, { at: clock.now() });
  expect((await acquirer.refer(refund)).resultCode).toBe('900.100.300');
  expect((await acquirer.inquire(refund.id, refund.at))?.resultCode).toBe(approved);
  expect(host.posted).toHaveLength(2);
});
