/** The demonstration shop without a browser: what strangers may write into its addresses, forms and cookies. */
import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../src/base/code-meanings.ts';
import { resultCodes } from '../../src/gateway/spec/results.ts';
import { basketOf, basketText, changeQuantity, resultPage, totalOf } from '../../src/shop/pages.ts';
import { openShop } from '../../src/shop/shop.ts';

// Nothing listens there: any query stays without an answer.
const gateway = { baseUrl: 'http://127.0.0.1:9/', entityId: '0'.repeat(32), token: 'token' };
const shop = openShop({ gateway, address: () => 'http://127.0.0.1:8090/', locale: 'en' });

const requestShop = (path: string, init: RequestInit = {}): Promise<Response> =>
  shop.fetch(new Request(`http://127.0.0.1:8090${path}`, init));

test.each([
  '/v1/payments/1',
  '//other.example/v1/checkouts/1/payment',
  '/v1/checkouts/../../x/payment',
  '',
  'http://x/',
])('queries no result for %s', async (resourcePath) => {
  expect((await requestShop(`/result?resourcePath=${encodeURIComponent(resourcePath)}`)).status).toBe(400);
});

test('a gateway that does not answer is no payment, and the page reloads', async () => {
  const response = await requestShop(`/result?resourcePath=${encodeURIComponent('/v1/checkouts/1.a/payment')}`);
  expect(response.headers.get('refresh')).toBe('3');
  expect(await response.text()).toContain('Waiting for the bank');
});

test('it is paid if the gateway says so, and nothing was charged only if no money moved', async () => {
  const titles = { approved: 'Paid', pending: 'Waiting for the bank', unknown: 'Waiting for the bank' } as const;
  for (const { code } of resultCodes) {
    const html = await resultPage({ result: { code, description: '' } }).text();
    const meaning = meaningOf(code);
    const title = meaning in titles ? titles[meaning as keyof typeof titles] : 'Not paid';
    expect(html, code).toContain(`<title>${title}`);
    expect(html.includes('Nothing was charged'), code).toBe(title === 'Not paid');
  }
});

test('without an answer no checkout is opened', async () => {
  const body = new URLSearchParams({ locale: 'de', flow: 'all' });
  const response = await requestShop('/pay', { method: 'POST', body, headers: { cookie: 'basket=tea-1' } });
  expect(response.status).toBe(502);
});

test.each(['/', '/basket', '/pay?id=x', '/nothing'])('%s contains no script and nothing inline', async (path) => {
  const response = await requestShop(path, { headers: { cookie: 'basket=tea-2.cup-1; locale="><script>; flow=<b>' } });
  const html = await response.text();
  expect(html).not.toMatch(/<script|style=|<b>/);
  expect(html).toContain('<link rel="icon" href="data:');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'self'; img-src data:; form-action/,
  );
});

describe('the basket', () => {
  test('contains what its text says, without unknown goods', () => {
    expect(basketText(basketOf('tea-2.gold-1.cup-0.cup-x.cloth-1'))).toBe('tea-2.cloth-1');
    expect(totalOf(basketOf('tea-2.cup-1'))).toBe(2 * 1290 + 2400);
  });

  test('holds at most nine of each, and drops zero', () => {
    expect(basketText(changeQuantity(basketOf('tea-9'), 'tea', 1))).toBe('tea-9');
    expect(basketText(changeQuantity(basketOf('tea-1'), 'tea', -1))).toBe('');
    expect(basketText(changeQuantity(basketOf(''), 'gold', 1))).toBe('');
  });
});
