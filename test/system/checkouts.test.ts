/** Checkouts with two gateways on one PostgreSQL: one payment wherever the shopper clicks, and one call to the shop. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Counter, card, OK, openCounter, payPath } from '../gateway/checkout/counter.ts';
import { isEventually, listeningShop } from '../gateway/checkout/listening-shop.ts';
import { entityId, type Parameters, type Reply } from '../support/gateway/gateway.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let server: TestPostgres;
let both: readonly [Counter, Counter];
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

beforeEach(async () => {
  const parts = { database: await server.database(), vaultKey: '5a'.repeat(32), clock: virtualClock() };
  both = [await openCounter(parts), await openCounter(parts)];
});
afterEach(async () => {
  await Promise.all(both.map(({ gateway }) => gateway.close()));
  expect(both.flatMap(({ faults }) => faults)).toEqual([]);
});

const shopper = { shopperResultUrl: 'https://shop.test/thanks' };
const wallet: Parameters = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
const submit = (counter: Counter, id: string, parameters: Parameters) => counter.shopper.post(payPath(id), parameters);
const decide = async (counter: Counter, { body }: Reply): Promise<unknown> =>
  counter.raw(new URL((body['redirect'] as { url: string }).url).pathname.slice(1), {
    method: 'POST',
    body: 'decision=pays',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const approved = async (id: string): Promise<number> => {
  const { payments } = await both[0].gateway.store.search({ entityId, limit: 500 });
  return payments.filter((each) => each.facts.checkoutId === id && each.state === 'done' && each.resultCode === OK)
    .length;
};

test('a double click that reaches both makes one payment with one answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await both[0].checkout();
    const replies = await Promise.all([0, 1, 0, 1, 0, 1].map((n) => submit(both[n as 0 | 1], id, card)));
    expect(replies.map(({ code }) => code)).toEqual(Array(6).fill(OK));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await approved(id)).toBe(1);
  }
});

test('different cards sent to both at once: one is charged, and both gateways know which', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await both[1].checkout();
    const holders = ['Jane Jones', 'Joe Jones', 'Jim Jones', 'Jan Jones'];
    const replies = await Promise.all(
      holders.map((holder, n) => submit(both[(n % 2) as 0 | 1], id, { ...card, 'card.holder': holder })),
    );
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === '800.110.100')).toHaveLength(3);
    expect(await approved(id)).toBe(1);
    const [first, second] = [await both[0].shop.get(payPath(id)), await both[1].shop.get(payPath(id))];
    expect(first).toMatchObject({ code: OK });
    expect(second.text).toBe(first.text);
  }
});

test('a bank at one and a card at the other, at the same time: one of them is charged', async () => {
  const [left, right] = both;
  for (let round = 0; round < 8; round += 1) {
    const id = await left.checkout();
    const redirected = await submit(left, id, { paymentBrand: 'SOFORTUEBERWEISUNG', ...shopper });
    const works = [
      () => decide(right, redirected),
      () => submit(left, id, { ...card, ...shopper }),
      () => submit(right, id, { ...wallet, ...shopper }),
    ];
    const rotated = works.map((_, n) => works[(n + round) % works.length] as () => Promise<unknown>);
    await Promise.all(rotated.map((each) => each()));
    expect(await approved(id), `round ${round}`).toBe(1);
  }
});

test('each call to the shop is made by only one of the gateways', async () => {
  const shop = await listeningShop();
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const counter = both[(n % 2) as 0 | 1];
    const id = await counter.checkout({ shopperResultUrl: `${shop.url}/back`, notificationUrl: `${shop.url}/note` });
    await submit(both[((n + 1) % 2) as 0 | 1], id, wallet);
    ids.push(id);
  }
  const { clock } = both[0];
  const callbackCount = (path: string) => shop.received.filter((each) => each.startsWith(path)).length;
  // Each round waits for a real database, so time advances in steps that leave room for it.
  const advanceWhile = async (ms: number, isPending: () => boolean) => {
    for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += 15_000) await clock.advance(15_000);
    for (let turn = 0; turn < 50 && !(await isEventually(isPending)); turn += 1) await clock.advance(15_000);
  };
  await advanceWhile(60_000, () => callbackCount('/note') >= 6);
  await advanceWhile(29 * 60_000, () => callbackCount('/back') >= 6);
  await advanceWhile(10 * 60_000, () => false);
  expect(callbackCount('/note')).toBe(6);
  for (const id of ids) {
    const calls = shop.received.filter((each) => each.startsWith('/back') && each.includes(id)).length;
    // The last call may have come too late to matter.
    expect([1, 2]).toContain(calls);
  }
  await shop.close();
});
