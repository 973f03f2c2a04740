/** Two gateway processes on one PostgreSQL: together they behave as one gateway. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/gateway/database/open.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { accountOf, type Client, clientOf } from '../simulation/gateway/bench.ts';
import {
  entityId,
  idOf,
  otherEntityId,
  type Parameters,
  payment as plainPayment,
  type Reply,
  token,
} from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { byNight } from '../support/night/night.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

const APPROVED = '000.100.110';
const TOO_MANY = '800.120.101';
/** The certain answers for a sale of 1.00. Everything else means: ask again. */
const CERTAIN: ReadonlySet<string> = new Set([APPROVED]);

type Gateway = { process: GatewayProcess; client: Client };

let server: TestPostgres;
let folder: string;
let url: string;
let store: Store;
let gateways: [Gateway, Gateway] | undefined;
let configure: (patienceSeconds: number) => void;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

beforeEach(async () => {
  gateways = undefined;
  folder = mkdtempSync(join(tmpdir(), 'side-by-side-'));
  mkdirSync(join(folder, 'data'));
  const velocity = [{ per: 'card', withinMinutes: 60, most: 10 }];
  const channels = [
    { entityId, token },
    { entityId: otherEntityId, token: 'other-token', risk: { velocity } },
  ];
  configure = (patienceSeconds) =>
    writeFileSync(join(folder, 'gateway.json'), JSON.stringify({ channels, patienceSeconds, stopSeconds: 90 }));
  url = await server.database();
  store = await openStore(url);
});
afterEach(async () => {
  await Promise.all((gateways ?? []).map(({ process }) => process.end('SIGKILL')));
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Starts both at once, on an empty database and a folder without keys. */
const bothWithPatience = (seconds: number) => async () => {
  configure(seconds);
  gateways = await Promise.all([start(), start()]);
};

const start = async (): Promise<Gateway> => {
  const flags = ['--config', join(folder, 'gateway.json'), '--database', url];
  const process = await startGateway(join(folder, 'data'), [], flags);
  return { process, client: clientOf(fetch, `http://127.0.0.1:${process.port}`) };
};

const gateway = (at: 0 | 1): Gateway => {
  if (gateways === undefined) throw new Error('none has been started');
  return gateways[at];
};

/** The nth request goes to the nth gateway, round robin. */
const via = (at: number): Client => gateway(at % 2 === 0 ? 0 : 1).client;
const post = (at: number, path: string, parameters: Parameters, key?: string) =>
  via(at).send('POST', path, parameters, key === undefined ? {} : { 'idempotency-key': key });
const many = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const approvedOf = (replies: readonly Reply[]) => replies.filter(({ code }) => code === APPROVED);
const payment = (parameters: Parameters) => plainPayment({ 'card.number': card, ...parameters });
const minorOf = (replies: readonly Reply[]) =>
  approvedOf(replies).reduce((sum, { body }) => sum + Number(String(body['amount']).replace('.', '')), 0);
/** A well-funded account, as every unlisted number has. */
const card = '4111111111111111';

describe('both gateways at once', () => {
  // Patient, so that each of many requests at once gets a certain answer even on a slow machine.
  beforeEach(bothWithPatience(60));

  // Fewer at once by day, but still more than there is money for.
  const [holdCount, captureCount, refundCount] = byNight({ day: [2, 24, 12], night: [4, 40, 40] } as const);

  test('hundreds of captures and refunds take what is available, and not a cent more', async () => {
    const balanceBefore = await accountOf(card).balance(store);
    const holds = await many(holdCount, (at) =>
      post(at, 'v1/payments', payment({ paymentType: 'PA', amount: '50.00' })),
    );
    const work = async (of: Reply, type: string, amount: string, count: number) =>
      many(count, (at) => post(at, `v1/payments/${idOf(of)}`, { paymentType: type, amount, currency: 'EUR' }));
    const captured = await Promise.all(holds.map((each) => work(each, 'CP', '3.00', captureCount)));
    // 16 times 3.00 fit into 50.00.
    for (const replies of captured) expect(minorOf(replies)).toBe(4800);
    const one = captured.flatMap((replies) => approvedOf(replies).slice(0, 1));
    const refunded = await Promise.all(one.map((each) => work(each, 'RF', '0.70', refundCount)));
    for (const replies of refunded) expect(minorOf(replies)).toBe(280);
    const codes = new Set([...captured, ...refunded].flat().map(({ code }) => code));
    expect([...codes].sort()).toEqual([APPROVED, '700.400.100', '700.400.200']);
    expect(balanceBefore - (await accountOf(card).balance(store))).toBe(BigInt(holdCount) * (5000n - 280n));
  });

  test('as many captures pass as are allowed, and one last one', async () => {
    const capture = { paymentType: 'CP', amount: '1.00', currency: 'EUR' };
    for (const [start, follow, most] of [
      [{ numberOfCaptures: '3' }, {}, 3],
      [{}, { sequence: 'FINAL' }, 1],
    ] as const) {
      const holds = await post(0, 'v1/payments', payment({ paymentType: 'PA', amount: '50.00', ...start }));
      const replies = await many(24, (at) => post(at, `v1/payments/${idOf(holds)}`, { ...capture, ...follow }));
      const codes = [...Array(most).fill(APPROVED), ...Array(24 - most).fill('700.400.100')];
      expect(replies.map(({ code }) => code).toSorted()).toEqual(codes);
    }
  });

  test('one key sent to both is carried out once, and both answer with the same bytes', async () => {
    const balanceBefore = await accountOf(card).balance(store);
    const keys = byNight({ day: 10, night: 30 });
    const replies = await many(keys, (key) =>
      many(4, (at) => post(at, 'v1/payments', payment({ amount: '1.00' }), `twin-${key}`)),
    );
    for (const group of replies) expect(new Set(group.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(new Set(replies.map(([first]) => first?.code))).toEqual(new Set([APPROVED]));
    expect(balanceBefore - (await accountOf(card).balance(store))).toBe(BigInt(keys) * 100n);
    const twins = await many(keys, (key) => post(key, 'v1/payments', payment({ amount: '2.00' }), `twin-${key}`));
    expect(new Set(twins.map(({ code }) => code))).toEqual(new Set(['800.110.100']));
  });

  test('a registration that one deleted is no longer charged by the other', async () => {
    const { parameters } = accountOf(card);
    for (const at of [0, 1]) {
      const id = idOf(await post(at, 'v1/registrations', parameters));
      const charge = { paymentType: 'DB', amount: '1.00', currency: 'EUR' };
      expect((await post(at + 1, `v1/registrations/${id}/payments`, charge)).code).toBe(APPROVED);
      expect((await via(at).send('DELETE', `v1/registrations/${id}`, {})).code).toBe(APPROVED);
      expect(await post(at + 1, `v1/registrations/${id}/payments`, charge)).toMatchObject({
        status: 400,
        code: '100.150.200',
      });
    }
  });

  test('the limit on a card’s payments counts across both', async () => {
    const replies = await many(40, (at) => via(at).stranger.send('POST', 'v1/payments', payment({ amount: '1.00' })));
    expect(approvedOf(replies)).toHaveLength(10);
    expect(replies.filter(({ code }) => code === TOO_MANY)).toHaveLength(30);
  });
});

/** Sales of 1.00 by eight clients, until `enough`, with the answer to each, if any. */
type Sale = { key: string; reply: Reply | undefined; tookMs: number };
const load = async (enough: (sales: readonly Sale[]) => boolean | Promise<boolean>): Promise<Sale[]> => {
  const sales: Sale[] = [];
  const till = async (name: number): Promise<void> => {
    for (let count = 0; !(await enough(sales)); count += 1) {
      const key = `sale-${name}-${count}`;
      const startedAt = performance.now();
      const reply = await sell(name + count, key).catch(() => undefined);
      sales.push({ key, reply, tookMs: performance.now() - startedAt });
    }
  };
  await many(8, till);
  return sales;
};
const sell = (at: number, key: string) =>
  post(at, 'v1/payments', payment({ amount: '1.00', merchantTransactionId: key }), key);

/** Sends every sale again to this gateway until it is certain; then each is once in its books and in the account. */
const accountFor = async (sales: readonly Sale[], at: number, balanceBefore: bigint): Promise<void> => {
  for (const { key, reply } of sales) {
    const repeated = await untilCertain(() => sell(at, key));
    expect(repeated.code, key).toBe(APPROVED);
    if (reply?.code === APPROVED) expect(repeated.text).toBe(reply.text);
    const { body } = await via(at).send('GET', 'v1/query', { merchantTransactionId: key });
    const codes = (body['payments'] as { result: { code: string } }[]).map(({ result }) => result.code);
    expect(codes.filter((code) => code === APPROVED)).toHaveLength(1);
  }
  expect(balanceBefore - (await accountOf(card).balance(store))).toBe(100n * BigInt(sales.length));
};

/** Asks again until the answer is certain: one may take longer than the gateway waits. */
const untilCertain = async (ask: () => Promise<Reply>): Promise<Reply> => {
  const until = performance.now() + 180_000;
  let reply = await ask();
  while (!CERTAIN.has(reply.code) && performance.now() < until) reply = await ask();
  return reply;
};

const OPEN = "(select count(*) from payment where state = 'processing')";
const openRows = async () => Number((await server.ask<{ n: string }>(url, `select ${OPEN} as n`))[0]?.n);

/** Resolves when the number of payments without an ending is as wanted. */
const rows = (expected: string): Promise<void> => server.until(url, `${OPEN} ${expected}`);

describe('when one of them, or the database, is down', () => {
  beforeEach(bothWithPatience(1));

  test('one gateway is killed during payments: the other continues, and completes those payments', async () => {
    const balanceBefore = await accountOf(card).balance(store);
    // The acquirer takes 20 seconds for this payment, which cannot have an ending when the gateway dies.
    const slowReply = post(
      0,
      'v1/payments',
      payment({ amount: '8000.98', merchantTransactionId: 'slow-acquirer' }),
      'slow',
    ).catch(() => undefined);
    await rows('> 0');
    const sales = await load((all) => {
      if (all.length === 100) gateway(0).process.notify('SIGKILL');
      return all.length > 180;
    });
    await slowReply;
    expect(sales.filter(({ reply }) => reply === undefined).length).toBeGreaterThan(0);
    // Nobody inquires about the slow payment; it was carried out, and gets its ending once its lease has run out.
    await rows('= 0');
    const { payments } = (await via(1).send('GET', 'v1/query', { merchantTransactionId: 'slow-acquirer' })).body as {
      payments: { result: { code: string } }[];
    };
    expect(payments.map(({ result }) => result.code)).toEqual([APPROVED]);
    await accountFor(sales, 1, balanceBefore - 800_098n);
  });

  test('one gateway freezes beyond its lease: payments repeated meanwhile are not carried out twice', async () => {
    const count = byNight({ day: 60, night: 300 });
    const replies: Reply[] = [];
    for (let index = 0; index < count; index += 1)
      replies.push(await untilCertain(() => sell(1, `frozen-sale-${index}`)));
    const balanceBefore = await accountOf(card).balance(store);
    const refund = (gateway: 0 | 1) => (index: number) => {
      const parameters = { paymentType: 'RF', amount: '1.00', currency: 'EUR' };
      return post(gateway, `v1/payments/${idOf(replies[index] as Reply)}`, parameters, `frozen-${index}`);
    };
    const first = many(count, refund(0));
    // Some refunds are recorded but not sent to the acquirer yet: it changes an account for one payment at a time.
    await rows('> 6');
    gateway(0).process.notify('SIGSTOP');
    // The other completes all of them, also those locked by the frozen one, whose connections are cut after a while.
    await rows('= 0');
    const repeats: Reply[] = [];
    for (let index = 0; index < count; index += 1) repeats.push(await untilCertain(() => refund(1)(index)));
    gateway(0).process.notify('SIGCONT');
    await first;
    expect(new Set(repeats.map(({ code }) => code))).toEqual(new Set([APPROVED]));
    expect((await accountOf(card).balance(store)) - balanceBefore).toBe(BigInt(count) * 100n);
  });

  test('the database is down for a while: no answer is wrong, none hangs, and every sale is there once', async () => {
    const balanceBefore = await accountOf(card).balance(store);
    let halted: Promise<void> | undefined;
    let started: Promise<void> | undefined;
    const sales = await load(async (all) => {
      if (all.length >= 60) halted ??= server.haltBeside();
      // While the database starts, each sale fails at once: without this wait thousands would be tried.
      if (all.length >= 90) started ??= halted?.then(server.startBeside);
      await started;
      return all.length > 150;
    });
    const codes = new Set(sales.map(({ reply }) => `${reply?.status} ${reply?.code}`));
    expect([...codes].sort()).toEqual([`200 ${APPROVED}`, '500 999.999.888']);
    expect(Math.max(...sales.map(({ tookMs }) => tookMs))).toBeLessThan(30_000);
    expect(sales.slice(-20).map(({ reply }) => reply?.code)).toEqual(Array(20).fill(APPROVED));
    await accountFor(sales, 0, balanceBefore);
    expect(await openRows()).toBe(0);
  });
});
