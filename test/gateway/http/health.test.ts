import { expect, test } from 'vitest';
import { Fault } from '../../../src/base/fault.ts';
import { type HealthParts, healthApp, type Stage } from '../../../src/gateway/http/health.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const build = (parts: Partial<HealthParts> = {}) => {
  const clock = virtualClock();
  const app = healthApp({
    clock,
    stage: () => 'ready',
    ping: async () => {},
    metrics: async () => ({ text: 'a_metric 1\n', contentType: 'text/plain; version=0.0.4' }),
    ...parts,
  });
  const ask = async (path: string, method = 'GET') => {
    const response = await app.fetch(new Request(`http://127.0.0.1${path}`, { method }));
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return { clock, ask };
};

test.each<[Stage, number, RegExp]>([
  ['starting', 503, /is starting/],
  ['ready', 200, /"ready"/],
  ['stopping', 503, /is stopping/],
])('while %s it is alive, and /readyz says %i', async (stage, status, words) => {
  const { ask } = build({ stage: () => stage });
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect(await ask('/readyz')).toMatchObject({ status, text: expect.stringMatching(words) });
});

test('a store that fails makes it unready, and its reason is told to nobody', async () => {
  const { ask } = build({
    ping: async () => {
      throw new Fault('gateway.state', { why: 'no route to database.example, user shop' });
    },
  });
  const { status, text } = await ask('/readyz');
  expect([status, text]).toEqual([503, '{"status":"unready","why":"The store does not answer."}']);
});

test('a store that hangs is asked once, however often somebody looks, and anew when it has answered', async () => {
  let asked = 0;
  let answer = () => {};
  const { clock, ask } = build({
    pingMs: 2_000,
    ping: () => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const first = [ask('/readyz'), ask('/readyz')];
  await clock.advance(1_999);
  const later = ask('/readyz');
  await clock.advance(2_000);
  expect((await Promise.all([...first, later])).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(asked).toBe(1);
  answer();
  await clock.settle();
  const again = ask('/readyz');
  await clock.settle();
  answer();
  expect((await again).status).toBe(200);
  expect(asked).toBe(2);
  expect(clock.waiting()).toBe(0);
});

test('/metrics is text, and other paths and methods are refused', async () => {
  const { ask } = build();
  const metrics = await ask('/metrics');
  expect(metrics).toMatchObject({ status: 200, text: 'a_metric 1\n' });
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4');
  expect(metrics.headers.get('cache-control')).toBe('no-store');
  expect((await ask('/v1/payments')).status).toBe(404);
  expect((await ask('/__proto__')).status).toBe(404);
  expect((await ask('/metrics', 'POST')).status).toBe(405);
});
