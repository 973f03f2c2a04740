/** Which sales a list shows to whom, and who may turn training on. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from '../../src/api/actor.ts';
import type { SignedIn } from '../../src/api/contract/session.ts';
import type { SellingPort } from '../../src/api/ports/selling.ts';
import type { Actor, Sessions } from '../../src/api/ports/session.ts';
import { answerProblem } from '../../src/api/problems.ts';
import { sellingRoutes } from '../../src/api/routes/selling.ts';
import { Fault } from '../../src/base/fault.ts';

const anna: Actor = { name: 'Anna', role: 'cashier', permissions: ['sell'] };
const boss: Actor = { name: 'Bert', role: 'manager', permissions: ['sell', 'seeAll'] };
const kiosk: Actor = { program: 'kiosk', permissions: ['sell'] };
const nobody: Actor = { permissions: ['sell'] };

/** A service that records its requests. */
const openRoutes = (actor: Actor, session?: SignedIn) => {
  const calls: unknown[] = [];
  const service = {
    sales(ask: unknown) {
      calls.push(ask);
      return { rows: [], from: 0, total: 0 };
    },
    train: async (token: string, on: boolean) => {
      calls.push([token, on]);
      return { training: on };
    },
  } as unknown as SellingPort;
  const app = new Hono<Env>();
  app.use('*', async (context, next) => {
    context.set('actor', actor);
    if (session !== undefined) {
      context.set('session', session);
      context.set('token', 'word');
    }
    await next();
  });
  app.route('/', sellingRoutes(service, { spendOverride: () => undefined } as unknown as Sessions));
  app.onError(answerProblem);
  return { app, calls };
};

test.each<[string, Actor, string, string | undefined]>([
  ['a cashier', anna, '/sales', 'Anna'],
  ['a cashier who names another', anna, '/sales?cashier=Bert', 'Anna'],
  ['a cashier who searches for one sale', anna, '/sales?search=000012', 'Anna'],
  ['a cashier with an empty search', anna, '/sales?search=%20', 'Anna'],
  ['a manager', boss, '/sales', undefined],
  ['a manager who names one', boss, '/sales?cashier=Anna', 'Anna'],
  ['a program', kiosk, '/sales', 'kiosk'],
  ['a till without staff', nobody, '/sales', undefined],
])('the list for %s has only the sales that they may see', async (_, actor, path, cashier) => {
  const { app, calls } = openRoutes(actor);
  expect((await app.request(path)).status).toBe(200);
  const [ask] = calls as [{ cashier?: string }];
  expect(ask.cashier).toBe(cashier);
});

const signedIn: SignedIn = { ...anna, csrf: 'x', lockAfterMs: 1 };
test.each<[string, Actor, SignedIn | undefined, number]>([
  ['a session', anna, signedIn, 200],
  ['a program, which has none', kiosk, undefined, 404],
  ['a program in a person’s browser', kiosk, signedIn, 404],
  ['a person who may not sell', { name: 'Tom', permissions: [] }, signedIn, 403],
])('training for %s', async (_, actor, session, status) => {
  const { app, calls } = openRoutes(actor, session);
  const answer = await app.request('/training', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on: true }),
  });
  expect(answer.status).toBe(status);
  expect(calls).toEqual(status === 200 ? [['word', true]] : []);
});

test.each([
  ['/sales', { amount: { amount: '12.50', currency: 'EUR' } }],
  ['/sales/7/refund', {}],
])(
  'POST %s waits for the terminal before it starts, and starts nothing if the client has disconnected',
  async (path, expected) => {
    const actor: Actor = { permissions: ['sell', 'refund'] };
    let startedAt = 0;
    let leftCount = 0;
    let waiting = Promise.withResolvers<{ free: PromiseWithResolvers<void> }>();
    const begin = async () => {
      startedAt += 1;
      return { id: 'a' };
    };
    const service = {
      ...{ begin, follow: begin },
      turn(_: unknown, signal: AbortSignal | undefined) {
        const free = Promise.withResolvers<void>();
        signal?.addEventListener('abort', () => free.reject(new Fault('terminal.busy', { command: 'a card' })));
        waiting.resolve({ free });
        return free.promise.then(() => () => {
          leftCount += 1;
        });
      },
    } as unknown as SellingPort;
    const app = new Hono<Env>();
    app.use('*', async (context, next) => {
      context.set('actor', actor);
      await next();
    });
    app.route('/', sellingRoutes(service, { spendOverride: () => undefined } as unknown as Sessions));
    app.onError(answerProblem);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-00001' };
    const ask = (signal: AbortSignal) =>
      app.request(path, { method: 'POST', headers, body: JSON.stringify(expected), signal });

    const firstAsk = ask(new AbortController().signal);
    const first = await waiting.promise;
    expect(startedAt).toBe(0);
    first.free.resolve();
    expect([(await firstAsk).status, startedAt, leftCount]).toEqual([201, 1, 1]);

    waiting = Promise.withResolvers();
    const leaves = new AbortController();
    const secondAsk = ask(leaves.signal);
    await waiting.promise;
    leaves.abort();
    expect([(await secondAsk).status, startedAt]).toEqual([409, 1]);
  },
);

test('a request whose answer was lost is answered again, although its approval is used up', async () => {
  const salesByKey = new Map<string, object>();
  const calls: unknown[] = [];
  const sale = { id: 'a', receipt: 7 };
  const service = {
    repeated: (_: unknown, { program, name }: Actor, key: string) => salesByKey.get(`${program ?? name} ${key}`),
    async follow(_: unknown, { program, name }: Actor, key: string) {
      calls.push(name);
      salesByKey.set(`${program ?? name} ${key}`, sale);
      return sale;
    },
  } as unknown as SellingPort;
  const app = new Hono<Env>();
  app.use('*', async (context, next) => {
    context.set('actor', { program: 'kiosk', permissions: [] });
    await next();
  });
  const approvals = ['one'];
  const spendOverride = (approval: string): Actor | undefined =>
    approvals.splice(0, 1)[0] === approval ? { name: 'Bert', permissions: ['refund'] } : undefined;
  app.route('/', sellingRoutes(service, { spendOverride } as unknown as Sessions));
  app.onError(answerProblem);
  const refund = (key: string, approval: string) =>
    app.request('/sales/7/refund', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-override': approval },
      body: '{}',
    });
  for (const approval of ['one', 'one', 'none']) {
    const answer = await refund('key-00001', approval);
    expect([answer.status, await answer.json()]).toEqual([201, sale]);
  }
  expect((await refund('key-00002', 'one')).status).toBe(403);
  expect(calls).toEqual(['Bert']);
});
