/** What every store must do with checkouts and with scheduled calls. */
import { expect, test } from 'vitest';
import type { Checkout, CheckoutCall } from '../../src/gateway/store/checkout-store.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { add, completed, facts, processing } from './store-samples.ts';

const checkout = (of: Partial<Checkout> & { id: string }): Checkout => ({
  entityId: 'e1',
  kind: 'payment',
  at: 1_767_355_200_000,
  sealed: { keyId: 'k1', wrappedKey: 'd3JhcHBlZA==', box: 'Ym94' },
  attempts: [],
  ...of,
});

const attempt = (id: string) => ({ id, fingerprint: `of ${id}`, at: 5 });
const callTo = (of: Partial<CheckoutCall>): CheckoutCall => ({
  checkoutId: 'c1',
  kind: 'result',
  url: 'https://shop.test/',
  dueAt: 100,
  ...of,
});

const keepCheckout = (store: Store, ...all: readonly Checkout[]) =>
  store.transact([], async (session) => {
    for (const each of all) await session.checkouts.add(each);
  });
const calls = (store: Store, ...all: readonly CheckoutCall[]) =>
  store.transact([], async (session) => {
    for (const each of all) await session.checkouts.addCall(each);
  });
const urlsOf = async (store: Store, now: number, limit = 10) =>
  (await store.checkouts.dueCalls(now, limit)).map(({ checkoutId, kind, url }) => `${checkoutId} ${kind} ${url}`);

export const checkoutsContract = (store: () => Store): void => {
  test('stores a checkout, changes it, and shows a session its own changes', async () => {
    const stored = checkout({ id: 'c1' });
    await keepCheckout(store(), stored);
    expect(await store().checkouts.byId('c1')).toEqual(stored);
    expect(await store().checkouts.byId('c2')).toBeUndefined();
    const changed = { ...stored, attempts: [attempt('p1'), attempt('p2')], fetchedAt: 7 };
    const inTransaction = await store().transact(['c1'], async (session) => {
      await session.checkouts.change(changed);
      return session.checkouts.byId('c1');
    });
    expect(inTransaction).toEqual(changed);
    expect(await store().checkouts.byId('c1')).toEqual(changed);
  });

  test('records the first fetch of the latest attempt, and none of one that another attempt has followed', async () => {
    const first = checkout({ id: 'c1', attempts: [attempt('p1')] });
    await keepCheckout(store(), first);
    await store().checkouts.recordFetch({ ...first, attempts: [] }, 5);
    expect((await store().checkouts.byId('c1'))?.fetchedAt).toBeUndefined();
    await store().checkouts.recordFetch(first, 6);
    await store().checkouts.recordFetch(first, 7);
    expect((await store().checkouts.byId('c1'))?.fetchedAt).toBe(6);
  });

  test('returns calls when they are due, earliest first, until a gateway claims them', async () => {
    await keepCheckout(store(), checkout({ id: 'c1' }), checkout({ id: 'c2', fetchedAt: 1 }));
    await calls(store(), callTo({ dueAt: 200 }), callTo({ kind: 'last', dueAt: 300 }), callTo({ checkoutId: 'c2' }));
    expect(await store().checkouts.nextCallAt()).toBe(100);
    expect(await urlsOf(store(), 99)).toEqual([]);
    expect(await urlsOf(store(), 200)).toEqual(['c2 result https://shop.test/', 'c1 result https://shop.test/']);
    expect(await urlsOf(store(), 300, 1)).toEqual(['c2 result https://shop.test/']);
    expect((await store().checkouts.dueCalls(100, 10))[0]).toMatchObject({ fetched: true, dueAt: 100 });
    const claimed = await Promise.all([1, 2, 3].map((at) => store().checkouts.claim(callTo({ checkoutId: 'c2' }), at)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(await store().checkouts.claim(callTo({ checkoutId: 'c3' }), 1)).toBe(false);
    expect(await urlsOf(store(), 300)).toEqual(['c1 result https://shop.test/', 'c1 last https://shop.test/']);
    expect(await store().checkouts.nextCallAt()).toBe(200);
  });

  test('accepts a later address for a call, unless it was made', async () => {
    await keepCheckout(store(), checkout({ id: 'c1' }));
    await calls(store(), callTo({}), callTo({ kind: 'last' }));
    await store().checkouts.claim(callTo({ kind: 'last' }), 1);
    await calls(store(), callTo({ url: 'https://other.test/' }), callTo({ kind: 'last', url: 'https://other.test/' }));
    expect(await urlsOf(store(), 100)).toEqual(['c1 result https://other.test/']);
  });

  test('a notification waits for its payment: for an approval, or for any ending once its time has come', async () => {
    await keepCheckout(store(), checkout({ id: 'c1' }), checkout({ id: 'c2' }), checkout({ id: 'c3' }));
    await add(store(), processing({ id: 'p1' }), processing({ id: 'p2' }), completed({ id: 'p3' }));
    const note = (of: Partial<CheckoutCall>) => callTo({ kind: 'notification', url: 'n', ...of });
    expect(await store().checkouts.isAwaitingPayment()).toBe(false);
    await calls(store(), note({ paymentId: 'p1' }), note({ checkoutId: 'c2', paymentId: 'p2' }));
    expect(await store().checkouts.isAwaitingPayment()).toBe(true);
    expect(await urlsOf(store(), 500)).toEqual([]);
    await store().finish('p1', { resultCode: '000.100.110', facts });
    await store().finish('p2', { resultCode: '800.100.155', facts });
    expect(await urlsOf(store(), 99)).toEqual(['c1 notification n']);
    expect(await store().checkouts.dueCalls(99, 10)).toMatchObject([{ resultCode: '000.100.110' }]);
    expect(new Set(await urlsOf(store(), 100))).toEqual(new Set(['c1 notification n', 'c2 notification n']));
    // A call for another attempt waits for that attempt.
    await calls(store(), note({ checkoutId: 'c2', paymentId: 'p3' }));
    expect(await urlsOf(store(), 99)).toEqual(['c1 notification n', 'c2 notification n']);
  });

  test('forgets the shop’s data of finished checkouts, and nothing else', async () => {
    const old = checkout({ id: 'c1', at: 100, attempts: [attempt('p1')] });
    const young = checkout({ id: 'c2', at: 101 });
    await keepCheckout(store(), old, young);
    expect(await store().checkouts.oldestStoredAt()).toBe(100);
    expect(await store().checkouts.forget(99)).toBe(0);
    expect(await store().checkouts.forget(100)).toBe(1);
    expect(await store().checkouts.forget(100)).toBe(0);
    const { sealed: _, ...rest } = old;
    expect(await store().checkouts.byId('c1')).toEqual(rest);
    expect(await store().checkouts.byId('c2')).toEqual(young);
    expect(await store().checkouts.oldestStoredAt()).toBe(101);
  });

  test('knows when a channel is full, and drops expired checkouts that were never submitted', async () => {
    await keepCheckout(
      store(),
      ...[1, 2, 3].map((n) => checkout({ id: `c${n}`, at: 100 + n })),
      checkout({ id: 'of-another', entityId: 'e2', at: 50 }),
      checkout({ id: 'submitted', at: 90, attempts: [attempt('p1')] }),
    );
    const full = (since: number, most: number, entityId = 'e1') =>
      store().transact([], (session) => session.checkouts.oldestWhenFull({ entityId, since, most }));
    expect([await full(0, 3), await full(0, 4), await full(0, 5)]).toEqual([90, 90, undefined]);
    expect([await full(101, 2), await full(101, 3)]).toEqual([102, undefined]);
    expect([await full(0, 1, 'e2'), await full(0, 1, 'e3')]).toEqual([50, undefined]);
    expect(await store().checkouts.dropAbandoned({ until: 200, limit: 10 })).toBe(0);
    await store().checkouts.forget(102);
    expect(await store().checkouts.dropAbandoned({ until: 101, limit: 1 })).toBe(1);
    expect(await store().checkouts.dropAbandoned({ until: 101, limit: 1 })).toBe(1);
    expect(await store().checkouts.dropAbandoned({ until: 101, limit: 1 })).toBe(0);
    const left = ['c1', 'c2', 'c3', 'of-another', 'submitted'].map((id) => store().checkouts.byId(id));
    expect((await Promise.all(left)).map((each) => each?.id)).toEqual([
      ...[undefined, 'c2', 'c3'],
      ...[undefined, 'submitted'],
    ]);
  });

  test('keeps no more webhooks per channel than allowed, however many arrive at once', async () => {
    const secret = { keyId: 'k1', wrappedKey: 'd3JhcHBlZA==', box: 'Ym94' };
    const add = (id: string, most?: number, entityId = 'e1') =>
      store().webhooks.add(
        {
          ...{ id, entityId, url: `https://shop.test/${id}`, types: ['PAYMENT'], fields: 'ALL', wrapper: 'RAW' },
          ...{ state: 'inactive', at: 1, failures: 0, retryAt: 0, secret },
        },
        most,
      );
    const added = await Promise.all(['w1', 'w2', 'w3', 'w4'].map((id) => add(id, 2)));
    expect(added.filter((isAdded) => isAdded)).toHaveLength(2);
    expect([await add('w5', 2, 'e2'), await add('w6', 2), await add('w7')]).toEqual([true, false, true]);
    expect(await store().webhooks.list('e1')).toHaveLength(3);
    // A removed webhook is only a row, which is deleted a day after its last turn.
    for (const { id } of await store().webhooks.list('e1'))
      await store().webhooks.change(id, ({ secret: _, ...rest }) => ({ ...rest, state: 'removed' }));
    expect(await add('w8', 1)).toBe(true);
    const DAY_MS = 86_400_000;
    expect(await store().webhooks.purge({ now: DAY_MS + 1, limit: 2 })).toBe(2);
    expect(await store().webhooks.purge({ now: DAY_MS + 1, limit: 2 })).toBe(1);
    expect(await store().webhooks.purge({ now: DAY_MS + 1, limit: 2 })).toBe(0);
    expect((await store().webhooks.list()).map(({ id }) => id)).toEqual(['w5', 'w8']);
  });

  test('each of several transactions on one checkout sees the result of the one before', async () => {
    await keepCheckout(store(), checkout({ id: 'c1' }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store().transact(['checkout c1'], async (session) => {
          const inTransaction = await session.checkouts.byId('c1');
          if (inTransaction === undefined) throw new Error('gone');
          await session.checkouts.change({ ...inTransaction, attempts: [...inTransaction.attempts, attempt(`p${n}`)] });
        }),
      ),
    );
    expect((await store().checkouts.byId('c1'))?.attempts).toHaveLength(20);
  });
};
