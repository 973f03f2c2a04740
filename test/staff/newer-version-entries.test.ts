/** A newer version's entries about something other than a sale: skipped, or reported as blocking. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { reconciliationStore } from '../../src/books/reconciling-store.ts';
import { openPosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { twoTills } from '../journal/two-tills.ts';
import { entryOfFuture, writeEntries } from '../support/future/future.ts';

let shop: ReturnType<typeof twoTills>;
beforeEach(() => {
  shop = twoTills(32);
});
afterEach(() => shop.remove());

const life = <T>(work: (till: RunningTill) => Promise<T> | T): Promise<T> => shop.life('a', work);
const writeFuture = (...of: Parameters<typeof entryOfFuture>): void =>
  writeEntries(shop.folderOf('a'), [entryOfFuture(...of)]);
const faultOf = (work: () => Promise<unknown>): Promise<string> =>
  shop.faultOf(shop.clock.until((async () => work())()));
const keyParts = (till: RunningTill) => ({ journal: till.journal, clock: systemClock, random: systemRandom });

const batchOf = (till: RunningTill) => {
  const { terminalId, batch } = till.books.batchToClose();
  return { subject: `batch ${terminalId} ${batch}`, terminalId, batch };
};

test('a newer version’s entry about a batch', async () => {
  const { subject, ...batch } = await life(async (till) => {
    await shop.sell(till, 1_000n);
    return batchOf(till);
  });
  writeFuture(subject, 'batchTagged', { ...batch, ignorable: true });
  await life((till) => {
    expect(till.books.batchToClose()).toMatchObject({ state: 'open' });
    expect(till.books.x()).toMatchObject({ number: 1 });
  });
  writeFuture(subject, 'batchSplit', { ...batch, share: 2 });
  await life(async (till) => {
    await shop.sell(till, 500n);
    expect(till.books.batches()).toMatchObject([{ state: 'open', newer: 'batchSplit' }]);
    for (const act of [async () => till.books.x(), () => till.books.open(), () => till.books.close()])
      expect(await faultOf(act)).toBe('books.newer');
    expect(till.books.lines(till.books.batch(1))).toHaveLength(2);
  });
});

test('a newer version’s entry about the staff', async () => {
  const ana = { name: 'Ana', role: 'manager', pin: '471192' } as const;
  await life((till) => till.staff.add(ana));
  writeFuture('staff', 'badgeShown', { name: 'Ana', ignorable: true });
  await life((till) => till.staff.add({ ...ana, name: 'Ben' }, ana));
  writeFuture('staff', 'shiftRule', { name: 'Ana' });
  await life(async (till) => {
    expect(till.staff.people().map(({ name }) => name)).toEqual(['Ana', 'Ben']);
    expect(await till.staff.admit({ name: 'Ana', pin: '471192' }, 'sell')).toMatchObject({
      name: 'Ana',
    });
    for (const act of [
      () => till.staff.add({ ...ana, name: 'Cem' }, ana),
      () => till.staff.changePin({ name: 'Ben', pin: '902846' }, ana),
      async () => till.staff.remove('Ben', ana),
    ])
      expect(await shop.faultOf((async () => act())())).toBe('staff.newer');
    expect(till.staff.people()).toHaveLength(2);
  });
});

test('newer entries about a program’s key and about a reconciliation', async () => {
  const key = await life((till) => openPosKeys(keyParts(till)).make({ name: 'Kiosk' }).key);
  const works = () => life((till) => openPosKeys(keyParts(till)).program(key) !== undefined);
  writeFuture('posKeys', 'posKeySeen', { name: 'Kiosk', ignorable: true });
  expect(await works()).toBe(true);
  writeFuture('posKeys', 'posKeyNarrowed', { name: 'Kiosk' });
  expect(await works()).toBe(false);
  writeFuture('reconciliation 0123456789abcdef', 'reconciliationShared', { with: 'bank' });
  await life((till) => expect(reconciliationStore(till.journal).rows()).toEqual([]));
});
