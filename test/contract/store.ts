/** What every store must do, whatever its engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/gateway/store/store.ts';
import { checkoutsContract } from './store-checkouts.ts';
import { notificationsContract } from './store-notifications.ts';
import { add, claimOf, completed, facts, idsOf, processing, registration } from './store-samples.ts';
import { schedulesContract } from './store-schedules.ts';
import { searchContract } from './store-search.ts';
import { worksContract } from './store-works.ts';

/** `open` returns an empty store each time. */
export const storeContract = (name: string, open: () => Promise<Store>): void => {
  describe(`the store ${name}`, () => {
    let currentStore: Store | undefined;
    const store = () => {
      if (currentStore === undefined) throw new Error('no store is open');
      return currentStore;
    };
    beforeEach(async () => {
      currentStore = await open();
    });
    afterEach(() => store().close());

    paymentsContract(store);
    claimsContract(store);
    registrationsContract(store);
    checkoutsContract(store);
    textsContract(store);
    searchContract(store);
    schedulesContract(store);
    notificationsContract(store);
    worksContract(store);
  });
};

const paymentsContract = (store: () => Store): void => {
  test('returns a payment unchanged', async () => {
    const full = processing({
      id: 'p1',
      paymentMethod: 'DD',
      merchantTransactionId: 'möbel 1 😀',
      referencedId: 'p0',
      rootId: 'p0',
      registrationId: 'r1',
      shortId: '1234.5678.9012',
      facts: { ...facts, why: 'a "reason"\n', card: { last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' } },
    });
    const small = completed({ id: 'p2' });
    await add(store(), full, small);
    expect(await store().payment('p1')).toEqual(full);
    expect(await store().payment('p2')).toEqual(small);
    expect(await store().payment('p3')).toBeUndefined();
    expect(await store().transact([], (session) => session.payment('p1'))).toEqual(full);
  });

  test.each([0n, 1n, 9_007_199_254_740_993n, 999_999_999_999_990n])('stores %d minor units exactly', async (minor) => {
    await add(store(), processing({ id: 'p1', amount: { minor, currency: 'KWD' } }));
    expect((await store().payment('p1'))?.amount).toEqual({ minor, currency: 'KWD' });
  });

  test('ends a payment once: the first ending counts, even of two at the same time', async () => {
    await add(store(), processing({ id: 'p1' }), processing({ id: 'p2' }));
    await store().finish('p1', { resultCode: '000.100.110', facts: { ...facts, why: 'first' } });
    await store().finish('p1', { resultCode: '800.100.155', facts: { ...facts, why: 'second' } });
    const first = { state: 'done', resultCode: '000.100.110', facts: { why: 'first' } };
    expect(await store().payment('p1')).toMatchObject(first);
    const codes = ['000.100.110', '800.100.155', '100.396.103'];
    await Promise.all(
      codes.map((resultCode, index) =>
        store().finish('p2', { resultCode, facts, registration: registration({ id: `r${index}` }) }),
      ),
    );
    const ended = await store().payment('p2');
    const stored = await Promise.all(codes.map((_, index) => store().registration(`r${index}`)));
    expect(idsOf(stored.filter((each) => each !== undefined))).toEqual([ended?.registrationId]);
    expect(ended).toMatchObject({ state: 'done', resultCode: codes[Number(ended?.registrationId?.slice(1))] });
    await store().finish('unknown', { resultCode: '000.100.110', facts });
  });

  test('a partial approval changes the payment’s amount, with a registration too', async () => {
    await add(store(), processing({ id: 'p1' }), processing({ id: 'p2' }));
    const amount = { minor: 7n, currency: 'EUR' };
    const stored = registration({ id: 'r2' });
    await store().finish('p1', { resultCode: '000.100.110', facts, amount });
    await store().finish('p2', { resultCode: '000.100.110', facts, amount, registration: stored });
    expect(await store().payment('p1')).toMatchObject({ state: 'done', amount });
    expect(await store().payment('p2')).toMatchObject({ state: 'done', amount, registrationId: 'r2' });
  });

  test('an ending keeps the registration that was charged', async () => {
    await add(store(), processing({ id: 'p1', registrationId: 'r1' }));
    await store().finish('p1', { resultCode: '000.100.110', facts });
    expect(await store().payment('p1')).toMatchObject({ state: 'done', registrationId: 'r1' });
  });

  test('adds facts to payments that are processing, and to no others', async () => {
    await add(store(), processing({ id: 'p1' }), completed({ id: 'p2' }));
    for (const id of ['p1', 'p2', 'p3']) await store().note(id, { ...facts, why: 'noted' });
    expect(await store().payment('p1')).toEqual(processing({ id: 'p1', facts: { ...facts, why: 'noted' } }));
    expect(await store().payment('p2')).toEqual(completed({ id: 'p2' }));
  });

  test('lists unfinished payments from before a time, oldest first', async () => {
    const at = (ms: number) => ({ at: ms });
    await add(store(), processing({ id: 'p3', ...at(10) }), processing({ id: 'p1', ...at(20) }));
    await add(store(), completed({ id: 'p2', ...at(10) }), processing({ id: 'p4', ...at(30) }));
    expect(idsOf(await store().unfinished(30))).toEqual(['p3', 'p1']);
    expect(idsOf(await store().unfinished(31))).toEqual(['p3', 'p1', 'p4']);
    await store().finish('p3', { resultCode: '000.100.110', facts });
    expect(idsOf(await store().unfinished(30))).toEqual(['p1']);
  });

  test('finds followers, oldest first', async () => {
    await add(store(), processing({ id: 'p1' }), processing({ id: 'p4', referencedId: 'p1', rootId: 'p1' }));
    await add(store(), processing({ id: 'p2', referencedId: 'p1' }), processing({ id: 'p3', referencedId: 'p4' }));
    expect(idsOf(await store().followersOf('p1'))).toEqual(['p4', 'p2']);
    expect(idsOf(await store().transact([], (session) => session.followersOf('p1')))).toEqual(['p4', 'p2']);
    expect(await store().followersOf('p3')).toEqual([]);
    // A payment that certainly did not happen is not a follower, however often it was tried.
    await add(store(), { ...processing({ id: 'p8', referencedId: 'p1' }), state: 'done', resultCode: '700.400.200' });
    expect(idsOf(await store().followersOf('p1'))).toEqual(['p4', 'p2']);
  });
};

const claimsContract = (store: () => Store): void => {
  const claim = (key: string) => ({ key, fingerprint: `of ${key}` });

  test('stores claims with their payment, and refuses a key twice', async () => {
    const take = (id: string) => store().transact([], (session) => session.add(processing({ id }), [claim('k')]));
    await take('p1');
    expect(await claimOf(store(), 'k')).toEqual({ fingerprint: 'of k', kind: 'payment', paymentId: 'p1' });
    expect(await claimOf(store(), 'other')).toBeUndefined();
    await expect(take('p2')).rejects.toMatchObject({ code: 'gateway.state' });
    // All or nothing: the payment of the refused claim is not stored either.
    expect(await store().payment('p2')).toBeUndefined();
  });

  test('finds the first of many keys that was used, in the order asked', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    await store().transact([], (session) => session.add(processing({ id: 'p1' }), keys.slice(20).map(claim)));
    expect(await claimOf(store(), ...keys)).toMatchObject({ fingerprint: 'of k20' });
    expect(await claimOf(store(), ...keys.toReversed())).toMatchObject({ fingerprint: 'of k39' });
    expect(await claimOf(store(), 'x', 'k33', 'k21')).toMatchObject({ fingerprint: 'of k33' });
    expect(await claimOf(store())).toBeUndefined();
  });

  test('stores an answer without a payment', async () => {
    const answer = { status: 200, body: '{"id":"ü"}' };
    const keep = () => store().transact([], (session) => session.addAnswer(answer, [claim('k'), claim('l')]));
    await keep();
    expect(await claimOf(store(), 'l')).toEqual({ fingerprint: 'of l', kind: 'answer', ...answer });
    await expect(keep()).rejects.toMatchObject({ code: 'gateway.state' });
    await store().transact([], (session) => session.addAnswer({ status: 400, body: '' }, [claim('m')]));
    expect(await claimOf(store(), 'm')).toEqual({ fingerprint: 'of m', kind: 'answer', status: 400, body: '' });
  });

  test('releases the claims of a payment with its ending, and only then', async () => {
    await store().transact([], async (session) => {
      await session.add(processing({ id: 'p1' }), [claim('k'), claim('l')]);
      await session.add(processing({ id: 'p2' }), [claim('m')]);
    });
    await store().finish('p1', { resultCode: '100.396.103', facts, releases: 'claims' });
    await store().finish('p2', { resultCode: '000.100.110', facts });
    expect(await claimOf(store(), 'k', 'l')).toBeUndefined();
    expect(await claimOf(store(), 'm')).toMatchObject({ paymentId: 'p2' });
    // The first ending counts for the claims too, and the payment that claimed the released key since keeps its claim.
    await store().finish('p2', { resultCode: '100.396.103', facts, releases: 'claims' });
    await store().transact([], (session) => session.add(processing({ id: 'p3' }), [claim('k')]));
    await store().finish('p1', { resultCode: '100.396.103', facts, releases: 'claims' });
    expect(await claimOf(store(), 'm')).toMatchObject({ paymentId: 'p2' });
    expect(await claimOf(store(), 'k')).toMatchObject({ paymentId: 'p3' });
  });
};

const registrationsContract = (store: () => Store): void => {
  const keep = (...all: ReturnType<typeof registration>[]) =>
    store().transact([], async (session) => {
      for (const each of all) await session.addRegistration(each);
    });

  test('stores a registration, changes it, and shows a session its own changes', async () => {
    const stored = registration({ id: 'r1' });
    const { sealed: _, ...open } = stored;
    const deleted = { ...open, state: 'deleted' as const, keptUntil: 5, facts: { ...stored.facts, resultCode: '1' } };
    await keep(stored);
    expect(await store().registration('r1')).toEqual(stored);
    const inTransaction = await store().transact(['r1'], async (session) => {
      await session.changeRegistration(deleted);
      return session.registration('r1');
    });
    expect(inTransaction).toEqual(deleted);
    expect(await store().registration('r1')).toEqual(deleted);
    expect(await store().registration('r2')).toBeUndefined();
  });

  test('finds active registrations of an account in their channel, and those under another key', async () => {
    const sealedField = (keyId: string) => ({ sealed: { keyId, wrappedKey: 'w', box: 'b' } });
    const { sealed: _, ...deleted } = registration({ id: 'r5', state: 'deleted' });
    await keep(registration({ id: 'r1' }), registration({ id: 'r2', entityId: 'e2', ...sealedField('k0') }), deleted);
    await keep(registration({ id: 'r3', ...sealedField('k2') }), registration({ id: 'r4', accountHash: 'h2' }));
    expect(idsOf(await store().registrationsOf({ entityId: 'e1', accountHash: 'h1' }))).toEqual(['r1', 'r3']);
    expect(idsOf(await store().sealedUnderOther('k1', 10)).sort()).toEqual(['r2', 'r3']);
    expect(await store().sealedUnderOther('k3', 3)).toHaveLength(3);
  });

  test('finds active registrations that have expired, longest overdue first', async () => {
    const { sealed: _, ...deleted } = registration({ id: 'r4', state: 'deleted', keptUntil: 1 });
    await keep(registration({ id: 'r1', keptUntil: 20 }), registration({ id: 'r2', keptUntil: 10 }), deleted);
    await keep(registration({ id: 'r3', keptUntil: 21 }));
    expect(idsOf(await store().expiredRegistrations(20, 10))).toEqual(['r2', 'r1']);
    expect(idsOf(await store().expiredRegistrations(20, 1))).toEqual(['r2']);
    expect(await store().expiredRegistrations(9, 10)).toEqual([]);
  });

  test('counts sightings from a time on, separately for each subject and channel', async () => {
    const sighting = (at: number, minor: bigint, of: object = {}) => ({
      entityId: 'e1',
      subject: 's',
      at,
      minor,
      ...of,
    });
    const big = 2n ** 53n + 1n;
    const manySightings = Array.from({ length: 40 }, () => sighting(100, 1n, { subject: 'many' }));
    await store().transact(['s'], (session) =>
      session.addSightings([
        sighting(10, 7n),
        sighting(20, big),
        sighting(20, 1n),
        sighting(20, 9n, { entityId: 'e2' }),
        ...manySightings,
      ]),
    );
    const count = (subject: string, since: number) =>
      store().transact(['s'], (session) => session.sightings({ entityId: 'e1', subject, since }));
    expect(await count('s', 10)).toEqual({ count: 3, minor: big + 8n });
    expect(await count('s', 11)).toEqual({ count: 2, minor: big + 1n });
    expect(await count('s', 21)).toEqual({ count: 0, minor: 0n });
    expect(await count('many', 0)).toEqual({ count: 40, minor: 40n });
  });
};

const textsContract = (store: () => Store): void => {
  test('stores the acquirer’s values, all or nothing', async () => {
    const { memory } = store();
    const set = (texts: Record<string, string>) =>
      memory.withLocks(['a'], (documents) =>
        documents.set(Object.entries(texts).map(([key, value]) => ({ key, value }))),
      );
    expect(await memory.get('a')).toBeUndefined();
    await set({ a: '1', b: '2' });
    await set({ a: '3', ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, `${index}`])) });
    await set({});
    expect([await memory.get('a'), await memory.get('b'), await memory.get('m39')]).toEqual(['3', '2', '39']);
    // A value that no store can keep fails the whole set.
    await expect(set({ b: '4', c: undefined as unknown as string })).rejects.toMatchObject({ code: 'gateway.state' });
    expect([await memory.get('b'), await memory.get('c')]).toEqual(['2', undefined]);
  });

  test('keeps the first fact of a name', async () => {
    expect(await store().fact('secret')).toBeUndefined();
    const stored = await Promise.all(['1', '2', '3'].map((value) => store().keepFact('secret', value)));
    expect(new Set(stored).size).toBe(1);
    expect(await store().fact('secret')).toBe(stored[0]);
  });

  test('accepts a test write, repeatedly and many at once', async () => {
    for (let turn = 0; turn < 3; turn += 1) await Promise.all([store().tryWrite(), store().tryWrite()]);
    await add(store(), completed({ id: 'p1' }));
    await store().tryWrite();
    expect(await store().payment('p1')).toBeDefined();
  });

  test('answers a ping, and nothing once it is closed', async () => {
    await store().ping();
    await store().close();
    const lateDocuments = [
      store().ping(),
      store().tryWrite(),
      store().payment('p1'),
      add(store(), completed({ id: 'p1' })),
      store().note('p1', facts),
    ];
    for (const each of lateDocuments) await expect(each).rejects.toMatchObject({ code: 'gateway.state' });
  });
};
