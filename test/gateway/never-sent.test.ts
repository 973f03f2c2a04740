/** A payment that never reached the acquirer: its repeat is processed anew, and never twice at once. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  idOf,
  type Parameters,
  posSale,
  type Reply,
  type TestGateway,
  testGateway,
} from '../support/gateway/gateway.ts';
import type { Step } from '../support/gateway/scripted-acquirer.ts';
import { byNight } from '../support/night/night.ts';

const DEAD = '100.396.103';
const DONE = '000.100.110';
const lostRequest: Step = { lostPart: 'request' };
const key = { 'idempotency-key': 'forward-1' };
/** Identified only by its key, without a terminal's sequence number. */
const keyedSale = posSale({ 'pos.transactionSequenceNumber': '' });

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

type Listed = { id: string; result: { code: string } };
const listed = async (of = gateway): Promise<readonly Listed[]> => {
  const { body } = await of.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  return body['payments'] as Listed[];
};
const codes = async (of = gateway) => (await listed(of)).map(({ result }) => result.code);
const sendMany = (count: number, send: () => Promise<Reply>) => Promise.all(Array.from({ length: count }, send));

test.each<[string, Parameters, Parameters]>([
  ['its Idempotency-Key', keyedSale, key],
  ['the terminal’s counting', posSale(), {}],
  ['both', posSale(), key],
])('with %s, its repeat is a new payment, and the old one stays readable', async (_, sale, headers) => {
  gateway.acquirer.next(lostRequest, lostRequest);
  const send = () => gateway.post('v1/payments', sale, headers);
  const replies = [await send(), await send(), await send(), await send()];
  expect(replies.map(({ code }) => code)).toEqual([DEAD, DEAD, DONE, DONE]);
  expect(new Set(replies.map(idOf)).size).toBe(3);
  expect(replies[3]?.text).toBe(replies[2]?.text);
  expect(gateway.acquirer.authorised).toHaveLength(3);
  expect((await listed()).map(({ id }) => id)).toEqual(replies.slice(0, 3).map(idOf));
  expect(await gateway.get(`v1/payments/${replies[0] && idOf(replies[0])}`)).toMatchObject({ code: DEAD });
});

test('a released claim may return with another body, which then identifies it', async () => {
  gateway.acquirer.next(lostRequest);
  await gateway.post('v1/payments', posSale(), key);
  expect(await gateway.post('v1/payments', posSale({ amount: '11.00' }), key)).toMatchObject({ code: DONE });
  expect(await gateway.post('v1/payments', posSale(), key)).toMatchObject({ code: '800.110.100' });
});

test('a decline, or the acquirer’s own use of the same code, releases no claims', async () => {
  gateway.acquirer.next({ resultCode: DEAD });
  const first = await gateway.post('v1/payments', posSale());
  expect(first.code).toBe(DEAD);
  expect((await gateway.post('v1/payments', posSale())).text).toBe(first.text);
  expect(gateway.acquirer.authorised).toHaveLength(1);
});

test('a refund that never reached the acquirer is made by its repeat, once', async () => {
  const sale = await gateway.post('v1/payments', posSale());
  const refund = { paymentType: 'RF', amount: '6.00', currency: 'EUR' };
  const send = () => gateway.post(`v1/payments/${idOf(sale)}`, refund, { 'idempotency-key': 'refund-1' });
  gateway.acquirer.next(lostRequest);
  expect([(await send()).code, (await send()).code, (await send()).code]).toEqual([DEAD, DONE, DONE]);
  expect(gateway.acquirer.referred).toHaveLength(2);
});

test('a repeat waits while the result is unknown and then gets it; the next one is processed', async () => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  gateway.acquirer.next({ ...lostRequest, after });
  const pendingReplies = sendMany(20, () => gateway.post('v1/payments', posSale()));
  await gateway.clock.settle();
  expect(gateway.acquirer.authorised).toHaveLength(1);
  release();
  const replies = await pendingReplies;
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(replies[0]?.code).toBe(DEAD);
  expect((await gateway.post('v1/payments', posSale())).code).toBe(DONE);
});

test('while the acquirer does not know the outcome, the claims stay taken', async () => {
  gateway.acquirer.next(lostRequest);
  gateway.acquirer.setDeaf('deaf');
  const send = () => gateway.post('v1/payments', posSale());
  expect((await send()).status).toBe(500);
  expect((await sendMany(10, send)).map(({ code }) => code)).toEqual(Array(10).fill('900.100.300'));
  expect(gateway.acquirer.authorised).toHaveLength(1);
  gateway.acquirer.setDeaf('hearing');
  // All of them learn at once that the payment was never sent; those after the first become one new payment.
  const replies = await sendMany(50, send);
  expect(new Set(replies.map(idOf)).size).toBeLessThanOrEqual(2);
  await send();
  expect(await codes()).toEqual([DEAD, DONE]);
  expect(gateway.acquirer.authorised).toHaveLength(2);
});

const step: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  lostRequest,
  lostRequest,
  { lostPart: 'answer' },
  { resultCode: '900.100.300' },
  { resultCode: '900.100.300', lostPart: 'request' },
  { resultCode: '800.100.155' },
  {},
);
const requestWave = fc.record({ senders: fc.integer({ min: 1, max: 8 }), lookers: fc.integer({ min: 0, max: 3 }) });

test('however many repeats and queries run at once, at most one payment of a claim counts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(requestWave, { minLength: 1, maxLength: 6 }),
      async (...[steps, waves]) => {
        const busy = await testGateway();
        busy.acquirer.next(...steps);
        for (const { senders, lookers } of waves) {
          const replies = sendMany(senders, () => busy.post('v1/payments', posSale(), key));
          await Promise.all([
            replies,
            sendMany(lookers, () => busy.get('v1/query', { merchantTransactionId: 'till-7-000042' })),
          ]);
          const endedCodes = await codes(busy);
          const liveCodes = endedCodes.filter((code) => code !== DEAD);
          expect(liveCodes.length).toBeLessThanOrEqual(1);
          // Only the last payment can count: all earlier ones were never sent.
          expect(endedCodes.slice(0, -1).every((code) => code === DEAD)).toBe(true);
        }
        expect(busy.acquirer.authorised).toHaveLength((await listed(busy)).length);
        await busy.app.close();
        await busy.store.close();
      },
    ),
    { numRuns: byNight({ day: 20, night: 60 }) },
  );
});
