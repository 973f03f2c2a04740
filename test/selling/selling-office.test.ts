/**
 * Office and counter at the same time: operations at the gateway alone run beside a sale at the same terminal, whatever
 * comes in between, and nothing is refunded twice.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FollowOperation, LiveSale } from '../../src/api/contract/sales.ts';
import type { Actor } from '../../src/api/ports/session.ts';
import { isFault } from '../../src/base/fault.ts';
import type { Dice } from '../support/chance/dice.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = (amount = '5.00', counter = 'T1') => ({ operation: 'sale', counter, amount: eur(amount) }) as const;
const max: Actor = { name: 'Max', role: 'manager', permissions: ['void', 'refund'] };

type Open = Awaited<ReturnType<Rig['open']>>;

/** One paid sale, and one in progress at the same terminal. */
const startOneSale = async () => {
  const open = await rig.open();
  const paid = await open.ended(await open.service.begin(sale('5.00'), anna, 'key-00001'));
  const selling = await open.service.begin(sale('7.00'), anna, 'key-00002');
  return { ...open, paid, selling };
};

test.each(['void', 'refund'] as const)(
  'a %s is done while its counter sells, and the sale continues',
  async (operation) => {
    const { service, told, ended, close, paid, selling } = await startOneSale();
    const refund = await service.follow({ receipt: paid.receipt, operation }, max, 'key-00003');
    expect(refund).toMatchObject({ operation, counter: 'T1', beside: true, terminalFree: true });
    expect(service.counters()).toMatchObject([{ state: 'busy', sale: selling.id }]);
    await rig.clock.advance(200);
    expect(service.liveSale(refund.id).result).toMatchObject({ ending: 'approved' });
    expect(service.liveSale(selling.id).result).toBeUndefined();
    expect(service.live().map(({ id }) => id)).toEqual([selling.id, refund.id]);
    expect((await ended(selling)).result).toMatchObject({ ending: 'approved' });
    expect(service.sale(paid.receipt).followers).toMatchObject([{ operation, state: 'approved', cashier: 'Max' }]);
    // Each operation has its own id, so a screen showing the counter's sale does not show the void instead.
    const endings = told.flatMap((event) => (event.on === 'sale' && event.sale.result ? [event.sale] : []));
    expect(new Set(endings.map(({ id }) => id)).size).toBe(3);
    await close();
  },
);

test('of several operations beside one another only the last is kept for display', async () => {
  const { service, ended, close } = await rig.open();
  const paid: LiveSale[] = [];
  for (let n = 0; n < 3; n++) paid.push(await ended(await service.begin(sale('5.00'), anna, `key-0000${n}`)));
  const voids: LiveSale[] = [];
  for (const { receipt } of paid)
    voids.push(await service.follow({ receipt, operation: 'void' }, max, `key-void-${receipt}`));
  await rig.clock.advance(500);
  expect(service.live().map(({ id }) => id)).toEqual([paid[2]?.id, voids[2]?.id]);
  for (const { id } of voids) expect(service.liveSale(id).result).toMatchObject({ ending: 'approved' });
  await close();
});

test.each<[FollowOperation, FollowOperation, string]>([
  ['void', 'void', 'till.cannotFollow'],
  ['void', 'refund', 'till.nothingLeft'],
  ['refund', 'void', 'till.cannotFollow'],
  ['refund', 'refund', 'till.nothingLeft'],
])('of a %s and a %s of one payment at once the second is refused by name', async (first, second, code) => {
  const { service, ended, close, paid, selling } = await startOneSale();
  const { receipt } = paid;
  const [one, two] = await Promise.allSettled([
    service.follow({ receipt, operation: first }, max, 'key-00003'),
    service.follow({ receipt, operation: second }, max, 'key-00004'),
  ]);
  expect(one).toMatchObject({ status: 'fulfilled', value: { operation: first } });
  expect(two).toMatchObject({ status: 'rejected', reason: { code } });
  await ended(selling);
  const input = rig.host.books.filter(({ paymentType }) => paymentType === 'RV' || paymentType === 'RF');
  expect(input).toHaveLength(1);
  await close();
});

test('the same void twice under one key is one void', async () => {
  const { service, ended, close, paid, selling } = await startOneSale();
  const request = { receipt: paid.receipt, operation: 'void' } as const;
  const [one, two] = await Promise.all([
    service.follow(request, max, 'key-00003'),
    service.follow(request, max, 'key-00003'),
  ]);
  expect(one.id).toBe(two.id);
  await ended(selling);
  await close();
});

const refusals = ['till.cannotFollow', 'till.nothingLeft', 'till.refundTooHigh', 'till.heldTooLittle', 'sale.likely'];
const fates = ['answerLost', 'requestLost', 'takenLate', 'notReached'] as const;

/** Sells where a terminal is free, and refunds or voids at random, with losses on the line. */
const step = async ({ service }: Open, chance: Dice, key: () => string): Promise<LiveSale | undefined> => {
  if (chance.between(0, 7) === 0) rig.fates.push(fates[chance.between(0, 3)] ?? 'answered');
  const idle = service.counters().filter(({ state }) => state !== 'busy');
  const [counter] = idle;
  if (counter !== undefined && chance.between(0, 1) === 0) {
    const amount = `${chance.between(2, 60)}.${String(chance.between(0, 99)).padStart(2, '0')}`;
    return service.begin(sale(amount, counter.name), anna, key()).catch(refused);
  }
  const { rows } = service.sales({ from: 0, most: 12 });
  const row = rows[chance.between(0, Math.max(0, rows.length - 1))];
  if (row === undefined) return undefined;
  const isPart = chance.between(0, 2) === 0;
  const request = {
    receipt: row.receipt,
    operation: chance.between(0, 1) === 0 ? ('void' as const) : ('refund' as const),
  };
  const part = isPart && request.operation === 'refund' ? { amount: eur('1.00') } : {};
  return service.follow({ ...request, ...part }, max, key()).catch(refused);
};

/** Ignores the expected refusals: a terminal that is selling causes none of them. */
const refused = (error: unknown): undefined => {
  if (!isFault(error) || !refusals.includes(error.code)) throw error;
};

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

test.each(byNight({ day: [1, 2], night: [1, 2, 3, 4, 5, 6, 7, 8] }))(
  'with sales, voids and refunds in any order and losses on the line nothing is refunded twice (seed %i)',
  async (seed) => {
    rig.remove();
    rig = counterRig(seed);
    const chance = dice(seed);
    const open = await rig.open({ counters: 2 });
    let keys = 0;
    const key = (): string => `key-${String(++keys).padStart(6, '0')}`;
    for (let n = 0; n < 60; n++) {
      await step(open, chance, key);
      await rig.clock.advance(chance.between(0, 700));
    }
    rig.fates.splice(0);
    for (let n = 0; n < 8; n++) {
      await rig.clock.advance(120_000);
      await rig.clock.until(open.running.forwarder.drain('all'));
    }
    expect(open.running.ledger.openSales()).toEqual([]);
    const sales = [...open.running.ledger.all()];
    // Neither a void of a sale that was never sent nor the sale itself moved money.
    const approved = sales.filter(
      (one) => one.at === 'ended' && one.ending === 'approved' && one.reason !== 'voidedBeforeSending',
    );
    const gave = approved.filter(({ intent }) => intent.follows !== undefined);
    expect(gave.length).toBeGreaterThan(2);
    for (const { intent } of approved.filter((one) => one.intent.follows === undefined)) {
      const back = gave.filter((one) => one.intent.follows?.sale === intent.sale);
      const sum = back.reduce((all, one) => all + one.intent.amount.minor, 0n);
      expect(sum, `given back on receipt ${intent.receipt}`).toBeLessThanOrEqual(intent.amount.minor);
    }
    const held = approved.reduce(
      (sum, { intent }) => sum + (intent.follows === undefined ? intent.amount.minor : -intent.amount.minor),
      0n,
    );
    const booked = rig.host.books
      .filter(({ code }) => code === '000.100.110')
      .reduce((sum, { paymentType, amount }) => sum + (paymentType === 'DB' ? 1n : -1n) * centsOf(amount), 0n);
    expect(held).toBe(booked);
    for (const { terminalId } of open.running.counters) {
      const own = sales.filter(({ intent }) => intent.terminalId === terminalId);
      expect(own.map(({ intent }) => intent.sequence)).toEqual(own.map((_, index) => index + 1));
    }
    await open.close();
  },
);
