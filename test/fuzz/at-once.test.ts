/** Hundreds of simultaneous follow-ups of one payment: never more than its amount, and the issuer's ledger agrees. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { testKeys } from '../../src/emv/test-cards.ts';
import { openHsm } from '../../src/gateway/acquirers/simulator/hsm.ts';
import { openLedger } from '../../src/gateway/acquirers/simulator/ledger.ts';
import { GRAINS_PER_THOUSANDTH } from '../../src/gateway/acquirers/simulator/worth.ts';
import { type Embedded, openGateway } from '../../src/gateway/server/embedded.ts';
import { dice as diceOf } from '../support/chance/dice.ts';
import { entityId, idOf, type Parameters, payment, type Reply, replyOf, token } from '../support/gateway/gateway.ts';
import { byNight } from '../support/night/night.ts';

/** Used by no other test: the account starts with 10,000,000.00. */
const pan = '4111111111111111';
const OPENING = 10_000_000_000n;
const DONE = '000.100.110';

let gateway: Embedded;
const reported: unknown[] = [];
beforeEach(async () => {
  const report = (error: unknown) => void reported.push(error);
  const platform = { clock: systemClock, ids: systemIds, random: systemRandom };
  gateway = await openGateway({ dataDir: ':memory:', channels: [{ entityId, token }], ...platform, report });
});
afterEach(async () => {
  expect(reported).toEqual([]);
  await gateway.close();
});

const post = async (path: string, parameters: Parameters, headers: Parameters = {}): Promise<Reply> => {
  const body = new URLSearchParams({ entityId, ...parameters });
  const init = { method: 'POST', body, headers: { authorization: `Bearer ${token}`, ...headers } };
  return replyOf(await gateway.fetch(new Request(`http://gateway.test/${path}`, init)));
};

const cents = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''));
const approved = (replies: readonly Reply[]): bigint =>
  replies.filter(({ code }) => code === DONE).reduce((sum, { body }) => sum + cents(body['amount']), 0n);

const books = async (id: string) => {
  const ledger = openLedger(gateway.store.memory);
  const account = await ledger.read('account', openHsm(testKeys).accountKey(pan));
  const availableCents = (account?.available ?? 0n) / GRAINS_PER_THOUSANDTH;
  return { moved: (await ledger.read('outcome', id))?.moved, gone: OPENING - availableCents };
};

test.each(byNight({ day: [1], night: [1, 2, 3] }))('400 simultaneous refunds of all sizes, seed %i', async (seed) => {
  const dice = diceOf(seed);
  const sale = await post('v1/payments', payment({ 'card.number': pan, amount: '100.00' }));
  const sizes = Array.from({ length: 400 }, () => `${dice.between(0, 9)}.${dice.between(10, 99)}`);
  const refund = (amount: string) => post(`v1/payments/${idOf(sale)}`, { paymentType: 'RF', amount, currency: 'EUR' });
  const replies = await Promise.all(sizes.map(refund));
  const approvedMinor = approved(replies);
  expect(approvedMinor).toBeLessThanOrEqual(10_000n);
  const { moved: move, gone: isGone } = await books(idOf(sale));
  expect([move?.refunded, isGone]).toEqual([approvedMinor, (10_000n - approvedMinor) * 10n]);
  expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([DONE, '700.400.200']));
});

test.each(byNight({ day: [4], night: [4, 5, 6] }))(
  'simultaneous captures, reversals, increases and refunds of one authorisation, seed %i',
  async (seed) => {
    const dice = diceOf(seed);
    const sale = await post('v1/payments', payment({ 'card.number': pan, amount: '50.00', paymentType: 'PA' }));
    const types = ['CP', 'CP', 'CP', 'RV', 'PA', 'RF', 'CB', 'RC'] as const;
    const requests = Array.from({ length: 300 }, (_, index) => ({
      paymentType: index === 150 ? 'RV' : dice.one(types),
      amount: `0.${dice.between(10, 99)}`,
      currency: 'EUR',
    }));
    const replies = await Promise.all(requests.map((each) => post(`v1/payments/${idOf(sale)}`, each)));
    const approvedOfType = (type: string) => approved(replies.filter(({ body }) => body['paymentType'] === type));
    const { moved: move, gone: isGone } = await books(idOf(sale));
    const expected = {
      authorised: 5_000n + approvedOfType('PA'),
      captured: approvedOfType('CP') + approvedOfType('RC'),
      reversed: approvedOfType('RV'),
      refunded: 0n,
      chargedBack: 0n,
    };
    expect(move).toMatchObject(expected);
    expect(expected.captured + expected.reversed).toBeLessThanOrEqual(expected.authorised);
    expect(isGone).toBe((expected.authorised - expected.reversed) * 10n);
  },
);

test('simultaneous reversals and refunds: one kind wins, and only its amount is returned', async () => {
  const sale = await post('v1/payments', payment({ 'card.number': pan, amount: '20.00' }));
  const path = `v1/payments/${idOf(sale)}`;
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? post(path, { paymentType: 'RV' })
        : post(path, { paymentType: 'RF', amount: '20.00', currency: 'EUR' }),
    ),
  );
  expect(approved(replies)).toBe(2_000n);
  expect((await books(idOf(sale))).gone).toBe(0n);
});

test('one key, and keys mixed with a terminal’s sequence number, at once: one payment', async () => {
  const terminalFields = {
    'pos.entryMode': 'MANUAL',
    'pos.terminalId': '70001234',
    'pos.transactionSequenceNumber': '42',
    merchantTransactionId: 'till-7-000042',
  };
  const sale = payment({ 'card.number': pan, amount: '3.00', ...terminalFields });
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      post('v1/payments', sale, index % 3 === 0 ? {} : { 'idempotency-key': `key-${index % 5}` }),
    ),
  );
  const [id = '', ...otherIds] = new Set(replies.map(idOf));
  expect(otherIds).toEqual([]);
  expect((await books(id)).gone).toBe(3_000n);
});

test('nothing is left of a registration deleted while it is charged, and all answers stay true', async () => {
  const stored = await post('v1/registrations', {
    'card.number': pan,
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
  });
  const path = `v1/registrations/${idOf(stored)}`;
  const charge = () => post(`${path}/payments`, { amount: '1.00', currency: 'EUR', paymentType: 'DB' });
  const remove = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const init = { method: 'DELETE', headers };
    return replyOf(await gateway.fetch(new Request(`http://gateway.test/${path}?entityId=${entityId}`, init)));
  };
  const chargeReplies: Reply[] = [];
  const removed: Promise<Reply>[] = [];
  const till = async (): Promise<string> => {
    for (;;) {
      const reply = await charge();
      if (reply.code !== DONE) return reply.code;
      chargeReplies.push(reply);
      if (chargeReplies.length === 40) removed.push(remove(), remove());
    }
  };
  const last = await Promise.all(Array.from({ length: 12 }, till));
  expect(new Set(last)).toEqual(new Set(['100.150.200']));
  expect((await Promise.all(removed)).map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await books('')).gone).toBe(BigInt(chargeReplies.length) * 1_000n);
  expect(await charge()).toMatchObject({ status: 400, code: '100.150.200' });
  expect((await gateway.store.registration(idOf(stored)))?.sealed).toBeUndefined();
});
