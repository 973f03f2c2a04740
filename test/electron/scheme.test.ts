/** Requests of the page over the till's socket: what is passed on, what is returned, and the answers without a till. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cookieFile, cookieJar } from '../../electron/cookie-jar.ts';
import { answer, type TillProxy } from '../../electron/scheme.ts';
import type { Clock } from '../../src/base/clock.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const proxyTo = (fetch: TillProxy['fetch'], clock: Clock = virtualClock()): TillProxy => ({
  fetch,
  clock,
  cookies: cookieJar(),
  ownPage: async () => undefined,
  silence: () => new AbortController().signal,
  code: 'code-of-this-start',
});

const ask = (path: string, init?: RequestInit): Request => new Request(`till://app${path}`, init);

describe('what is passed on', () => {
  test('path, query, method, body and headers, with our origin in place of theirs', async () => {
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

  test('the session’s cookie stays here, and is sent with every later request', async () => {
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

/** A till without staff that lets in anyone with the code of its start. */
const tillWithoutPeople = (right: string) => {
  const requests: string[] = [];
  let opened = 0;
  const fetch: TillProxy['fetch'] = async (path, { method, headers, body }) => {
    const cookie = new Headers(headers).get('cookie');
    requests.push(`${method} ${path} ${cookie}`);
    if (path !== '/api/session/code')
      return Response.json({ staffKnown: false, signedIn: cookie === `tillgate=${opened}` ? {} : undefined });
    expect(new Headers(headers).get('origin')).toBe('till://app');
    if (JSON.parse(String(body)).code !== right) return Response.json({}, { status: 403 });
    opened += 1;
    return Response.json({}, { headers: { 'set-cookie': `tillgate=${opened}; Path=/` } });
  };
  const restart = (): void => {
    opened += 1;
  };
  return { fetch, requests, restart };
};

describe('a till without staff', () => {
  const readSession = async (proxy: TillProxy) => (await answer(ask('/api/session'), proxy)).json();

  test('is opened by the window that started it, and again after its process was restarted', async () => {
    const till = tillWithoutPeople('code-of-this-start');
    const proxy = proxyTo(till.fetch);
    expect(await readSession(proxy)).toEqual({ staffKnown: false, signedIn: {} });
    expect(await readSession(proxy)).toMatchObject({ signedIn: {} });
    till.restart();
    expect(await readSession(proxy)).toMatchObject({ signedIn: {} });
    expect(till.requests.filter((line) => line.includes('code'))).toEqual([
      'POST /api/session/code null',
      'POST /api/session/code tillgate=1',
    ]);
  });

  test('that refuses the code is not asked again and again', async () => {
    const till = tillWithoutPeople('another');
    expect(await readSession(proxyTo(till.fetch))).toEqual({ staffKnown: false });
    expect(till.requests).toHaveLength(2);
  });

  test('is not a till with staff', async () => {
    const requests: string[] = [];
    const proxy = proxyTo(async (path) => {
      requests.push(path);
      return Response.json({ staffKnown: true });
    });
    expect(await readSession(proxy)).toEqual({ staffKnown: true });
    expect(requests).toEqual(['/api/session']);
  });
});

const jars: readonly [name: string, set: string[], header: string | undefined][] = [
  ['one', ['tillgate=abc; Path=/'], 'tillgate=abc'],
  ['the newer one', ['tillgate=abc', 'tillgate=def'], 'tillgate=def'],
  ['one that expired', ['tillgate=abc', 'tillgate=; Max-Age=0'], undefined],
  ['one that expired at once', ['tillgate=abc; max-age=0'], undefined],
  ['a value with =', ['tillgate=a=b'], 'tillgate=a=b'],
  ['no cookie', ['nonsense', '=x'], undefined],
];

test.each(jars)('the jar keeps %s', (_, set, header) => {
  const jar = cookieJar();
  jar.take(set);
  expect(jar.header()).toBe(header);
});

test('a persistent cookie is available to the next window, a session cookie is not', () => {
  let saved: Readonly<Record<string, string>> = {};
  const store = {
    load: () => saved,
    save(cookies: Record<string, string>) {
      saved = cookies;
    },
  };
  cookieJar(store).take(['tillgate=abc', 'tillgate-browser=def; Max-Age=34560000; HttpOnly']);
  expect(cookieJar(store).header()).toBe('tillgate-browser=def');
  cookieJar(store).take(['tillgate-browser=; Max-Age=0']);
  expect(cookieJar(store).header()).toBeUndefined();
});

test('persistent cookies are in a file of the app that only its user can read; an unreadable file counts as empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cookies-'));
  try {
    const store = cookieFile(join(folder, 'app'));
    expect(store.load()).toEqual({});
    store.save({ 'tillgate-browser': 'def' });
    expect(cookieFile(join(folder, 'app')).load()).toEqual({ 'tillgate-browser': 'def' });
    const file = join(folder, 'app', 'cookies.json');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{');
    expect(store.load()).toEqual({});
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('what is returned', () => {
  test('a stream is passed on as it arrives: the event stream never ends', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const proxy = proxyTo(async () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } }));
    const response = await answer(ask('/api/events'), proxy);
    const reader = response.body?.getReader();
    const writer = writable.getWriter();
    void writer.write(Buffer.from('event: line\n\n'));
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('event: line\n\n');
    await Promise.all([writer.close(), reader?.read()]);
  });

  test('pages and event streams of a silent till are not waited for, sales are', async () => {
    const silence = new AbortController();
    const signals: (AbortSignal | null | undefined)[] = [];
    const proxy: TillProxy = {
      ...proxyTo(async (_, { signal }) => {
        signals.push(signal);
        return new Response('');
      }),
      silence: () => silence.signal,
    };
    await answer(ask('/api/events', { headers: { accept: 'text/event-stream' } }), proxy);
    await answer(ask('/manager'), proxy);
    await answer(ask('/api/sales', { method: 'POST', body: '{}' }), proxy);
    silence.abort();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, false]);
  });

  test.each([
    ['the API', '/api/line', 503, 'till.away'],
    ['the page', '/', 200, 'The till is starting'],
    ['a place of the page', '/manager/today', 200, 'http-equiv="refresh"'],
  ])('while the till is away %s says so', async (_, path, status, text) => {
    const proxy = proxyTo(async () => {
      throw new Error('connect ENOENT');
    });
    const response = await answer(ask(path), proxy);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  test('shows the shell’s own page meanwhile', async () => {
    let isSilent = false;
    const proxy: TillProxy = {
      ...proxyTo(async () => {
        isSilent = true;
        throw new Error('aborted');
      }),
      ownPage: async () => (isSilent ? new Response('it does not answer') : undefined),
    };
    expect(await (await answer(ask('/'), proxy)).text()).toBe('it does not answer');
  });

  test('a part of the page waits until the till is back', async () => {
    const clock = virtualClock();
    let attempts = 0;
    const proxy = proxyTo(async () => {
      attempts += 1;
      if (attempts < 4) throw new Error('connect ENOENT');
      return new Response('export {}');
    }, clock);
    const withPage = { ...proxy, ownPage: async () => new Response('it does not answer') };
    const part = await clock.until(answer(ask('/assets/first-C0ffee.js'), withPage));
    expect([await part.text(), attempts]).toEqual(['export {}', 4]);
  });

  test.each([
    ['whose request was aborted', 'aborted', 1],
    ['for ever', 'waits', 600],
  ])('requests no part %s', async (_, fault, most) => {
    const clock = virtualClock();
    const controller = new AbortController();
    let attempts = 0;
    const proxy = proxyTo(async () => {
      attempts += 1;
      if (fault === 'aborted') controller.abort();
      throw new Error('connect ENOENT');
    }, clock);
    const part = await clock.until(answer(ask('/logo.svg', { signal: controller.signal }), proxy));
    expect(part.status).toBe(503);
    expect(attempts).toBeGreaterThan(most - 2);
    expect(attempts).toBeLessThan(most + 2);
  });

  test('another host of the scheme is not found', async () => {
    const proxy = proxyTo(async () => new Response('secret'));
    expect((await answer(new Request('till://elsewhere/api/session'), proxy)).status).toBe(404);
  });
});
