/** Requests of the page over the till's socket: what goes along, what comes back, what is said when nobody answers. */
import { describe, expect, test } from 'vitest';
import { cookieJar } from '../../electron/cookie-jar.ts';
import { answer, type TillProxy } from '../../electron/scheme.ts';

const proxyTo = (fetch: TillProxy['fetch']): TillProxy => ({
  fetch,
  cookies: cookieJar(),
  ownPage: async () => undefined,
});

const ask = (path: string, init?: RequestInit): Request => new Request(`till://app${path}`, init);

describe('what goes along', () => {
  test('path, query, method, body and headers, with our origin and without theirs', async () => {
    let seen: { path: string; request: RequestInit } | undefined;
    const proxy = proxyTo(async (path, request) => {
      seen = { path, request };
      return Response.json({ ok: true });
    });
    const headers = { origin: 'https://evil.example', cookie: 'tillgate=stolen', 'x-csrf-token': 'a-word' };
    await answer(ask('/api/sales?from=3', { method: 'POST', body: '{"a":1}', headers }), proxy);
    const sent = new Headers(seen?.request.headers);
    expect(seen?.path).toBe('/api/sales?from=3');
    expect(seen?.request.method).toBe('POST');
    expect(await new Response(seen?.request.body as ReadableStream).text()).toBe('{"a":1}');
    expect([sent.get('origin'), sent.get('cookie'), sent.get('x-csrf-token')]).toEqual(['till://app', null, 'a-word']);
  });

  test('the session’s cookie stays here, and goes with every request after it', async () => {
    const cookies: (string | null)[] = [];
    const proxy = proxyTo(async (_, request) => {
      cookies.push(new Headers(request.headers).get('cookie'));
      return new Response('{}', { headers: { 'set-cookie': 'tillgate=abc; HttpOnly; SameSite=Strict; Path=/' } });
    });
    const first = await answer(ask('/api/session'), proxy);
    await answer(ask('/api/line'), proxy);
    expect(first.headers.get('set-cookie')).toBeNull();
    expect(cookies).toEqual([null, 'tillgate=abc']);
  });
});

const jars: readonly [name: string, set: string[], header: string | undefined][] = [
  ['one', ['tillgate=abc; Path=/'], 'tillgate=abc'],
  ['the newer one', ['tillgate=abc', 'tillgate=def'], 'tillgate=def'],
  ['one that is over', ['tillgate=abc', 'tillgate=; Max-Age=0'], undefined],
  ['one that never lived', ['tillgate=abc; max-age=0'], undefined],
  ['a value with =', ['tillgate=a=b'], 'tillgate=a=b'],
  ['no cookie', ['nonsense', '=x'], undefined],
];

test.each(jars)('the jar keeps %s', (_, set, header) => {
  const jar = cookieJar();
  jar.take(set);
  expect(jar.header()).toBe(header);
});

describe('what comes back', () => {
  test('a stream as it comes: the event stream never ends', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const proxy = proxyTo(async () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } }));
    const response = await answer(ask('/api/events'), proxy);
    const reader = response.body?.getReader();
    const writer = writable.getWriter();
    void writer.write(Buffer.from('event: line\n\n'));
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('event: line\n\n');
    await Promise.all([writer.close(), reader?.read()]);
  });

  test.each([
    ['the API', '/api/line', 503, 'till.away'],
    ['the page', '/', 200, 'The till is starting'],
    ['a place of the page', '/manager/today', 200, 'http-equiv="refresh"'],
  ])('while the till is away %s says so', async (_, path, status, words) => {
    const proxy = proxyTo(async () => {
      throw new Error('connect ENOENT');
    });
    const response = await answer(ask(path), proxy);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(words);
  });

  test('another host of the scheme is nobody', async () => {
    const proxy = proxyTo(async () => new Response('secret'));
    expect((await answer(new Request('till://elsewhere/api/session'), proxy)).status).toBe(404);
  });
});
