/** A data folder restored from yesterday's copy, or opened on a second machine: what the till does, to the cent. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemIds } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import type { ZReport } from '../../src/reconciliation/z-report.ts';
import { verifyZ } from '../../src/reconciliation/z-report.ts';
import { HERE, NUMBER, openCopies, sell, THERE } from '../support/till/folder-copies.ts';
import { replyOf } from '../support/till/issuer-books.ts';
import { eur } from '../support/till/till-rig.ts';

let shop: ReturnType<typeof openCopies>;
beforeEach(() => {
  shop = openCopies();
});
afterEach(() => shop.remove());

const refused = (code: string) => expect.objectContaining({ code });
const blockCode = (till: RunningTill): string | undefined => {
  try {
    void sell(till, 100n).catch(() => undefined);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const zs = (till: RunningTill): ZReport[] => till.books.batches().flatMap(({ z }) => z ?? []);
const receipts = (till: RunningTill): number[] => [...till.ledger.all()].map(({ intent }) => intent.receipt);
const net = (z: ZReport): string => z.report.currencies[0]?.net ?? '0.00';

test('yesterday’s folder sells only after taking over what the gateway knows, and reuses no number', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    await till.books.close();
    await sell(till, 2_000n);
  });
  const yesterday = shop.copyTo('yesterday');
  await shop.during(async (till) => {
    await sell(till, 3_000n);
    await till.books.close();
    await sell(till, 4_000n);
    await till.till.refund({ receipt: 4 }, () => {}).done;
    await sell(till, 5_000n);
    await till.books.close();
    expect(zs(till).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  const restored = await shop.start(yesterday);
  expect(restored.place.comparison?.state()).toMatchObject({ state: 'due' });
  expect(await restored.place.comparison?.look()).toMatchObject({ state: 'behind', sales: 4 });
  expect(blockCode(restored)).toBe('machine.behind');
  expect(() => restored.till.refund({ receipt: 1 }, () => {})).toThrowError(refused('machine.behind'));
  expect(() => restored.books.x()).toThrowError(refused('machine.behind'));
  await expect(restored.books.close()).rejects.toMatchObject({ code: 'machine.behind' });
  const booked = shop.issuer.books.length;

  expect(await restored.place.takeOver()).toEqual({ sales: 4, left: 0, setAside: 0 });
  expect(restored.place.comparison?.state()).toEqual({ state: 'compared' });
  // The same receipts as on the customers' paper, and the same money.
  expect(receipts(restored)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(restored.till.find(4)).toMatchObject({ ending: 'approved', intent: { amount: eur(4_000n), sequence: 4 } });
  expect(restored.till.find(5)).toMatchObject({ intent: { operation: 'refund', follows: { receipt: 4 } } });
  expect(() => restored.till.refund({ receipt: 4 }, () => {})).toThrowError(refused('till.nothingLeft'));
  expect(shop.issuer.books).toHaveLength(booked);

  await sell(restored, 700n);
  expect(receipts(restored).at(-1)).toBe(7);
  expect(restored.books.x()).toMatchObject({ learned: 4 });
  const z = await restored.books.close();
  // The lost folder closed batches 2 and 3; with its five sales it could have closed five.
  expect(z).toMatchObject({ number: 7, skipped: 5, learned: 4, batch: 2, differences: [] });
  expect(z.notCompared).toBeUndefined();
  expect(net(z)).toBe('107.00');
  await sell(restored, 100n);
  expect(await restored.books.close()).toMatchObject({ number: 8, batch: 8 });
  expect(() => verifyZ(zs(restored))).not.toThrow();
});

test('until the gateway answers after a start, X and Z reports say so, and nothing is sent', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    shop.line.fate = 'notReached';
    await sell(till, 2_000n);
  });
  const till = await shop.start();
  expect(till.books.x()).toMatchObject({ notCompared: true });
  expect(await till.place.comparison?.look()).toMatchObject({ state: 'due' });
  shop.line.fate = 'answered';
  await till.forwarder.drain('all');
  expect(till.place.comparison?.state()).toEqual({ state: 'compared' });
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00', '20.00']);
  expect(till.books.x().notCompared).toBeUndefined();
});

test('a gateway that gives no list blocks nothing, and reports say that they were not compared', async () => {
  await shop.during(async (till) => {
    shop.line.fate = 'notReached';
    await sell(till, 1_000n);
  });
  shop.line.fate = 'answered';
  shop.issuer.list = () => replyOf('600.200.500', {});
  const till = await shop.start();
  await till.forwarder.drain('all');
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00']);
  expect(till.place.comparison?.state()).toMatchObject({ state: 'due', refused: '600.200.500' });
  expect(await till.books.close()).toMatchObject({ notCompared: true });
  await expect(till.place.takeOver()).rejects.toMatchObject({ code: 'machine.uncompared' });
});

test('on another machine it neither sells nor sends; once moved there it sells, and inquires first', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    shop.line.fate = 'notReached';
    await sell(till, 2_000n);
  });
  const moved = shop.copyTo('moved');
  // The machine that it came from sent it, and lost the answer.
  shop.line.fate = 'answered';
  await shop.during((till) => till.forwarder.drain('all'));

  await shop.during(
    async (till) => {
      expect(till.place.binding).toBe('elsewhere');
      expect(blockCode(till)).toBe('machine.other');
      expect(() => till.till.follow({ receipt: 1, operation: 'void' }, () => {})).toThrowError(
        refused('machine.other'),
      );
      expect(() => till.books.x()).toThrowError(refused('machine.other'));
      await expect(till.books.close()).rejects.toMatchObject({ code: 'machine.other' });
      await expect(till.counters[0].ready()).rejects.toMatchObject({ code: 'machine.other' });
      till.runInBackground();
      await till.forwarder.drain('all');
      expect(shop.issuer.books).toHaveLength(2);
      till.place.moved();
    },
    moved,
    THERE,
  );
  const till = await shop.start(moved, THERE);
  expect(till.place.binding).toBe('here');
  expect(till.place.comparison?.state()).toMatchObject({ state: 'due' });
  expect(till.outbox.waiting()).toMatchObject([{ tried: true }]);
  await till.forwarder.drain('all');
  expect(till.till.find(2)).toMatchObject({ forwarded: { approved: true } });
  expect(shop.issuer.books).toHaveLength(2);
  await sell(till, 3_000n);
  const z = await till.books.close();
  expect([z.number, net(z), z.differences]).toEqual([1, '60.00', []]);
  expect(() => till.place.moved()).toThrowError(refused('machine.settled'));
});

test('a copy gets its own terminals, and neither sends the original’s messages nor closes its batches', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    await till.books.close();
    shop.line.fate = 'notReached';
    await sell(till, 2_000n);
  });
  const copy = shop.copyTo('copy');
  await shop.during(
    (till) => {
      for (const bad of [[], [NUMBER], ['7', '8'], ['x']])
        expect(() => till.place.declareCopy(bad), String(bad)).toThrowError(refused('machine.terminals'));
      till.place.declareCopy(['70002']);
    },
    copy,
    THERE,
  );
  shop.line.fate = 'answered';
  expect(loadConfig(copy, systemIds).terminalId).toBe('70002');
  const till = await shop.start(copy, THERE);
  expect(till.place.binding).toBe('here');
  await till.forwarder.drain('all');
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00']);
  await sell(till, 3_000n);
  expect(till.till.find(3)).toMatchObject({ intent: { terminalId: '70002', sequence: 1 } });
  const z = await till.books.close();
  expect([z.number, z.terminalId, net(z)]).toEqual([1, '70002', '30.00']);
  await expect(till.books.close()).rejects.toMatchObject({ code: 'books.nothingToClose' });
  await shop.close(till);

  // The original continues as before, and the copy's sales are none of its business.
  await shop.during(async (original) => {
    await original.forwarder.drain('all');
    await sell(original, 4_000n);
    const own = await original.books.close();
    expect([own.number, own.terminalId, net(own), own.differences]).toEqual([2, NUMBER, '60.00', []]);
  });
  expect(shop.issuer.books.map(({ amount }) => amount)).toEqual(['10.00', '30.00', '20.00', '40.00']);
  await shop.during(
    async (reopened) => expect(await reopened.place.comparison?.look()).toEqual({ state: 'compared' }),
    copy,
    THERE,
  );
});

test('a till without a machine identity stays unbound, and is never compared', async () => {
  const till = await shop.start(shop.folder, HERE, null);
  expect(till.place).toMatchObject({ binding: 'unbound', comparison: undefined });
  await sell(till, 1_000n);
  expect(till.books.x().notCompared).toBeUndefined();
});
