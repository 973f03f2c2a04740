/** /healthz, /readyz and /metrics over HTTP: only under this machine's names, and not for pages elsewhere. */
import { expect, test } from 'vitest';
import { healthApi } from '../../src/api/health.ts';
import type { Health } from '../../src/api/ports/health.ts';

const host = '127.0.0.1:8800';
const health: Health = {
  version: '1.2.3',
  unready: () => undefined,
  facts: () => ({
    mode: 'test',
    gateway: { online: true, since: 1 },
    terminals: { ready: 1, away: 0, unpaired: 0 },
    queue: { waiting: 2, parked: 0 },
    openItems: 0,
  }),
  figures: () => [
    { name: 'a_number', help: 'What it is', values: [{ value: 1.5 }] },
    { name: 'by_state', help: 'More', values: [{ labels: { state: 'x"\\\ny', of: 'z' }, value: 0 }] },
  ],
};
const ask = (path: string, init: RequestInit = {}, of: Partial<Health> = {}) => {
  const api = healthApi({ ...health, ...of }, { hosts: () => [host], headers: { 'x-frame-options': 'DENY' } });
  return api(new Request(`http://${host}${path}`, { ...init, headers: { host, ...init.headers } }));
};

test('a running till is alive and ready, and gives its facts on request', async () => {
  expect(await ask('/healthz')?.json()).toEqual({ status: 'ok' });
  const ready = ask('/readyz?verbose');
  expect(ready?.status).toBe(200);
  expect(await ready?.json()).toEqual({ status: 'ready', version: '1.2.3', ...health.facts() });
  expect(ready?.headers.get('cache-control')).toBe('no-store');
  expect(ready?.headers.get('x-frame-options')).toBe('DENY');
});

test('a till that is not ready says why, with its facts if there are any', async () => {
  const full = ask('/readyz', {}, { unready: () => 'The disk is full.' });
  expect(full?.status).toBe(503);
  expect(await full?.json()).toMatchObject({ status: 'unready', why: 'The disk is full.', queue: { waiting: 2 } });
  const none = ask('/readyz', {}, { unready: () => 'It is closed.', facts: () => undefined });
  expect(await none?.json()).toEqual({ status: 'unready', why: 'It is closed.', version: '1.2.3' });
});

test('figures are in the text format of Prometheus', async () => {
  const metrics = ask('/metrics');
  expect(metrics?.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await metrics?.text()).toBe(
    '# HELP a_number What it is\n# TYPE a_number gauge\na_number 1.5\n' +
      '# HELP by_state More\n# TYPE by_state gauge\nby_state{state="x\\"\\\\\\ny",of="z"} 0\n',
  );
});

test.each<[what: string, path: string, init: RequestInit, status: number | undefined]>([
  ['another name', '/readyz', { headers: { host: 'evil.example' } }, 403],
  ['another port', '/metrics', { headers: { host: '127.0.0.1:80' } }, 403],
  ['a page elsewhere', '/metrics', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['a page of another port', '/healthz', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
  ['its own page', '/healthz', { headers: { 'sec-fetch-site': 'same-origin' } }, 200],
  ['another method', '/readyz', { method: 'POST' }, 405],
  ['a HEAD request', '/readyz', { method: 'HEAD' }, 200],
  ['another path', '/readyz/', {}, undefined],
  ['the name of a property', '/constructor', {}, undefined],
  ['the page', '/', {}, undefined],
])('%s', async (_, path, init, status) => {
  const response = ask(path, init);
  expect(response?.status).toBe(status);
  if (init.method === 'HEAD') expect(await response?.text()).toBe('');
});
