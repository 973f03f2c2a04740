import { expect, test } from 'vitest';
import { type HealthParts, healthApp, type Stage } from '../../../../src/gateway/server/http/health.ts';

const build = (parts: Partial<HealthParts> = {}) => {
  const app = healthApp({
    currentStage: () => 'ready',
    storeReadiness: async () => undefined,
    metrics: async () => ({ text: 'a_metric 1\n', contentType: 'text/plain; version=0.0.4' }),
    ...parts,
  });
  const send = async (path: string, method = 'GET') => {
    const response = await app.fetch(new Request(`http://127.0.0.1${path}`, { method }));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { ask: send };
};

test.each<[Stage, number, RegExp]>([
  ['starting', 503, /is starting/],
  ['ready', 200, /"ready"/],
  ['stopping', 503, /is stopping/],
])('while %s it is alive, and /readyz answers %i', async (stage, status, pattern) => {
  const { ask: send } = build({ currentStage: () => stage });
  expect(await send('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect(await send('/readyz')).toMatchObject({ status, text: expect.stringMatching(pattern) });
});

test('returns the reason why the store is not ready', async () => {
  const { ask: send } = build({ storeReadiness: async () => 'The store accepts no writes: the disk is full.' });
  expect(await send('/readyz')).toMatchObject({
    status: 503,
    text: '{"status":"unready","why":"The store accepts no writes: the disk is full."}',
  });
  expect(await send('/healthz')).toMatchObject({ status: 200 });
});

test('/metrics is text, and other paths and methods are refused', async () => {
  const { ask: send } = build();
  const metrics = await send('/metrics');
  expect(metrics).toMatchObject({ status: 200, text: 'a_metric 1\n' });
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4');
  expect(metrics.headers.get('cache-control')).toBe('no-store');
  expect((await send('/v1/payments')).status).toBe(404);
  expect((await send('/__proto__')).status).toBe(404);
  expect((await send('/metrics', 'POST')).status).toBe(405);
});
