/** One payment per checkout: double clicks, other cards, closed windows, and fast shoppers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import {
  APPROVED,
  type Counter,
  card,
  errorsOf,
  extendedDescriptionOf,
  openCounter,
  payPath,
  pendingCode,
  returnUrl,
} from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

/** The shopper is sent to a page of the bank first. */
const transfer: Parameters = { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl: returnUrl };
const wallet: Parameters = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
/** An account that the simulated bank has closed. */
const closedAccount: Parameters = { ...wallet, 'virtualAccount.accountId': 'closed@example.com' };

const submit = (id: string, parameters: Parameters) => counter.shopper.post(payPath(id), parameters);
const status = (id: string) => counter.shop.get(payPath(id));
const decide = async (reply: Reply, decision: string): Promise<Response> => {
  const { url } = reply.body['redirect'] as { url: string };
  return counter.raw(new URL(url).pathname.slice(1), {
    method: 'POST',
    body: new URLSearchParams({ decision }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
};
const paymentsOf = async (): Promise<readonly { id: string; code: string }[]> => {
  const { payments } = await counter.gateway.store.search({ entityId: '8a8294174e735d0c014e78beb6b9154b', limit: 100 });
  return payments.map((each) => ({ id: each.id, code: each.state === 'done' ? each.resultCode : pendingCode }));
};
const approved = async () => (await paymentsOf()).filter(({ code }) => code === APPROVED);

test('a double click, a reload, and two tabs are one payment, with one answer', async () => {
  const id = await counter.checkout();
  const replies = await Promise.all(Array.from({ length: 12 }, () => submit(id, card)));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  await counter.clock.advance(60_000);
  expect((await submit(id, card)).text).toBe(replies[0]?.text);
  expect(await paymentsOf()).toHaveLength(1);
});

test('of twelve different cards at once, one is charged', async () => {
  const id = await counter.checkout();
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) => submit(id, { ...card, 'card.holder': `Jane ${'Jones'.padEnd(5 + n, 'x')}` })),
  );
  expect(replies.filter(({ code }) => code === APPROVED)).toHaveLength(1);
  for (const { code } of replies) expect([APPROVED, '800.110.100']).toContain(code);
  for (const reply of replies.filter(({ code }) => code !== APPROVED))
    expect(extendedDescriptionOf(reply)).toMatch(/is paid already/);
  expect(await approved()).toHaveLength(1);
});

test('after a decline the shopper can pay with another brand, or with the same card a moment later', async () => {
  const id = await counter.checkout();
  const failedReply = await submit(id, closedAccount);
  expect(failedReply).toMatchObject({ status: 400, code: '800.100.172' });
  expect((await status(id)).text).toBe(failedReply.text);
  // A second click on the same button.
  expect((await submit(id, closedAccount)).text).toBe(failedReply.text);
  await counter.clock.advance(5000);
  const repeatReply = await submit(id, closedAccount);
  expect(repeatReply.code).toBe('800.100.172');
  expect(idOf(repeatReply)).not.toBe(idOf(failedReply));
  const laterReply = await submit(id, wallet);
  expect(laterReply.code).toBe(APPROVED);
  expect((await status(id)).text).toBe(laterReply.text);
});

test('a paid checkout accepts no other payment, and names the one that paid', async () => {
  const id = await counter.checkout();
  const paidReply = await submit(id, wallet);
  const lateReply = await submit(id, card);
  expect(lateReply).toMatchObject({ status: 400, code: '800.110.100', body: { ndc: id } });
  expect(extendedDescriptionOf(lateReply)).toContain(idOf(paidReply));
  expect(await approved()).toHaveLength(1);
  expect((await status(id)).text).toBe(paidReply.text);
});

test('a shopper who closed the bank’s window can pay by card, and the bank’s page decides nothing more', async () => {
  const id = await counter.checkout();
  const redirectReply = await submit(id, transfer);
  expect(redirectReply.code).toBe(pendingCode);
  expect((await counter.shopper.get(`v1/checkouts/${id}/widget`)).body['state']).toBe('pending');
  expect(errorsOf(await counter.shop.post(`v1/checkouts/${id}`, { amount: '1.00' }))['amount']).toContain(
    'in progress',
  );
  // The same button again: the same bank, the same payment.
  expect((await submit(id, transfer)).text).toBe(redirectReply.text);
  const paidReply = await submit(id, { ...card, shopperResultUrl: returnUrl });
  expect(paidReply.code).toBe(APPROVED);
  await decide(redirectReply, 'pays');
  expect((await counter.shop.get(`v1/payments/${idOf(redirectReply)}`)).code).toBe('100.396.104');
  // The bank agrees: its page has taken no money unnoticed.
  expect(await counter.gateway.gateway.acquirer.inquire(idOf(redirectReply), 0)).toMatchObject({
    resultCode: '100.396.104',
  });
  expect(await approved()).toEqual([{ id: idOf(paidReply), code: APPROVED }]);
});

test('a shopper who has paid at the bank meanwhile is not charged again by card', async () => {
  const id = await counter.checkout();
  const redirectReply = await submit(id, transfer);
  await decide(redirectReply, 'pays');
  const card2 = await submit(id, { ...card, shopperResultUrl: returnUrl });
  expect(card2.code).toBe('800.110.100');
  expect(extendedDescriptionOf(card2)).toContain(idOf(redirectReply));
  expect((await status(id)).body).toMatchObject({ id: idOf(redirectReply), result: { code: APPROVED }, ndc: id });
});

test('paying by bank and card at the same time charges one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await counter.checkout();
    const redirectReply = await submit(id, transfer);
    const otherParameters = { ...card, shopperResultUrl: returnUrl };
    const work = [
      () => decide(redirectReply, 'pays'),
      () => submit(id, otherParameters),
      () => submit(id, { ...wallet, shopperResultUrl: returnUrl }),
    ];
    const rotatedWork = work.map((_, n) => work[(n + round) % work.length] as () => Promise<unknown>);
    await Promise.all(rotatedWork.map((each) => each()));
    expect(await approved(), `round ${round}`).toHaveLength(round + 1);
    expect((await status(id)).code).toBe(APPROVED);
  }
});

test('the return from the bank leads to the checkout’s own result', async () => {
  const id = await counter.checkout({ shopperResultUrl: returnUrl });
  const { shopperResultUrl: _, ...parameters } = transfer;
  const returnResponse = await decide(await submit(id, parameters), 'pays');
  const to = new URL(returnResponse.headers.get('location') ?? '');
  expect(to.origin + to.pathname).toBe('https://shop.test/thanks');
  expect(Object.fromEntries(to.searchParams)).toEqual({ order: '7', id, resourcePath: `/v1/checkouts/${id}/payment` });
  expect((await status(id)).code).toBe(APPROVED);
});

test('a payment with an uncertain result lets no other start', async () => {
  const id = await counter.checkout({ 'customParameters[forceResultCode]': '900.100.300' });
  const doubtfulReply = await submit(id, card);
  expect(doubtfulReply.code).toBe('900.100.300');
  const other = await submit(id, wallet);
  expect(other.code).toBe('800.110.100');
  expect(extendedDescriptionOf(other)).toContain('no certain ending');
  expect(await paymentsOf()).toHaveLength(1);
});

test('trying card after card is stopped', async () => {
  const id = await counter.checkout();
  for (let n = 0; n < 20; n += 1) {
    const failedReply = await submit(id, {
      ...card,
      'card.number': '4200000000000001',
      'card.holder': `Jane ${'x'.repeat(n + 1)}`,
    });
    expect(failedReply.code).toBe('100.100.101');
  }
  const stopped = await submit(id, card);
  expect(stopped).toMatchObject({ status: 429, code: '800.120.100' });
  expect(await paymentsOf()).toHaveLength(20);
});
