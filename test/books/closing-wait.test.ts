/** A manager closes the batch of a busy counter: the screen shows what the close waits for, and it can be cancelled. */
import { afterEach, expect, test } from 'vitest';
import type { Actor } from '../../src/api/ports/session.ts';
import { booksRig, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const mia: Actor = { ...max, name: 'Mia' };

/** A counter with one sale that has ended and one in progress. */
const selling = async () => {
  rig = booksRig({ takesMs: 1_000 });
  const till = await rig.open();
  await till.sell(1_000n);
  const inProgress = till.running.counters[0].till.sell({ amount: { minor: 2_000n, currency: 'EUR' } }, () => {});
  const waits = {
    terminalId: till.running.config.terminalId,
    sales: [
      {
        ...{ receipt: 2, operation: 'sale', counter: 'T1', startedAt: expect.any(Number) },
        amount: { amount: '20.00', currency: 'EUR' },
      },
    ],
  };
  return { ...till, inProgress, waits };
};

test('a sale in progress makes no check red: it is named, and the close says that it waits for it', async () => {
  const till = await selling();
  const { checks, mayClose, inProgress } = await rig.done(till.service.closing());
  expect([mayClose, checks.every(({ ok }) => ok), inProgress]).toEqual([true, true, till.waits.sales]);
  const closed = till.service.close({}, max);
  await rig.clock.advance(100);
  expect(till.service.closingWait()).toEqual({ waits: till.waits });
  const z = await rig.done(closed);
  expect(z).toMatchObject({ state: 'closed', sales: 2, net: [{ amount: '30.00', currency: 'EUR' }] });
  expect(till.service.closingWait()).toEqual({});
  const events = till.told.filter(({ on }) => on === 'closing');
  expect(events).toEqual([{ on: 'closing', waits: till.waits }, { on: 'closing' }]);
  await till.close();
});

test('one person’s cancellation cancels the close for all who asked for it, and nothing is closed', async () => {
  const till = await selling();
  const both = [till.service.close({}, max), till.service.close({}, mia)].map((one) =>
    expect(one).rejects.toMatchObject({ code: 'books.closeCancelled' }),
  );
  await rig.clock.advance(100);
  expect(till.service.cancelClosing()).toEqual({ waits: till.waits });
  await Promise.all(both);
  expect(till.service.closingWait()).toEqual({});
  await rig.done(till.inProgress.done);
  expect(till.service.batches()).toMatchObject([{ batch: 1, state: 'open', sales: 2 }]);
  await till.close();
});

test('disconnecting cancels the close only when nobody else waits for it', async () => {
  const till = await selling();
  const [first, last] = [new AbortController(), new AbortController()];
  const both = [till.service.close({}, max, first.signal), till.service.close({}, mia, last.signal)].map((one) =>
    expect(one).rejects.toMatchObject({ code: 'books.closeCancelled' }),
  );
  await rig.clock.advance(100);
  first.abort();
  await rig.clock.advance(100);
  expect(till.service.closingWait()).toEqual({ waits: till.waits });
  last.abort();
  await Promise.all(both);
  await rig.done(till.inProgress.done);
  expect(till.service.batches()).toMatchObject([{ batch: 1, state: 'open' }]);
  await till.close();
});
