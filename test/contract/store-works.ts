/** What every store guarantees for transactions: exclusive, complete, and never nested. */
import { expect, test } from 'vitest';
import type { Store } from '../../src/gateway/store/store.ts';
import { add, claimOf, facts, processing } from './store-samples.ts';

const repeat = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Adds one to a number that both halves of the transaction read: two overlapping transactions would lose one. */
export const increment = (store: Store, name: string): Promise<void> =>
  store.memory.withLocks([name, 'shared by nobody else'], async (documents) => {
    const count = Number((await documents.get(name)) ?? '0');
    await documents.set([{ key: name, value: String(count + 1) }]);
  });

export const worksContract = (store: () => Store): void => {
  test('rolls back everything when the transaction throws', async () => {
    const work = store().transact(['k'], async (session) => {
      await session.add(processing({ id: 'p1' }), [{ key: 'k', fingerprint: 'f' }]);
      throw new Error('on purpose');
    });
    await expect(work).rejects.toThrow('on purpose');
    expect(await store().payment('p1')).toBeUndefined();
    expect(await claimOf(store(), 'k')).toBeUndefined();
  });

  test('lets one transaction at a time decide', async () => {
    const take = (claimAt: number) =>
      store().transact(['k'], async (session) => {
        const claimedKeys = await session.findClaimed(['k']);
        if (claimedKeys !== undefined) return claimedKeys;
        await session.add(processing({ id: `p${claimAt}` }), [{ key: 'k', fingerprint: 'f' }]);
        return { fingerprint: 'f', kind: 'payment', paymentId: `p${claimAt}` };
      });
    const winners = await repeat(10, take);
    expect(new Set(winners.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test('a hundred transactions on one name never interleave', async () => {
    let inside = 0;
    await repeat(100, (index) =>
      store().transact(['before', 'same'].slice(index % 2), async (session) => {
        inside += 1;
        expect(inside).toBe(1);
        await session.add(processing({ id: `p${index}` }), []);
        expect(await session.payment(`p${index}`)).toBeDefined();
        inside -= 1;
      }),
    );
    const { total } = await store().search({ entityId: 'e1', limit: 1 });
    expect(total).toBe(100);
  });

  test('a hundred transactions of the acquirer run one after another, none on stale data', async () => {
    await repeat(100, () => increment(store(), 'count'));
    expect(await store().memory.get('count')).toBe('100');
  });

  test('a hundred transactions on different names all commit', async () => {
    await repeat(100, (index) =>
      store().transact([`n${index}`], (session) =>
        session.add(processing({ id: `p${index}` }), [{ key: `k${index}`, fingerprint: 'f' }]),
      ),
    );
    const { total } = await store().search({ entityId: 'e1', limit: 1 });
    expect(total).toBe(100);
  });

  test('transactions that lock the same names in different orders do not deadlock', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const pairs = names.flatMap((one) => names.map((otherName) => [one, otherName, one]));
    await repeat(4, () => Promise.all(pairs.map((pair) => store().transact(pair, (session) => session.payment('p')))));
  });

  test('of many simultaneous transactions only those that fail are rolled back', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        store().transact([`n${index}`], async (session) => {
          await session.add(processing({ id: `p${index}` }), [{ key: `k${index}`, fingerprint: 'f' }]);
          if (index % 3 === 0) throw new Error(`on purpose ${index}`);
          // A failed statement fails its transaction: this key may be taken already.
          if (index % 3 === 1)
            await session.addAnswer({ status: 200, body: '' }, [{ key: `k${index}`, fingerprint: 'f' }]);
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 30 }, (_, index) => (index % 3 === 2 ? 'fulfilled' : 'rejected')),
    );
    const found = await repeat(30, (index) => store().payment(`p${index}`));
    expect(found.map((each) => each !== undefined)).toEqual(Array.from({ length: 30 }, (_, index) => index % 3 === 2));
  });

  test('a transaction that ignores a failed statement does not commit', async () => {
    const work = store().transact(['k'], async (session) => {
      await session.add(processing({ id: 'p1' }), [{ key: 'k', fingerprint: 'f' }]);
      await session.addAnswer({ status: 200, body: '' }, [{ key: 'k', fingerprint: 'f' }]).catch(() => undefined);
      await session.payment('p1').catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ code: 'gateway.state' });
    expect(await store().payment('p1')).toBeUndefined();
  });

  test.each<[string, (inner: Store) => Promise<unknown>]>([
    ['reads', (inner) => inner.payment('p1')],
    ['searches', (inner) => inner.search({ entityId: 'e1', limit: 1 })],
    ['starts another work', (inner) => inner.transact(['other'], async () => undefined)],
    ['starts a work of the acquirer', (inner) => inner.memory.withLocks(['other'], async () => undefined)],
    ['ends a payment', (inner) => inner.finish('p1', { resultCode: '000.100.110', facts })],
  ])('a transaction that %s at the store itself is refused, and does not wait', async (_, ask) => {
    const refused = { code: 'gateway.state', message: expect.stringContaining('its own session') };
    await expect(store().transact(['k'], () => ask(store()))).rejects.toMatchObject(refused);
    await expect(store().memory.withLocks(['k'], () => ask(store()))).rejects.toMatchObject(refused);
    // Work that a transaction has started may query the store once the transaction is over.
    const { promise: finished, resolve } = Promise.withResolvers<void>();
    const second = await store().transact(['k'], async () => ({ asked: finished.then(() => ask(store())) }));
    resolve();
    await second.asked;
  });

  test('a session is unusable after its transaction', async () => {
    const session = await store().transact(['k'], async (each) => each);
    const lateFault = { code: 'gateway.state', message: expect.stringContaining('after its end') };
    await expect(session.add(processing({ id: 'p1' }), [])).rejects.toMatchObject(lateFault);
    await expect(session.payment('p1')).rejects.toMatchObject(lateFault);
  });

  test('closing waits for everything that has begun, including transactions that wait for each other', async () => {
    const works = repeat(30, (index) =>
      store().transact(['same'], (session) => session.add(processing({ id: `p${index}` }), [])),
    );
    const [, ended] = await Promise.all([store().close(), works]);
    expect(ended).toHaveLength(30);
  });

  test('simultaneous reads, transactions and endings of many payments all take effect as intended', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `p${index}`);
    await Promise.all(
      ids.map(async (id) => {
        await add(store(), processing({ id }));
        expect(await store().payment(id)).toMatchObject({ state: 'processing' });
        await increment(store(), `of ${id.slice(-1)}`);
        await store().finish(id, { resultCode: '000.100.110', facts });
        expect(await store().payment(id)).toMatchObject({ state: 'done' });
      }),
    );
    expect(await store().unfinished(Number.MAX_SAFE_INTEGER)).toEqual([]);
    expect(await store().memory.get('of 7')).toBe('6');
  });
};
