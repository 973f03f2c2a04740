/**
 * A checkout under heavy load: cards with and without a challenge, a transfer, answers, queries and changes by the
 * shop, in parallel and over two gateways on one store, whose writes fail and which crash. In the end the bank's books
 * and the gateway's agree, and the shopper has paid at most once.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { openSimulator } from '../../../src/gateway/acquirers/simulator/simulator.ts';
import type { Channel } from '../../../src/gateway/channel.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import { gatewayApp } from '../../../src/gateway/server/http/server.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { openThreeDSecure } from '../../../src/gateway/threeds/open.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { faultyStore } from '../../simulation/gateway/faulty-store.ts';
import { dice } from '../../support/chance/dice.ts';
import { entityId, type Parameters, type Reply, replyOf, token } from '../../support/gateway/gateway.ts';
import { byNight } from '../../support/night/night.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import type { Shop } from '../payments/gateway-in-memory.ts';
import { answer, browser, rightCode, toBank } from '../threeds/secured-shop.ts';
import { card, MINUTE, OK, order, payPath, shopperResultUrl } from './counter.ts';

const channels: readonly Channel[] = [{ entityId, token, threeDSecure: { enabled: true } }];
const vault = openVault(
  openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock: virtualClock() }),
  systemRandom,
);

type Bank = { authorisedIds: Set<string> };

/** One gateway. Its requests to the bank are recorded, even if the gateway dies before the answer. */
const openGateway = async (store: Store, clock: VirtualClock, { authorisedIds }: Bank) => {
  const notifier = { send: async (_: string) => {} };
  const decide = (id: string) => notifier.send(id);
  const acquirerOptions = { memory: store.memory, clock, random: systemRandom, onDecision: decide };
  const { acquirer, pages } = openSimulator(acquirerOptions);
  const recordingAcquirer = {
    ...acquirer,
    authorise(request: Parameters_<typeof acquirer.authorise>) {
      authorisedIds.add(request.id);
      return acquirer.authorise(request);
    },
    authoriseInTransaction(...args: Parameters_2<NonNullable<typeof acquirer.authoriseInTransaction>>) {
      authorisedIds.add(args[1].id);
      return acquirer.authoriseInTransaction?.(...args);
    },
  };
  const report = () => {};
  const secured = openThreeDSecure({ ...acquirerOptions, acquirer: recordingAcquirer, vault, channels, report });
  const app = gatewayApp({
    ...{ store, clock, channels, vault, report, ids: systemIds, acquirer: secured.acquirer },
    pages: [...pages, ...secured.pages],
    secret: new Uint8Array(32).fill(7),
    patienceMs: 30_000,
  });
  notifier.send = async (id) => void (await app.gateway.processing.lookUp(id));
  await app.ready;
  return { app, acquirer };
};

type Parameters_<F extends (item: never) => unknown> = F extends (item: infer A) => unknown ? A : never;
type Parameters_2<F extends (...all: never[]) => unknown> = F extends (...all: infer A) => unknown ? A : never;

const clientOf = (app: Awaited<ReturnType<typeof openGateway>>['app']) => {
  const send = async (path: string, init: RequestInit): Promise<Reply> =>
    replyOf(await app.fetch(new Request(`https://pay.test/${path}`, init)));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const authorization = `Bearer ${token}`;
  return {
    submit: (id: string, parameters: Parameters) =>
      send(payPath(id), { method: 'POST', headers: form, body: new URLSearchParams(parameters).toString() }),
    change: (id: string, parameters: Parameters) =>
      send(`v1/checkouts/${id}`, {
        ...{ method: 'POST', headers: { ...form, authorization } },
        body: new URLSearchParams({ entityId, ...parameters }).toString(),
      }),
    create: () =>
      send('v1/checkouts', {
        ...{ method: 'POST', headers: { ...form, authorization } },
        body: new URLSearchParams({ entityId, ...order }).toString(),
      }),
    status: (id: string) => send(`${payPath(id)}?entityId=${entityId}`, { headers: { authorization } }),
    decide: (url: string, decision: string) =>
      app.fetch(new Request(url, { method: 'POST', headers: form, body: `decision=${decision}` })),
    shop: { gateway: { fetch: app.fetch } } as unknown as Shop,
  };
};

const submissions: Readonly<Record<string, Parameters>> = {
  asks: { ...card, 'card.number': '4200000000000018', shopperResultUrl, ...browser },
  asksLater: { ...card, 'card.number': '4200000000000042', shopperResultUrl, ...browser },
  frictionless: { ...card, 'card.number': '4200000000000091', shopperResultUrl, ...browser },
  denied: { ...card, 'card.number': '4200000000000059', shopperResultUrl, ...browser },
  transfer: { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl },
};
const actions = [...Object.keys(submissions), 'pays', 'refuses', 'code', 'cancels', 'status', 'change'] as const;

type Step = { actions: string[]; turnsBefore: number; diesInside: boolean; advanceMs: number; seed: number };
const steps = fc.array(
  fc.record<Step>({
    actions: fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 3 }),
    turnsBefore: fc.integer({ min: 0, max: 80 }),
    diesInside: fc.boolean(),
    advanceMs: fc.constantFrom(0, 500, 3_000, 5 * MINUTE),
    seed: fc.nat(),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Advances time until the work is done, but only when nothing else happens. */
const advanceWhile = async (clock: VirtualClock, work: Promise<unknown>): Promise<void> => {
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  for (let waitCount = 0; !isDone; waitCount += 1) {
    if (waitCount > 5_000) throw new Error('it does not end');
    for (let turn = 0; turn < 20 && !isDone; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (!isDone) await clock.advance(50);
  }
  await end;
};

const playSteps = async (drawnSteps: readonly Step[], { faults }: { faults: number }) => {
  const clock = virtualClock();
  // The store is shared, so each gateway must leave alone the payments that the other may be working on.
  const store: Store = { ...(await openStore(':memory:')), shared: true };
  const bank: Bank = { authorisedIds: new Set() };
  const calmGateway = await openGateway(store, clock, bank);
  const id = String((await clientOf(calmGateway.app).create()).body['id']);
  const redirects: string[] = [];
  let amount = 13;
  for (const step of drawnSteps) {
    const faulty = faultyStore(store, dice(step.seed), faults);
    const faultyGateway = await openGateway(faulty, clock, bank).catch(() => calmGateway);
    const gateways = [clientOf(faultyGateway.app), clientOf(calmGateway.app)] as const;
    const act = async (name: string, n: number): Promise<void> => {
      const client = gateways[n % 2 === 0 ? 0 : 1];
      const last = redirects.at(-1) ?? 'https://pay.test/none';
      const form = submissions[name];
      if (form !== undefined) {
        const { body } = await client.submit(id, form);
        const { url } = (body['redirect'] ?? {}) as { url?: string };
        if (url !== undefined) redirects.push(url);
      } else if (name === 'change') {
        amount += 1;
        const input = `${amount}.00`;
        await client.change(id, { amount: input });
      } else if (name === 'status') await client.status(id);
      else if (name === 'pays' || name === 'refuses') await client.decide(last, name);
      else
        await answer(client.shop, await toBank(client.shop, last), name === 'code' ? rightCode : { choice: 'cancel' });
    };
    const actionsDone = Promise.allSettled(step.actions.map(act));
    for (let turn = 0; turn < step.turnsBefore; turn += 1) await Promise.resolve();
    if (step.diesInside) faulty.die();
    await advanceWhile(clock, actionsDone);
    clock.lag(step.advanceMs);
  }
  const approved = await auditPayments({ store, clock, bank, id });
  await store.close();
  return approved;
};

type Audited = { store: Store; clock: VirtualClock; bank: Bank; id: string };

/** A new process finds what is left; every remaining challenge expires. Returns the number of approvals. */
const auditPayments = async ({ store, clock, bank, id }: Audited): Promise<number> => {
  const next = await openGateway(store, clock, bank);
  clock.lag(16 * MINUTE);
  const all = async () => (await store.search({ entityId, limit: 1_000 })).payments;
  for (const { id: each } of await all()) await next.app.gateway.processing.lookUp(each);
  for (const { id: each } of await all()) await next.app.gateway.processing.withdraw(each);
  const payments = await all();
  for (const payment of payments) {
    expect(payment, 'every payment has an ending').toMatchObject({ state: 'done', facts: { checkoutId: id } });
  }
  const approved = payments.filter((each) => each.state === 'done' && each.resultCode === OK).map((each) => each.id);
  const takenIds: string[] = [];
  for (const each of new Set([...bank.authorisedIds, ...payments.map((one) => one.id)])) {
    const inquiryAnswer = await next.acquirer.inquire(each, 0);
    if (inquiryAnswer?.resultCode === OK) takenIds.push(each);
  }
  expect(takenIds.sort(), 'the bank has taken what the gateway reports').toEqual(approved.sort());
  expect(approved.length, 'a checkout is paid at most once').toBeLessThanOrEqual(1);
  return approved.length;
};

/** A failure prints its seed. The daytime test has enough runs that each kind of action occurs many times. */
const bounds = { numRuns: byNight({ day: 30, night: 120 }), endOnFailure: true };
/** For a nightly run on a slow machine. */
const TIMEOUT_MS = 600_000;

test(
  'in whatever order actions come, a checkout is paid at most once',
  async () => {
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (drawnSteps) => {
        paid += await playSteps(
          drawnSteps.map((step) => ({ ...step, dies: false })),
          { faults: 0 },
        );
      }),
      bounds,
    );
    expect(paid).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  'after crashes and failed writes the bank’s books and the gateway’s agree at the next start',
  async () => {
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (drawnSteps) => {
        paid += await playSteps(drawnSteps, { faults: 15 });
      }),
      bounds,
    );
    expect(paid).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
