/** Access control of the local API: host name, origin, key, cookie and CSRF token. */
import { expect, test } from 'vitest';
import { type ApiPorts, localApi } from '../../src/api/app.ts';
import type { Program, Sessions } from '../../src/api/ports/session.ts';
import { START_CODE, scriptedSessions } from '../support/screens/stage.ts';

const HOST = '127.0.0.1:8800';
const POS_PAGE = 'https://pos.example';

const pos: Program = { program: 'POS', permissions: ['sell'], origins: [POS_PAGE] };
const script: Program = { program: 'Script', permissions: ['sell'], origins: [] };

const api = (partial: Partial<Sessions> = {}) => {
  const sessions: Sessions = {
    ...scriptedSessions(),
    program: (key) => (key === 'pos-key' ? pos : key === 'plain-key' ? script : undefined),
    isProgramOrigin: (origin) => origin === POS_PAGE,
    ...partial,
  };
  const requests: string[] = [];
  const selling = {
    counters: () => {
      requests.push('counters');
      return [];
    },
    cancel: () => {
      requests.push('cancel');
      return {};
    },
  };
  const events = { listen: () => () => {} };
  const services = { sessions, selling, events } as unknown as ApiPorts;
  const app = localApi(services, { hosts: () => [HOST, 'localhost:8800'] });
  const send = async (method: string, path: string, headers: Record<string, string>) => {
    const answer = await app.request(`http://${HOST}${path}`, { method, headers: { host: HOST, ...headers } });
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await answer.body?.cancel();
      return { status: answer.status, code: undefined, headers: answer.headers };
    }
    const { problem } = (await answer.json().catch(() => ({}))) as { problem?: { code: string } };
    return { status: answer.status, code: problem?.code, headers: answer.headers };
  };
  return { send, requests };
};

const cookie = { cookie: 'tillgate-8800=x' };

test.each<[host: string, code: string | undefined]>([
  [HOST, undefined],
  ['localhost:8800', undefined],
  ['127.0.0.1', 'request.foreign'],
  ['127.0.0.1:80', 'request.foreign'],
  ['localhost', 'request.foreign'],
  ['LOCALHOST:8800', 'request.foreign'],
  ['evil.example:8800', 'request.foreign'],
  ['localhost.evil.example:8800', 'request.foreign'],
  ['127.0.0.1.nip.io:8800', 'request.foreign'],
  ['[::1]:8800', 'request.foreign'],
  ['0.0.0.0:8800', 'request.foreign'],
  ['2130706433:8800', 'request.foreign'],
  ['', 'request.foreign'],
])('a request with the host %j', async (host, code) => {
  const { send, requests } = api();
  expect(await send('GET', '/api/counters', { ...cookie, host })).toMatchObject({ code });
  expect(requests).toEqual(code === undefined ? ['counters'] : []);
});

test.each<[origin: string, code: string | undefined]>([
  [`http://${HOST}`, undefined],
  ['http://localhost:8800', undefined],
  [`https://${HOST}`, 'request.foreign'],
  ['http://127.0.0.1:9000', 'request.foreign'],
  ['http://localhost', 'request.foreign'],
  ['null', 'request.foreign'],
  ['https://evil.example', 'request.foreign'],
  ['till://app', 'request.foreign'],
  ['file://', 'request.foreign'],
  // A program’s page uses its key, never a person’s session.
  [POS_PAGE, 'request.foreign'],
])('a page of %j', async (origin, code) => {
  const { send } = api();
  expect(await send('GET', '/api/counters', { ...cookie, origin })).toMatchObject({ code });
  expect(await send('POST', '/api/live/1/cancel', { ...cookie, origin, 'x-csrf-token': 'a-word' })).toMatchObject({
    code,
  });
});

test.each<[site: string, code: string | undefined]>([
  ['none', undefined],
  ['same-origin', undefined],
  ['same-site', 'request.foreign'],
  ['cross-site', 'request.foreign'],
])('an image or link on a page that is %s', async (site, code) => {
  const { send } = api();
  expect(await send('GET', '/api/counters', { ...cookie, 'sec-fetch-site': site })).toMatchObject({ code });
});

test.each<[what: string, headers: Record<string, string>, code: string | undefined]>([
  ['the session’s CSRF token', { 'x-csrf-token': 'a-word' }, undefined],
  ['no word', {}, 'request.foreign'],
  ['the CSRF token of an earlier session', { 'x-csrf-token': 'another' }, 'session.changed'],
])('a request that changes something, with %s', async (_, headers, code) => {
  const { send, requests } = api();
  expect(await send('POST', '/api/live/1/cancel', { ...cookie, ...headers })).toMatchObject({ code });
  expect(requests).toEqual(code === undefined ? ['cancel'] : []);
});

test.each<[key: string, origin: string | undefined, code: string | undefined]>([
  ['Bearer pos-key', undefined, undefined],
  ['bearer pos-key', undefined, undefined],
  ['Bearer plain-key', undefined, undefined],
  ['Bearer pos-key', POS_PAGE, undefined],
  ['Bearer plain-key', POS_PAGE, 'request.foreign'],
  ['Bearer pos-key', 'https://evil.example', 'request.foreign'],
  ['Bearer nobodys', undefined, 'session.needed'],
  ['Basic cG9zOmtleQ==', undefined, 'session.needed'],
  ['Bearer', undefined, 'session.needed'],
])('a program with %j from %j', async (authorization, origin, code) => {
  const { send } = api();
  // An unknown key is refused even with a valid session.
  const headers = { ...cookie, authorization, ...(origin !== undefined && { origin }) };
  expect(await send('POST', '/api/live/1/cancel', headers)).toMatchObject({ code });
});

test('a preflight for a program’s page is answered with the allowed headers and methods', async () => {
  const { send } = api();
  const ask = { origin: POS_PAGE, 'access-control-request-method': 'POST' };
  const { status, headers } = await send('OPTIONS', '/api/sales', ask);
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(POS_PAGE);
  expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  const other = await send('OPTIONS', '/api/sales', { ...ask, origin: 'https://evil.example' });
  expect(other.code).toBe('request.foreign');
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
});

test.each<[path: string, key: string, status: number]>([
  ['/api/counters', 'pos-key', 200],
  // These routes create their own response instead of using the context's.
  ['/api/events', 'pos-key', 200],
  ['/api/nowhere', 'pos-key', 404],
  ['/api/counters', 'plain-key', 403],
  ['/api/counters', 'nobodys', 401],
])('the answer of %s to a program’s page with %s can be read by that page', async (path, key, status) => {
  const { send } = api();
  const answer = await send('GET', path, { authorization: `Bearer ${key}`, origin: POS_PAGE });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('access-control-allow-origin')).toBe(POS_PAGE);
});

test.each(['/api/counters', '/api/nowhere', '/api/audit', '/api/events'])('%s needs a session', async (path) => {
  const { send, requests } = api({ of: () => undefined });
  expect(await send('GET', path, cookie)).toMatchObject({ status: 401, code: 'session.needed' });
  expect(requests).toEqual([]);
});

test.each<[method: string, path: string]>([
  ['GET', '/api/nowhere'],
  ['GET', '/api'],
  ['PATCH', '/api/counters'],
  ['DELETE', '/api/sales'],
  ['GET', '/api/sales/12345678901'],
  ['GET', '/api/../counters/x'],
])('%s %s is not a route', async (method, path) => {
  const { send } = api();
  expect(await send(method, path, { ...cookie, 'x-csrf-token': 'a-word' })).toMatchObject({ status: 404 });
});

test('the cookie is only sent to this site, and scripts cannot read it', async () => {
  const app = localApi({ sessions: scriptedSessions() } as unknown as ApiPorts, { hosts: () => [HOST] });
  const answer = await app.request(`http://${HOST}/api/session`, {
    method: 'POST',
    headers: { host: HOST, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Anna', pin: '4711' }),
  });
  expect(answer.headers.get('set-cookie')).toBe('tillgate-8800=cookie; Path=/; HttpOnly; SameSite=Strict');
  expect(await answer.json()).toMatchObject({ name: 'Anna', csrf: 'a-word' });
});

const nobodyKnown = () => {
  const sessions = scriptedSessions(undefined, { people: {} });
  // A browser without a cookie.
  const app = localApi({ sessions: { ...sessions, of: () => undefined } } as unknown as ApiPorts, {
    hosts: () => [HOST],
  });
  return (method: 'GET' | 'POST', path: string, code?: string) =>
    app.request(`http://${HOST}/api/${path}`, {
      method,
      headers: { host: HOST, 'content-type': 'application/json' },
      body: code === undefined ? undefined : JSON.stringify({ code }),
    });
};

test('a till without staff opens a nameless session for its start code, and for nothing else', async () => {
  const ask = nobodyKnown();
  const response = await ask('GET', 'session');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(await response.json()).toEqual({ shop: expect.anything(), staffKnown: false });
  const wrong = await ask('POST', 'session/code', 'guessed');
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([403, null]);
  expect(await wrong.json()).toMatchObject({ problem: { code: 'session.code' } });
  const right = await ask('POST', 'session/code', START_CODE);
  expect(right.headers.get('set-cookie')).toBe('tillgate-8800=cookie; Path=/; HttpOnly; SameSite=Strict');
  expect(await right.json()).toMatchObject({ csrf: 'a-word' });
  // A code in an address would end up in histories and logs.
  expect((await ask('POST', `session/code?code=${START_CODE}`)).status).toBe(400);
});

test('the cookie of another till on this machine gives no access', async () => {
  const { send } = api();
  for (const other of ['tillgate-8801=x', 'tillgate=x', 'tillgate-88000=x'])
    expect(await send('GET', '/api/counters', { cookie: other })).toMatchObject({
      status: 401,
      code: 'session.needed',
    });
  expect(await send('GET', '/api/counters', { cookie: 'tillgate-8801=y; tillgate-8800=x' })).toMatchObject({
    status: 200,
  });
});

test('no answer can be cached or shown as a page', async () => {
  const { send } = api();
  for (const path of ['/api/counters', '/api/nowhere']) {
    const { headers } = await send('GET', path, cookie);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});
