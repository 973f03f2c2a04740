/** One payment per checkout: double clicks, other cards, closed windows, and fast shoppers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import { type Counter, card, errorsOf, openCounter, payPath, pendingCode, way, whyOf, yes } from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

/** The shopper is sent to a page of the bank first. */
const transfer: Parameters = { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl: way };
const wallet: Parameters = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
/** An account that the simulated bank has closed. */
const closed: Parameters = { ...wallet, 'virtualAccount.accountId': 'closed@example.com' };

const submit = (id: string, sent: Parameters) => counter.shopper.post(payPath(id), sent);
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
const approved = async () => (await paymentsOf()).filter(({ code }) => code === yes);

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
  expect(replies.filter(({ code }) => code === yes)).toHaveLength(1);
  for (const { code } of replies) expect([yes, '800.110.100']).toContain(code);
  for (const reply of replies.filter(({ code }) => code !== yes)) expect(whyOf(reply)).toMatch(/is paid already/);
  expect(await approved()).toHaveLength(1);
});

test('after a decline the shopper can pay with another brand, or with the same card a moment later', async () => {
  const id = await counter.checkout();
  const no = await submit(id, closed);
  expect(no).toMatchObject({ status: 400, code: '800.100.172' });
  expect((await status(id)).text).toBe(no.text);
  // A second click on the same button.
  expect((await submit(id, closed)).text).toBe(no.text);
  await counter.clock.advance(5000);
  const again = await submit(id, closed);
  expect(again.code).toBe('800.100.172');
  expect(idOf(again)).not.toBe(idOf(no));
  const yesNow = await submit(id, wallet);
  expect(yesNow.code).toBe(yes);
  expect((await status(id)).text).toBe(yesNow.text);
});

test('a paid checkout accepts no other payment, and names the one that paid', async () => {
  const id = await counter.checkout();
  const paid = await submit(id, wallet);
  const late = await submit(id, card);
  expect(late).toMatchObject({ status: 400, code: '800.110.100', body: { ndc: id } });
  expect(whyOf(late)).toContain(idOf(paid));
  expect(await approved()).toHaveLength(1);
  expect((await status(id)).text).toBe(paid.text);
});

test('a shopper who closed the bank’s window can pay by card, and the bank’s page decides nothing more', async () => {
  const id = await counter.checkout();
  const away = await submit(id, transfer);
  expect(away.code).toBe(pendingCode);
  expect((await counter.shopper.get(`v1/checkouts/${id}/widget`)).body['state']).toBe('pending');
  expect(errorsOf(await counter.shop.post(`v1/checkouts/${id}`, { amount: '1.00' }))['amount']).toContain(
    'in progress',
  );
  // The same button again: the same bank, the same payment.
  expect((await submit(id, transfer)).text).toBe(away.text);
  const paid = await submit(id, { ...card, shopperResultUrl: way });
  expect(paid.code).toBe(yes);
  await decide(away, 'pays');
  expect((await counter.shop.get(`v1/payments/${idOf(away)}`)).code).toBe('100.396.104');
  // The bank agrees: its page has taken no money unnoticed.
  expect(await counter.gateway.gateway.acquirer.inquire(idOf(away), 0)).toMatchObject({ resultCode: '100.396.104' });
  expect(await approved()).toEqual([{ id: idOf(paid), code: yes }]);
});

test('a shopper who has paid at the bank meanwhile is not charged again by card', async () => {
  const id = await counter.checkout();
  const away = await submit(id, transfer);
  await decide(away, 'pays');
  const card2 = await submit(id, { ...card, shopperResultUrl: way });
  expect(card2.code).toBe('800.110.100');
  expect(whyOf(card2)).toContain(idOf(away));
  expect((await status(id)).body).toMatchObject({ id: idOf(away), result: { code: yes }, ndc: id });
});

test('paying by bank and card at the same time charges one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await counter.checkout();
    const away = await submit(id, transfer);
    const others = { ...card, shopperResultUrl: way };
    const work = [
      () => decide(away, 'pays'),
      () => submit(id, others),
      () => submit(id, { ...wallet, shopperResultUrl: way }),
    ];
    const turned = work.map((_, n) => work[(n + round) % work.length] as () => Promise<unknown>);
    await Promise.all(turned.map((each) => each()));
    expect(await approved(), `round ${round}`).toHaveLength(round + 1);
    expect((await status(id)).code).toBe(yes);
  }
});

test('the return from the bank leads to the checkout’s own result', async () => {
  const id = await counter.checkout({ shopperResultUrl: way });
  const { shopperResultUrl: _, ...sent } = transfer;
  const back = await decide(await submit(id, sent), 'pays');
  const to = new URL(back.headers.get('location') ?? '');
  expect(to.origin + to.pathname).toBe('https://shop.test/thanks');
  expect(Object.fromEntries(to.searchParams)).toEqual({ order: '7', id, resourcePath: `/v1/checkouts/${id}/payment` });
  expect((await status(id)).code).toBe(yes);
});

test('a payment with an uncertain result lets no other start', async () => {
  const id = await counter.checkout({ 'customParameters[forceResultCode]': '900.100.300' });
  const doubt = await submit(id, card);
  expect(doubt.code).toBe('900.100.300');
  const other = await submit(id, wallet);
  expect(other.code).toBe('800.110.100');
  expect(whyOf(other)).toContain('no certain ending');
  expect(await paymentsOf()).toHaveLength(1);
});

test('trying card after card is stopped', async () => {
  const id = await counter.checkout();
  for (let n = 0; n < 20; n += 1) {
    const no = await submit(id, {
      ...card,
      'card.number': '4200000000000001',
      'card.holder': `Jane ${'x'.repeat(n + 1)}`,
    });
    expect(no.code).toBe('100.100.101');
  }
  const stopped = await submit(id, card);
  expect(stopped).toMatchObject({ status: 429, code: '800.120.100' });
  expect(await paymentsOf()).toHaveLength(20);
});
