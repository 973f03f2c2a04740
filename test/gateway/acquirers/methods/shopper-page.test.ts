import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { shopperPage, shopperPagePath } from '../../../../src/gateway/acquirers/simulator/methods/shopper-decision.ts';
import { acquirer, memory, NOW } from '../shop-counter.ts';
import { pendingRooms, purseBalances, type RequestParts, request } from './counter.ts';

const HOST = 'https://pay.example';
const GOOD = 'DE23100000001234567890';

const openBankPage = async (parameters: Record<string, string> = {}, parts: RequestParts = {}) => {
  const records = memory();
  const issuer = acquirer({ memory: records });
  const authorisation = request(
    'bankAccount',
    { iban: GOOD, shopperResultUrl: 'https://shop.example/back', ...parameters },
    { brand: 'SOFORTUEBERWEISUNG', ...parts },
  );
  const { redirect } = await issuer.authorise(authorisation);
  const handle = shopperPage(pendingRooms(records));
  const url = `${HOST}${redirect?.url}`;
  const post = (body: string, headers: Record<string, string> = {}) =>
    handle(
      new Request(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    );
  const resultCode = async () => (await issuer.inquire(authorisation.id, NOW))?.resultCode;
  return { memory: records, id: authorisation.id, handle, url, get: () => handle(new Request(url)), post, resultCode };
};

test('the page names the shop and the amount, and works without a script', async () => {
  const { get, id } = await openBankPage({}, { minor: 123_456n });
  const response = await get();
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('<dd>shop.example</dd>');
  expect(html).toContain('1234.56 EUR');
  expect(html).toContain('<form method="post">');
  expect(html).toMatch(/<button[^>]* name="decision" value="pays">/);
  expect(html).toMatch(/<button[^>]* name="decision" value="refuses">/);
  expect(html).not.toMatch(/<script|javascript:|\son\w+=/i);
  expect(html).not.toContain(GOOD);
  expect(shopperPagePath.replace(':id', id)).toBe(`/v1/simulators/bank/${id}`);
});

test('the policy allows this page’s style and the return address, and nothing else', async () => {
  const response = await (await openBankPage()).get();
  const html = await response.text();
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  // Without an icon the browser requests /favicon.ico, which the page's policy refuses.
  expect(html).toContain('<link rel="icon" href="data:');
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; ` +
      `form-action 'self' https: http:; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test.each([
  ['pays', '000.100.110', 9_999_987_500n],
  ['refuses', '100.396.101', 10_000_000_000n],
])('%s ends the payment, and the shopper returns by GET', async (decision, code, remaining) => {
  const { memory, id, post, resultCode } = await openBankPage();
  const response = await post(`decision=${decision}`, { 'sec-fetch-site': 'same-origin' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(
    `https://shop.example/back?id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}`,
  );
  expect(await resultCode()).toBe(code);
  expect(purseBalances(memory)).toEqual([remaining]);
});

test('the listener learns of the ending before the shopper is back', async () => {
  const { memory, id, url } = await openBankPage();
  const received: string[] = [];
  const handle = shopperPage(pendingRooms(memory), async (paymentId) => {
    received.push(`${paymentId} ${(await pendingRooms(memory).ledger.read('outcome', paymentId))?.answer.resultCode}`);
  });
  await handle(new Request(url));
  expect(received).toEqual([]);
  await handle(new Request(url, { method: 'POST', body: 'decision=pays' }));
  expect(received).toEqual([`${id} 000.100.110`]);
});

test('a second click changes nothing and also leads back', async () => {
  const { post, resultCode } = await openBankPage();
  const [first, second] = [await post('decision=pays'), await post('decision=refuses')];
  expect(second.status).toBe(303);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(await resultCode()).toBe('000.100.110');
});

describe('the return address', () => {
  test.each([
    [
      'keeps its own query',
      'https://shop.example/back?order=7',
      {},
      '?order=7&id=ID&resourcePath=%2Fv1%2Fpayments%2FID',
    ],
    [
      'is that of the checkout, if one is named',
      'https://shop.example/back',
      { 'simulator.resourcePath': '/v1/checkouts/8AC7.uat01/payment' },
      '?id=8AC7.uat01&resourcePath=%2Fv1%2Fcheckouts%2F8AC7.uat01%2Fpayment',
    ],
  ])('%s', async (_, shopperResultUrl, parameters, query) => {
    const { id, post } = await openBankPage({ shopperResultUrl, ...parameters });
    const location = (await post('decision=pays')).headers.get('location');
    expect(location).toBe(`https://shop.example/back${query.replaceAll('ID', id)}`);
  });
});

describe('requests that decide nothing', () => {
  test.each<[title: string, body: string, headers: Record<string, string>]>([
    ['a shopper sent here by POST', '', {}],
    ['the parameters of another form', 'MD=1&PaReq=2', {}],
    ['another word', 'decision=leaves', {}],
    ['a form of another site', 'decision=pays', { 'sec-fetch-site': 'cross-site' }],
    ['a form of a neighbouring site', 'decision=pays', { 'sec-fetch-site': 'same-site' }],
  ])('%s', async (_, body, headers) => {
    const { post, resultCode } = await openBankPage();
    const response = await post(body, headers);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Yes, pay');
    expect(await resultCode()).toBe('000.200.000');
  });

  test('an endless body is not read completely', async () => {
    const { handle, url, resultCode } = await openBankPage();
    let readCount = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        readCount += 1;
        controller.enqueue(new Uint8Array(1024).fill(97));
      },
    });
    const response = await handle(new Request(url, { method: 'POST', body: endless, duplex: 'half' } as RequestInit));
    expect(response.status).toBe(413);
    expect(readCount).toBeLessThan(10);
    expect(await resultCode()).toBe('000.200.000');
  });
});

test.each(['neverseen', 'a%2Fb', '..%2f..%2fetc', `${'9'.repeat(65)}`, '%3Cscript%3E', ''])(
  'no payment waits under “%s”, and the page explains that',
  async (id) => {
    const { handle } = await openBankPage();
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: 'decision=pays' } : {};
      const response = await handle(new Request(`${HOST}/v1/simulators/bank/${id}`, { method, ...body }));
      const html = await response.text();
      expect(response.status).toBe(404);
      expect(html).toContain('No payment waits here');
      expect(html).not.toContain('<script>');
    }
  },
);

test('a payment that has ended is not asked about again', async () => {
  const { get, post } = await openBankPage();
  await post('decision=refuses');
  expect((await get()).status).toBe(404);
});

test('other methods are refused', async () => {
  const { handle, url } = await openBankPage();
  const response = await handle(new Request(url, { method: 'DELETE' }));
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
});

test('a shop’s name is escaped, whatever it contains', async () => {
  const { get } = await openBankPage({ 'merchant.name': `<img src=x onerror=alert(1)> & "Sons" 'Ltd'` });
  const html = await (await get()).text();
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Sons&quot; &#39;Ltd&#39;');
  expect(html).not.toContain('<img');
});
