/** The widget over HTTP. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { widgetAssets, widgetIntegrity, widgetPages } from '../../../src/gateway/widget/pages.ts';

const requestPage = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const page = widgetPages.find(({ path: route }) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path));
  if (page === undefined) throw new Error(`no page for ${path}`);
  return page.handle(new Request(`http://gateway.test${path}`, init));
};

describe('the script', () => {
  test('has the hash that the shop gets, for every checkout', async () => {
    const bytes = Buffer.from(await (await requestPage('/v1/paymentWidgets.js')).arrayBuffer());
    expect(`sha384-${createHash('sha384').update(bytes).digest('base64')}`).toBe(widgetIntegrity());
  });

  test('is small: under 15.5 kB compressed', async () => {
    const response = await requestPage('/v1/paymentWidgets.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(15_500);
    expect(gunzipSync(bytes)).toEqual(widgetAssets().get('paymentWidgets.js')?.bytes);
  });

  test('is not sent again while unchanged', async () => {
    const etag = (await requestPage('/v1/paymentWidgets.js')).headers.get('etag') ?? '';
    expect((await requestPage('/v1/paymentWidgets.js', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await requestPage('/v1/paymentWidgets.js', { headers: { 'if-none-match': '"old"' } })).status).toBe(200);
  });

  test('may be loaded by any page, and evaluates no text', async () => {
    const response = await requestPage('/v1/paymentWidgets.js');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.text()).not.toMatch(/\beval\(|new Function|innerHTML|document\.write|setAttribute\(.style/);
  });
});

test('files are cached forever under names with their hash', async () => {
  const name = [...widgetAssets().keys()].find((each) => each.startsWith('de.'));
  const response = await requestPage(`/v1/paymentWidgets/${name}`);
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect(((await response.json()) as { payNow: string }).payNow).toBe('Jetzt bezahlen');
});

test.each(['manifest.json', 'paymentWidgets.js', '..%2f..%2fpackage.json', 'nothing.js', '%00', '__proto__'])(
  'there is no file %s',
  async (name) => expect((await requestPage(`/v1/paymentWidgets/${name}`)).status).toBe(404),
);

test.each(['/v1/paymentWidgets.js', '/v1/checkouts/A.b/card'])('%s can only be read', async (path) => {
  const response = await requestPage(path, { method: 'POST', body: 'card.number=1' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  const headResponse = await requestPage(path, { method: 'HEAD' });
  expect([headResponse.status, await headResponse.text()]).toEqual([200, '']);
});

test('the card’s frame is the same document for every address, with a policy of its own', async () => {
  const response = await requestPage('/v1/checkouts/%3Cscript%3E/card');
  const text = await response.text();
  expect(text).toBe(await (await requestPage('/v1/checkouts/0A1B.node/card')).text());
  expect(text).not.toMatch(/ style=| src=| href=/);
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "connect-src 'self'", "form-action 'none'", 'frame-ancestors *']) {
    expect(policy.split('; ')).toContain(part);
  }
  expect(policy).not.toContain('unsafe');
  for (const [tag, part] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const [, content = '', ...others] = text.split(new RegExp(`</?${tag}>`));
    // Nothing in it ends the element early.
    expect(others).toHaveLength(1);
    const hash = createHash('sha256').update(content).digest('base64');
    expect(policy.split('; ')).toContain(`${part} 'sha256-${hash}'`);
  }
});

test('the card’s frame is sent compressed to clients that accept it', async () => {
  const plainResponse = await requestPage('/v1/checkouts/0A1B.node/card');
  expect(plainResponse.headers.get('content-encoding')).toBeNull();
  const response = await requestPage('/v1/checkouts/0A1B.node/card', { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(gunzipSync(bytes).toString('utf8')).toBe(await plainResponse.text());
  expect(bytes.length).toBeLessThan(10_000);
});
