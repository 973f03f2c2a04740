/** Who sees whose sales: lists show a person's own sales; whoever may refund can open any single sale by its number. */
import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import type { Env } from '../../src/api/actor.ts';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import { permissionsOf } from '../../src/api/contract/roles.ts';
import { liveViewOf } from '../../src/api/own-sales.ts';
import type { PaperPort } from '../../src/api/ports/paper.ts';
import type { Actor, Sessions } from '../../src/api/ports/session.ts';
import { answerProblem } from '../../src/api/problems.ts';
import { eventsRoutes } from '../../src/api/routes/events.ts';
import { paperRoutes } from '../../src/api/routes/paper.ts';
import { sellingRoutes } from '../../src/api/routes/selling.ts';
import { openEvents } from '../../src/app/events.ts';
import { type ScriptedSelling, scriptedSelling } from '../support/screens/scripted/selling.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const anna: Actor = { name: 'Anna', role: 'cashier', permissions: permissionsOf('cashier') };
const ben: Actor = { name: 'Ben', role: 'cashier', permissions: permissionsOf('cashier') };
const waiter: Actor = { name: 'Zoe', permissions: ['sell'] };
const max: Actor = { name: 'Max', role: 'manager', permissions: permissionsOf('manager') };
const tess: Actor = { name: 'Tess', role: 'technician', permissions: permissionsOf('technician') };
const kiosk: Actor = { program: 'kiosk', permissions: ['sell', 'refund'] };
const nobody: Actor = { permissions: ['sell'] };

const events = openEvents(() => {});
let selling: ScriptedSelling;
beforeEach(() => {
  // All sales are Anna's.
  selling = scriptedSelling({ mode: 'live', events, clock: () => 0, pastCount: 5 });
});

/** A manager's approval is valid once. */
const openClient = (actor: Actor) => {
  const approvals = new Set(['approved']);
  const sessions = {
    spendOverride: (approval: string, permission: string) =>
      approvals.delete(approval) ? { name: 'Max', permissions: [permission] } : undefined,
    whenEnded: () => () => {},
    program: () => actor,
  } as unknown as Sessions;
  const paper = {
    receipt: async () => ({ type: 'text/plain', name: 'r.txt', body: 'x' }),
    print: async () => ({}),
  } as unknown as PaperPort;
  const app = new Hono<Env>();
  app.use('*', async (c, next) => {
    c.set('actor', actor);
    await next();
  });
  const stream = { clock: virtualClock(), devices: { trace: () => () => {} } };
  app.route('/', paperRoutes(paper, sessions, selling));
  app.route('/', sellingRoutes(selling, sessions));
  app.route('/', eventsRoutes({ ...stream, events, selling, sessions }));
  app.onError(answerProblem);
  return async (method: string, path: string, body?: object, extraHeaders: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/json', ...extraHeaders };
    const answer = await app.request(path, { method, headers, body: body && JSON.stringify(body) });
    return { status: answer.status, answer };
  };
};

const one: [string, string, object?][] = [
  ['GET', '/sales/3'],
  ['GET', '/sales/3/receipt'],
  ['POST', '/sales/3/print', {}],
];
test.each<[string, Actor, boolean, number]>([
  ['whoever made it', anna, true, 200],
  ['a colleague who may refund it', ben, false, 200],
  ['a colleague who has opened too many', ben, true, 403],
  ['a colleague who may not refund it', waiter, false, 403],
  ['a manager', max, true, 200],
  ['a technician', tess, true, 200],
  ['a program that may refund it', kiosk, false, 200],
  ['a program that has opened too many', kiosk, true, 403],
  ['a till without staff', nobody, true, 200],
])('one sale by its number opens to %s', async (_, actor, isFull, status) => {
  for (const [method, path, body] of one) {
    selling.isFull = isFull;
    const ask = openClient(actor);
    expect([path, (await ask(method, path, body)).status]).toEqual([path, status]);
    if (status === 200) continue;
    // A manager's approval opens the sale, and resets the limit for people who may refund.
    const approval = { 'x-override': 'approved' };
    expect((await ask(method, path, body, approval)).status).toBe(200);
    expect((await ask(method, path, body)).status).toBe(actor === waiter ? 403 : 200);
  }
});

test('holds are listed to the person who took them', async () => {
  const [row] = selling.sales({ from: 0, most: 1 }).rows;
  if (row === undefined) throw new Error('no sale');
  const hold = { ...row, held: row.amount, completed: row.amount, left: row.amount, until: 0, expired: false };
  selling.holdRows = [hold, { ...hold, cashier: 'Ben' }];
  const listed = async (actor: Actor) => {
    const { answer } = await openClient(actor)('GET', '/preauths');
    return ((await answer.json()) as { cashier: string }[]).map(({ cashier }) => cashier);
  };
  expect([await listed(anna), await listed(ben), await listed(max)]).toEqual([['Anna'], ['Ben'], ['Anna', 'Ben']]);
});

const amount = { amount: '1.00', currency: 'EUR' };
test.each<[string, Actor, object, boolean, number]>([
  ['by amount and card', ben, { amount, last4: '1234' }, false, 200],
  ['by receipt', ben, { text: '3' }, false, 200],
  ['by amount and card, after too many', ben, { amount, last4: '1234' }, true, 403],
  ['by amount alone', ben, { amount }, false, 403],
  ['by card alone', ben, { last4: '1234' }, false, 403],
  ['by nothing', ben, {}, false, 403],
  ['by nothing, for a manager', max, {}, true, 200],
  ['by amount and card, without the permission to refund', waiter, { amount, last4: '1234' }, false, 403],
])('a claim %s', async (_, actor, claim, isFull, status) => {
  const [row] = selling.sales({ from: 0, most: 1 }).rows;
  if (row === undefined) throw new Error('no sale');
  selling.claimAnswer = {
    ...{ verdict: 'chargedOnce', says: 'Charged once.' },
    sales: [{ ...row, evidence: [], next: '', person: '' }],
  };
  selling.isFull = isFull;
  const ask = openClient(actor);
  expect((await ask('POST', '/claims', claim)).status).toBe(status);
  expect((await ask('POST', '/claims', claim, { 'x-override': 'approved' })).status).toBe(200);
});

test('everyone sees the sales in progress, without a colleague’s card; a program sees its own', async () => {
  const sale = await selling.begin({ operation: 'sale', amount }, anna, 'key-00000001');
  selling.phase(sale.id, 'askingBank', { card: { last4: '1234', entryMode: 'chip' } });
  const cards = async (actor: Actor) => {
    const received: unknown[] = [];
    const view = liveViewOf(selling, actor);
    for (const seen of selling.live()) received.push(view(seen)?.card?.last4 ?? view(seen)?.id);
    const { answer } = await openClient(actor)('GET', '/live');
    return [received, ((await answer.json()) as object[]).length];
  };
  expect(await cards(anna)).toEqual([['1234'], 1]);
  expect(await cards(max)).toEqual([['1234'], 1]);
  expect(await cards(ben)).toEqual([[sale.id], 1]);
  expect(await cards(kiosk)).toEqual([[undefined], 0]);
  const one = async (actor: Actor) => (await openClient(actor)('GET', `/live/${sale.id}`)).status;
  expect([await one(anna), await one(ben), await one(kiosk)]).toEqual([200, 200, 404]);

  const eventsFor = async (actor: Actor, event: ApiEvent) => {
    const { answer } = await openClient(actor)('GET', '/events');
    const reader = answer.body?.getReader();
    await reader?.read();
    events.tell(event);
    events.tell({ on: 'changed', what: 'sales' });
    const read = await reader?.read();
    await reader?.cancel();
    return Buffer.from(read?.value ?? []).toString();
  };
  const event = { on: 'sale', sale: selling.current() } as const;
  expect(await eventsFor(anna, event)).toContain('1234');
  expect(await eventsFor(ben, event)).toContain(sale.id);
  expect(await eventsFor(ben, event)).not.toContain('1234');
  expect(await eventsFor(kiosk, event)).toContain('event: changed');
  // A close can wait for another person's sale.
  const waitEvent: ApiEvent = { on: 'closing', waits: { terminalId: '1', sales: [] } };
  expect(await eventsFor(max, waitEvent)).toContain('event: closing');
  expect(await eventsFor(kiosk, waitEvent)).toContain('event: changed');
});

test('after a restart, listeners are checked against the new till', async () => {
  const sale = await selling.begin({ operation: 'sale', amount }, anna, 'key-00000001');
  const { answer } = await openClient(kiosk)('GET', '/events');
  const reader = answer.body?.getReader();
  await reader?.read();
  selling.isOwn = () => {
    throw new Error('the journal is closed');
  };
  const [position, isOwn] = [() => ({ number: 9, id: '9-00000000' }), ({ id }: { id?: string }) => id === sale.id];
  events.log = { here: position, since: () => [], isOwn: isOwn as typeof selling.isOwn };
  events.tell({ on: 'sale', sale });
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain(sale.id);
  await reader?.cancel();
  events.log = undefined;
});
