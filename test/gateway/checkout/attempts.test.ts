/** One payment per checkout: double clicks, other cards, closed windows, and fast shoppers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import {
  type Counter,
  card,
  detailOf,
  errorsOf,
  OK,
  openCounter,
  payPath,
  pendingCode,
  shopperResultUrl,
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
const transfer: Parameters = { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl };
const wallet: Parameters = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
/** An account that the simulated bank has closed. */
const closedAccount: Parameters = { ...wallet, 'virtualAccount.accountId': 'closed@example.com' };

const submit = (id: string, form: Parameters) => counter.shopper.post(payPath(id), form);
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
const approved = async () => (await paymentsOf()).filter(({ code }) => code === OK);

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
  expect(replies.filter(({ code }) => code === OK)).toHaveLength(1);
  for (const { code } of replies) expect([OK, '800.110.100']).toContain(code);
  for (const reply of replies.filter(({ code }) => code !== OK)) expect(detailOf(reply)).toMatch(/is paid already/);
  expect(await approved()).toHaveLength(1);
});

test('after a decline the shopper can pay with another brand, or with the same card a moment later', async () => {
  const id = await counter.checkout();
  const refusal = await submit(id, closedAccount);
  expect(refusal).toMatchObject({ status: 400, code: '800.100.172' });
  expect((await status(id)).text).toBe(refusal.text);
  // A second click on the same button.
  expect((await submit(id, closedAccount)).text).toBe(refusal.text);
  await counter.clock.advance(5000);
  const repeat = await submit(id, closedAccount);
  expect(repeat.code).toBe('800.100.172');
  expect(idOf(repeat)).not.toBe(idOf(refusal));
  const laterReply = await submit(id, wallet);
  expect(laterReply.code).toBe(OK);
  expect((await status(id)).text).toBe(laterReply.text);
});

test('a paid checkout accepts no other payment, and names the one that paid', async () => {
  const id = await counter.checkout();
  const reply = await submit(id, wallet);
  const lateReply = await submit(id, card);
  expect(lateReply).toMatchObject({ status: 400, code: '800.110.100', body: { ndc: id } });
  expect(detailOf(lateReply)).toContain(idOf(reply));
  expect(await approved()).toHaveLength(1);
  expect((await status(id)).text).toBe(reply.text);
});

test('a shopper who closed the bank’s window can pay by card, and the bank’s page then has no effect', async () => {
  const id = await counter.checkout();
  const reply = await submit(id, transfer);
  expect(reply.code).toBe(pendingCode);
  expect((await counter.shopper.get(`v1/checkouts/${id}/widget`)).body['state']).toBe('pending');
  expect(errorsOf(await counter.shop.post(`v1/checkouts/${id}`, { amount: '1.00' }))['amount']).toContain(
    'in progress',
  );
  // The same button again: the same bank, the same payment.
  expect((await submit(id, transfer)).text).toBe(reply.text);
  const paidReply = await submit(id, { ...card, shopperResultUrl });
  expect(paidReply.code).toBe(OK);
  await decide(reply, 'pays');
  expect((await counter.shop.get(`v1/payments/${idOf(reply)}`)).code).toBe('100.396.104');
  // The bank reports the same result: its page has taken no money.
  expect(await counter.gateway.gateway.acquirer.inquire(idOf(reply), 0)).toMatchObject({ resultCode: '100.396.104' });
  expect(await approved()).toEqual([{ id: idOf(paidReply), code: OK }]);
});

test('a shopper who has paid at the bank meanwhile is not charged again by card', async () => {
  const id = await counter.checkout();
  const reply = await submit(id, transfer);
  await decide(reply, 'pays');
  const card2 = await submit(id, { ...card, shopperResultUrl });
  expect(card2.code).toBe('800.110.100');
  expect(detailOf(card2)).toContain(idOf(reply));
  expect((await status(id)).body).toMatchObject({ id: idOf(reply), result: { code: OK }, ndc: id });
});

test('paying by bank and card at the same time charges one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await counter.checkout();
    const reply = await submit(id, transfer);
    const otherParameters = { ...card, shopperResultUrl };
    const work = [
      () => decide(reply, 'pays'),
      () => submit(id, otherParameters),
      () => submit(id, { ...wallet, shopperResultUrl }),
    ];
    const rotated = work.map((_, n) => work[(n + round) % work.length] as () => Promise<unknown>);
    await Promise.all(rotated.map((each) => each()));
    expect(await approved(), `round ${round}`).toHaveLength(round + 1);
    expect((await status(id)).code).toBe(OK);
  }
});

test('the return from the bank leads to the checkout’s own result', async () => {
  const id = await counter.checkout({ shopperResultUrl });
  const { shopperResultUrl: _, ...form } = transfer;
  const response = await decide(await submit(id, form), 'pays');
  const to = new URL(response.headers.get('location') ?? '');
  expect(to.origin + to.pathname).toBe('https://shop.test/thanks');
  expect(Object.fromEntries(to.searchParams)).toEqual({ order: '7', id, resourcePath: `/v1/checkouts/${id}/payment` });
  expect((await status(id)).code).toBe(OK);
});

test('a payment with an uncertain result lets no other start', async () => {
  const id = await counter.checkout({ 'customParameters[forceResultCode]': '900.100.300' });
  const doubtfulReply = await submit(id, card);
  expect(doubtfulReply.code).toBe('900.100.300');
  const other = await submit(id, wallet);
  expect(other.code).toBe('800.110.100');
  expect(detailOf(other)).toContain('no certain ending');
  expect(await paymentsOf()).toHaveLength(1);
});

test('trying card after card is stopped', async () => {
  const id = await counter.checkout();
  for (let n = 0; n < 20; n += 1) {
    const refusal = await submit(id, {
      ...card,
      'card.number': '4200000000000001',
      'card.holder': `Jane ${'x'.repeat(n + 1)}`,
    });
    expect(refusal.code).toBe('100.100.101');
  }
  const stopped = await submit(id, card);
  expect(stopped).toMatchObject({ status: 429, code: '800.120.100' });
  expect(await paymentsOf()).toHaveLength(20);
});
