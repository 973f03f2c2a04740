/** A checkout whose card has a challenge at its bank while the shopper tries another method: only one of them pays. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import type { Shop } from '../payments/gateway-in-memory.ts';
import { answer, browse, redirectOf, rightCode, toBank } from '../threeds/secured-shop.ts';
import { type Counter, card, detailOf, OK, openCounter, payPath, pendingCode, shopperResultUrl } from './counter.ts';

const WITHDRAWN = '100.396.104';
const PAID_ALREADY = '800.110.100';

let counter: Counter;
let shop: Shop;
beforeEach(async () => {
  counter = await openCounter({ channel: { threeDSecure: { enabled: true } } });
  shop = { gateway: counter.gateway, post: counter.shop.post, get: counter.shop.get };
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

const challenged: Parameters = { ...card, 'card.number': '4200000000000018', shopperResultUrl };
const otherChallenged: Parameters = { ...challenged, 'card.number': '4200000000000042' };
const wallet: Parameters = {
  paymentBrand: 'PAYPAL',
  'virtualAccount.accountId': 'jane@example.com',
  shopperResultUrl,
};
const transfer: Parameters = { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl };

const submit = (id: string, form: Parameters) => counter.shopper.post(payPath(id), form);
const codeOf = async (reply: Reply) => (await counter.shop.get(`v1/payments/${idOf(reply)}`)).code;
const approved = async (): Promise<string[]> => {
  const { payments } = await counter.gateway.store.search({ entityId, limit: 100 });
  return payments.filter((each) => each.state === 'done' && each.resultCode === OK).map(({ id }) => id);
};

/** A new checkout with a challenge for its card, and the bank's page. */
const startAtBank = async (form = challenged) => {
  const id = await counter.checkout();
  const first = await submit(id, form);
  expect(first.code).toBe(pendingCode);
  return { id, first, bank: await toBank(shop, redirectOf(first).url) };
};

test('a shopper who closed the challenge and paid by other means is not charged on the card, whatever they answer there', async () => {
  const { id, first, bank } = await startAtBank();
  const reply = await submit(id, wallet);
  expect(reply.code).toBe(OK);
  expect(await codeOf(first)).toBe(WITHDRAWN);
  await answer(shop, bank, rightCode);
  await browse(shop, redirectOf(first).url);
  await counter.clock.advance(3_600_000);
  expect(await codeOf(first)).toBe(WITHDRAWN);
  // The acquirer reports the same result, so no money was requested for this card.
  expect((await counter.gateway.gateway.acquirer.inquire(idOf(first), 0))?.resultCode).toBe(WITHDRAWN);
  expect(await approved()).toEqual([idOf(reply)]);
});

test('a shopper who closed the page of the method step is not charged on the card either', async () => {
  const id = await counter.checkout();
  const first = await submit(id, otherChallenged);
  const page = await browse(shop, redirectOf(first).url);
  expect(page.html).toContain('id="device"');
  const reply = await submit(id, wallet);
  await answer(shop, await toBank(shop, redirectOf(first).url), rightCode);
  expect([reply.code, await codeOf(first)]).toEqual([OK, WITHDRAWN]);
  expect(await approved()).toEqual([idOf(reply)]);
});

test.each([
  ['came back', (bank: Awaited<ReturnType<typeof toBank>>) => answer(shop, bank, rightCode)],
  ['is not back yet', (bank: Awaited<ReturnType<typeof toBank>>) => browse(shop, bank.url, rightCode)],
])('a shopper who has answered the challenge, and %s, pays nothing else', async (_, answerChallenge) => {
  const { id, first, bank } = await startAtBank();
  await answerChallenge(bank);
  for (const other of [wallet, transfer]) {
    const changeAfterRequests = await submit(id, other);
    expect(changeAfterRequests.code).toBe(PAID_ALREADY);
    expect(detailOf(changeAfterRequests)).toContain(idOf(first));
  }
  expect(await approved()).toEqual([idOf(first)]);
  expect((await counter.shop.get(payPath(id))).body).toMatchObject({ id: idOf(first), result: { code: OK } });
});

test('a refused challenge leaves the checkout open for another card', async () => {
  const { id, first, bank } = await startAtBank();
  await answer(shop, bank, { choice: 'fail' });
  expect(await codeOf(first)).toBe('100.380.401');
  const reply = await submit(id, wallet);
  expect(await approved()).toEqual([idOf(reply)]);
});

test('a second challenge replaces the first: only its answer counts', async () => {
  const { id, first, bank } = await startAtBank();
  const second = await submit(id, otherChallenged);
  const otherBank = await toBank(shop, redirectOf(second).url);
  await Promise.all([answer(shop, bank, rightCode), answer(shop, otherBank, rightCode)]);
  expect([await codeOf(first), await codeOf(second)]).toEqual([WITHDRAWN, OK]);
  expect((await submit(id, wallet)).code).toBe(PAID_ALREADY);
  expect(await approved()).toEqual([idOf(second)]);
});

test('answering the challenge and paying by other means at the same moment gives one approval, in every order', async () => {
  const won = { challenge: 0, other: 0 };
  for (let round = 0; round < 12; round += 1) {
    const { id, first, bank } = await startAtBank(round % 2 === 0 ? challenged : otherChallenged);
    // In some rounds the challenge has a start of a few requests, in others the other payments have it.
    const changeAfterRequests = async (requests: number, then: () => Promise<unknown>): Promise<void> => {
      for (let request = 0; request < requests; request += 1) await counter.shopper.get(`v1/checkouts/${id}/widget`);
      await then();
    };
    const turnOffset = (round >> 1) - 2;
    await Promise.all([
      changeAfterRequests(turnOffset, () => answer(shop, bank, rightCode)),
      changeAfterRequests(-turnOffset, () => submit(id, wallet)),
      changeAfterRequests(-turnOffset, () =>
        submit(id, { ...card, 'card.number': '4200000000000091', shopperResultUrl }),
      ),
      counter.shop.get(`v1/payments/${idOf(first)}`),
    ]);
    expect(await approved(), `round ${round}`).toHaveLength(round + 1);
    expect((await counter.shop.get(payPath(id))).code, `round ${round}`).toBe(OK);
    won[(await codeOf(first)) === OK ? 'challenge' : 'other'] += 1;
  }
  // Each side must win in some rounds; otherwise it was no race.
  expect(Math.min(won.challenge, won.other)).toBeGreaterThan(0);
});
