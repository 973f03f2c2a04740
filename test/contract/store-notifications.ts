/**
 * What every store must do with calls of notificationUrl: due with their payment's ending, handled by one gateway at a
 * time.
 */
import { expect, test } from 'vitest';
import type { NotificationCall } from '../../src/gateway/store/notification-store.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { add, facts, idsOf, processing } from './store-samples.ts';

const notificationTo = (of: Partial<NotificationCall> & { id: string }): NotificationCall => ({
  entityId: 'e1',
  url: 'https://shop.test/?id=1',
  dueAt: 100,
  givesUpAt: 9_007_199_254_740_991,
  attempts: 0,
  ...of,
});

const keep = (store: Store, ...all: readonly NotificationCall[]) =>
  store.transact([], async ({ notifications }) => {
    for (const each of all) await notifications.add(each);
  });

export const notificationsContract = (store: () => Store): void => {
  const due = async (now: number, limit = 10) => idsOf(await store().notifications.due({ now, limit }));

  test('calls are due when their time has come and their payment has ended, longest overdue first', async () => {
    await add(store(), processing({ id: 'p1' }));
    const calls = [
      notificationTo({ id: 'n1' }),
      notificationTo({ id: 'n2', dueAt: 50 }),
      notificationTo({ id: 'n3', paymentId: 'p1' }),
    ];
    await keep(store(), ...calls, notificationTo({ id: 'n4', dueAt: 101 }));
    expect(await due(49)).toEqual([]);
    expect(await due(100)).toEqual(['n2', 'n1']);
    expect(await due(100, 1)).toEqual(['n2']);
    expect(await store().notifications.isAwaitingPayment(100)).toBe(true);
    expect(await store().notifications.next(100)).toBe(101);
    await store().finish('p1', { resultCode: '800.100.155', facts });
    expect((await store().notifications.due({ now: 100, limit: 10 })).find(({ id }) => id === 'n3')).toEqual(calls[2]);
  });

  test('a call is stored once, taken by one gateway, and removed when done', async () => {
    const { notifications } = store();
    await keep(store(), notificationTo({ id: 'n1' }), notificationTo({ id: 'n1', url: 'https://other.test/' }));
    const [read] = await notifications.due({ now: 100, limit: 10 });
    if (read === undefined) throw new Error('no call is due');
    expect(read.url).toBe('https://shop.test/?id=1');
    const leases = await Promise.all([notifications.lease(read, 500), notifications.lease(read, 500)]);
    expect(leases.filter((won) => won)).toHaveLength(1);
    expect(await due(499)).toEqual([]);
    await notifications.retryAt('n1', 300);
    expect(await notifications.due({ now: 300, limit: 10 })).toEqual([{ ...read, dueAt: 300, attempts: 1 }]);
    await notifications.remove('n1');
    expect([await due(1_000), await notifications.next(0)]).toEqual([[], undefined]);
    expect(await notifications.isAwaitingPayment(1_000)).toBe(false);
  });
};
