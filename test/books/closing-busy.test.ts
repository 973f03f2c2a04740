/**
 * Closing the batch of a busy counter: the close waits for the sale in progress, and the next sale starts in the next
 * batch. Whatever happens in between, each sale is in one batch, and none is added to a batch that is being closed.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import type { SaleUnderWay } from '../../src/books/closing/gate.ts';
import type { Report } from '../../src/reconciliation/report.ts';
import { anna, counterRig, eur, type Rig } from '../selling/counter-rig.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { integratedDevice } from '../support/till/scripted-integrated-terminal.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = (amount = '5.00', counter = 'T1') => ({ operation: 'sale', counter, amount: eur(amount) }) as const;

type Open = Awaited<ReturnType<Rig['open']>>;

/** Sells as the local API does, including the turn at the counter. */
const sell = async ({ service }: Open, request: ReturnType<typeof sale>, key: string) => {
  const leaveTurn = await service.turn?.(request);
  try {
    return await service.begin(request, anna, key);
  } finally {
    leaveTurn?.();
  }
};

test('a busy counter is closed once its sale has ended, and the following sale is in the next batch', async () => {
  const open = await rig.open();
  const { service, running, ended } = open;
  await ended(await sell(open, sale('5.00'), 'key-00001'));
  const inProgress = await sell(open, sale('7.00'), 'key-00002');
  const waitedReceipts: number[][] = [];
  const noted = (sales: readonly SaleUnderWay[]) => void waitedReceipts.push(sales.map(({ receipt }) => receipt));
  const closed = running.books.close({ onWaiting: noted });
  await rig.clock.advance(500);
  expect(waitedReceipts).toEqual([[inProgress.receipt]]);
  expect(running.books.batches()).toMatchObject([{ batch: 1, state: 'open' }]);
  // Operations without a terminal continue, and are still in this batch.
  const refund = await service.follow({ receipt: 1, operation: 'refund' }, anna, 'key-00003');
  expect(refund.beside).toBe(true);
  await ended(inProgress);
  const next = await sell(open, sale('9.00'), 'key-00004');
  const z = await rig.clock.until(closed);
  expect(waitedReceipts.at(-1)).toEqual([]);
  expect(z.report.currencies).toMatchObject([{ net: '7.00' }]);
  await ended(next);
  expect(
    running.books.batches().map((batch) => running.books.sales(batch).map(({ intent }) => intent.receipt)),
  ).toEqual([[1, 2, 3], [4]]);
  await open.close();
});

test('a close cancelled while it waits closes nothing and holds nothing back', async () => {
  const open = await rig.open();
  const inProgress = await sell(open, sale('7.00'), 'key-00001');
  const controller = new AbortController();
  const closed = open.running.books.close({ signal: controller.signal });
  const refusal = expect(closed).rejects.toMatchObject({ code: 'books.closeCancelled', facts: { receipts: '1' } });
  await rig.clock.advance(300);
  controller.abort();
  await refusal;
  await open.ended(inProgress);
  await open.ended(await sell(open, sale('8.00'), 'key-00002'));
  expect(open.running.books.batches()).toMatchObject([{ batch: 1, state: 'open' }]);
  expect(open.running.books.sales(open.running.books.batch(1))).toHaveLength(2);
  await open.close();
});

test('a close waits for five minutes at most', async () => {
  const open = await rig.open({ behaviour: { takesMs: () => 400_000 } });
  await sell(open, sale('7.00'), 'key-00001');
  const closed = open.running.books.close();
  const refusal = expect(closed).rejects.toMatchObject({ code: 'books.closeWaited', facts: { receipts: '1' } });
  await rig.clock.advance(301_000);
  await refusal;
  expect(open.running.books.batches()).toMatchObject([{ batch: 1, state: 'open' }]);
  await rig.clock.advance(900_000);
  await open.close();
});

test('at a terminal with its own day the next sale waits until that day is closed', async () => {
  const device = integratedDevice({ clock: rig.clock, nextTurn: () => 'works', lines: { customer: [], merchant: [] } });
  const terminals = device.keep();
  const day = Promise.withResolvers<void>();
  const order: string[] = [];
  const around = {
    integrated: () => ({
      ...terminals,
      get: async () => ({
        ...(await terminals.get()),
        async endOfDay() {
          order.push('day begins');
          await day.promise;
          order.push('day ends');
          return { lines: ['TOTAL 7,00'] };
        },
      }),
    }),
  };
  const open = await rig.open({ counters: 2, protocol: 'zvt', around });
  const inProgress = await sell(open, sale('7.00', 'T2'), 'key-00001');
  const closed = open.running.counters[1]?.books.close();
  await open.ended(inProgress);
  await rig.clock.advance(100);
  const next = sell(open, sale('9.00', 'T2'), 'key-00002').then((one) => {
    order.push('next sale');
    return one;
  });
  await rig.clock.advance(5_000);
  expect(order).toEqual(['day begins']);
  day.resolve();
  const z = closed && (await rig.clock.until(closed));
  await open.ended(await rig.clock.until(next));
  expect(order).toEqual(['day begins', 'day ends', 'next sale']);
  expect(z).toMatchObject({ terminal: { lines: ['TOTAL 7,00'], agrees: true } });
  await open.close();
});

const netsOf = ({ currencies }: Report): string[] => currencies.map(({ net, currency }) => `${net} ${currency}`);

const mayBe = ['terminal.busy', 'till.cannotFollow', 'till.nothingLeft', 'sale.likely'];
const ignoreClosed = (error: unknown): undefined => {
  if (!isFault(error) || !mayBe.includes(error.code)) throw error;
};

test.each(byNight({ day: [1, 2], night: [1, 2, 3, 4, 5, 6, 7, 8] }))(
  'closes at random moments of a day leave each sale in one batch, and none is added later (seed %i)',
  async (seed) => {
    rig.remove();
    rig = counterRig(seed);
    const chance = dice(seed);
    const open = await rig.open({ counters: 2 });
    const { running, service } = open;
    const pendingWork: Promise<unknown>[] = [];
    for (let n = 0; n < 70; n++) {
      const kind = chance.between(0, 9);
      const key = `key-${String(n).padStart(6, '0')}`;
      if (kind < 6)
        pendingWork.push(sell(open, sale(`${n + 1}.00`, `T${chance.between(1, 2)}`), key).catch(ignoreClosed));
      else if (kind < 8 && n > 2) {
        const { rows } = service.sales({ from: 0, most: 6 });
        const receipt = rows[chance.between(0, rows.length - 1)]?.receipt ?? 1;
        pendingWork.push(service.follow({ receipt, operation: 'void' }, anna, key).catch(ignoreClosed));
      } else {
        const counter = running.counters[chance.between(0, 1)] ?? running.counters[0];
        pendingWork.push(
          counter.books.close().catch((error: unknown) => {
            if (!isFault(error, 'books.nothingToClose')) throw error;
          }),
        );
      }
      await rig.clock.advance(chance.between(0, 1_500));
    }
    await rig.clock.until(Promise.all(pendingWork));
    await rig.clock.advance(60_000);
    const batches = running.books.batches();
    const inBatches = batches.flatMap((batch) => running.books.sales(batch).map(({ intent }) => intent.sale));
    expect(inBatches.length).toBe(new Set(inBatches).size);
    expect(inBatches.toSorted()).toEqual([...running.ledger.all()].map(({ intent }) => intent.sale).toSorted());
    const closed = batches.filter(({ z }) => z !== undefined);
    expect(closed.length).toBeGreaterThan(3);
    for (const batch of closed) {
      expect(batch.z?.open).toEqual([]);
      // All sales of the batch had ended before the close began, so their count is final.
      expect(running.books.report(batch).sales).toBe(batch.z?.report.sales);
      expect(netsOf(running.books.report(batch))).toEqual(batch.z && netsOf(batch.z.report));
    }
    await open.close();
  },
);
