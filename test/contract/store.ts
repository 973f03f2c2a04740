/** What every store must do, whatever engine is under it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Payment, Store } from '../../src/gateway/store/store.ts';

const facts = { descriptor: 'x', requestId: 'r', rootId: 'p1', echo: {}, customParameters: {} };

type Parts = Partial<Omit<Payment, 'state'>> & { id: string };

const payment = (of: Parts): Payment => ({ ...common(of), state: 'processing' });

const done = (of: Parts): Payment => ({ ...common(of), state: 'done', resultCode: '000.100.110' });

const common = (of: Parts) => ({
  entityId: 'e1',
  paymentType: 'DB' as const,
  amount: { minor: 1000n, currency: 'EUR' },
  at: 1_767_355_200_000,
  facts,
  ...of,
});

/** `open` gives an empty store each time. */
export const storeContract = (name: string, open: () => Promise<Store>): void => {
  describe(`the store ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const add = (...payments: Payment[]) =>
      store.atomically(async (session) => {
        for (const each of payments) await session.add(each, []);
      });

    test('gives a payment back as it was put in', async () => {
      const full = payment({
        id: 'p1',
        merchantTransactionId: 'möbel 1 😀',
        referencedId: 'p0',
        facts: { ...facts, why: 'a "reason"\n', card: { last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' } },
      });
      const small = payment({ id: 'p2' });
      await add(full, small);
      expect(await store.payment('p1')).toEqual(full);
      expect(await store.payment('p2')).toEqual(small);
      expect(await store.payment('p3')).toBeUndefined();
    });

    test.each([0n, 1n, 9_007_199_254_740_993n, 999_999_999_999_990n])(
      'keeps %d minor units to the last one',
      async (minor) => {
        await add(payment({ id: 'p1', amount: { minor, currency: 'KWD' } }));
        expect((await store.payment('p1'))?.amount).toEqual({ minor, currency: 'KWD' });
      },
    );

    test('ends a payment once: the first ending counts', async () => {
      await add(payment({ id: 'p1' }));
      await store.finish('p1', { resultCode: '000.100.110', facts: { ...facts, why: 'first' } });
      await store.finish('p1', { resultCode: '800.100.155', facts: { ...facts, why: 'second' } });
      expect(await store.payment('p1')).toMatchObject({
        state: 'done',
        resultCode: '000.100.110',
        facts: { why: 'first' },
      });
    });

    test('lists what was begun and not ended, oldest first', async () => {
      await add(payment({ id: 'p3' }), payment({ id: 'p1' }), done({ id: 'p2' }));
      expect((await store.unfinished()).map(({ id }) => id)).toEqual(['p3', 'p1']);
      await store.finish('p3', { resultCode: '000.100.110', facts });
      expect((await store.unfinished()).map(({ id }) => id)).toEqual(['p1']);
    });

    test('finds followers and references, each merchant its own, oldest first, so many', async () => {
      await add(
        payment({ id: 'p1', merchantTransactionId: 'm' }),
        payment({ id: 'p4', merchantTransactionId: 'm', referencedId: 'p1' }),
        payment({ id: 'p2', merchantTransactionId: 'm', referencedId: 'p1' }),
        payment({ id: 'p3', merchantTransactionId: 'm', entityId: 'e2' }),
        payment({ id: 'p5', merchantTransactionId: 'M' }),
      );
      const found = async (entityId: string, limit: number) =>
        (await store.withReference({ entityId, merchantTransactionId: 'm', limit })).map(({ id }) => id);
      expect(await found('e1', 100)).toEqual(['p1', 'p4', 'p2']);
      expect(await found('e1', 2)).toEqual(['p1', 'p4']);
      expect(await found('e2', 100)).toEqual(['p3']);
      expect((await store.followersOf('p1')).map(({ id }) => id)).toEqual(['p4', 'p2']);
    });

    test('keeps claims with their payment, and refuses a key twice', async () => {
      const claim = (id: string) =>
        store.atomically((session) => session.add(payment({ id }), [{ key: 'k', fingerprint: `of ${id}` }]));
      await claim('p1');
      expect(await store.atomically((session) => session.claimed('k'))).toEqual({
        fingerprint: 'of p1',
        paymentId: 'p1',
      });
      expect(await store.atomically((session) => session.claimed('other'))).toBeUndefined();
      await expect(claim('p2')).rejects.toThrow();
      // All or nothing: the payment of the refused claim is not there either.
      expect(await store.payment('p2')).toBeUndefined();
    });

    test('frees the claims of a payment with its ending, and only then', async () => {
      const [first, second] = ['k', 'l'].map((key) => ({ key, fingerprint: 'f' }));
      if (first === undefined || second === undefined) throw new Error('two claims were made');
      const claimed = (key: string) => store.atomically((session) => session.claimed(key));
      await store.atomically(async (session) => {
        await session.add(payment({ id: 'p1' }), [first, second]);
        await session.add(payment({ id: 'p2' }), [{ key: 'm', fingerprint: 'f' }]);
      });
      await store.finish('p1', { resultCode: '100.396.103', facts, frees: 'claims' });
      await store.finish('p2', { resultCode: '000.100.110', facts });
      expect([await claimed('k'), await claimed('l')]).toEqual([undefined, undefined]);
      expect(await claimed('m')).toMatchObject({ paymentId: 'p2' });
      // The first ending counts for the claims too, and what came after the freed one keeps its own.
      await store.finish('p2', { resultCode: '100.396.103', facts, frees: 'claims' });
      await store.atomically((session) => session.add(payment({ id: 'p3' }), [first]));
      await store.finish('p1', { resultCode: '100.396.103', facts, frees: 'claims' });
      expect([await claimed('m'), await claimed('k')]).toMatchObject([{ paymentId: 'p2' }, { paymentId: 'p3' }]);
    });

    test('undoes everything when the work throws', async () => {
      const work = store.atomically(async (session) => {
        await session.add(payment({ id: 'p1' }), [{ key: 'k', fingerprint: 'f' }]);
        throw new Error('on purpose');
      });
      await expect(work).rejects.toThrow('on purpose');
      expect(await store.payment('p1')).toBeUndefined();
      expect(await store.atomically((session) => session.claimed('k'))).toBeUndefined();
    });

    test('lets one work at a time decide', async () => {
      const take = (id: string) =>
        store.atomically(async (session) => {
          const taken = await session.claimed('k');
          if (taken !== undefined) return taken.paymentId;
          await session.add(payment({ id }), [{ key: 'k', fingerprint: 'f' }]);
          return id;
        });
      const winners = await Promise.all(['p1', 'p2', 'p3'].map(take));
      expect(new Set(winners).size).toBe(1);
    });

    test('remembers for the acquirer, all or nothing', async () => {
      const { memory } = store;
      expect(await memory.get('a')).toBeUndefined();
      await memory.set({ a: '1', b: '2' });
      await memory.set({ a: '3' });
      expect([await memory.get('a'), await memory.get('b')]).toEqual(['3', '2']);
      // A value that no store can keep spoils the whole set.
      await expect(memory.set({ b: '4', c: undefined as unknown as string })).rejects.toThrow();
      expect([await memory.get('b'), await memory.get('c')]).toEqual(['2', undefined]);
    });
  });
};
