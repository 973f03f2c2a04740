/** Rotation: every stored account is re-wrapped under the new key, whatever happens meanwhile, and none is lost. */
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/ids.ts';
import type { Registration } from '../../../src/gateway/store/records.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { rotateVault } from '../../../src/gateway/vault/upkeep.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { registrationsInMemory } from './registrations.ts';

const entityId = 'a'.repeat(32);
const idOf = (n: number) => n.toString(16).padStart(32, '0');
const accountOf = (n: number) => ({ 'card.number': `4539578763${String(n).padStart(6, '0')}` });

const createVaultStore = (count: number) => {
  const keyring = openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock: { now: () => 0 } });
  const vault = openVault(keyring, systemRandom);
  const rows = Array.from({ length: count }, (_, n): Registration => {
    const owner = { id: idOf(n), entityId };
    return {
      ...owner,
      paymentMethod: 'CC',
      paymentBrand: 'VISA',
      at: 0,
      keptUntil: 1,
      state: 'active',
      sealed: vault.seal(accountOf(n), owner),
      accountHash: vault.hashOf(accountOf(n)),
      facts: { requestId: owner.id, echo: {}, resultCode: '000.100.110' },
    };
  });
  const store = registrationsInMemory(rows);
  const openedAccounts = () =>
    [...store.rows.values()].map((row) => (row.sealed === undefined ? undefined : vault.open(row.sealed, row)));
  const keyIds = () => new Set([...store.rows.values()].map(({ sealed }) => sealed?.keyId));
  return { keyring, vault, store, opened: openedAccounts, keyIds };
};

const accounts = (count: number) => Array.from({ length: count }, (_, n) => accountOf(n));

describe('rotation', () => {
  test.each([0, 1, 99, 100, 101, 250])('of %i records', async (count) => {
    const { keyring, vault, store, opened: openedAccounts, keyIds } = createVaultStore(count);
    keyring.renew();
    const reports: number[] = [];
    const rotation = await rotateVault({ store, vault, onProgress: (doneCount) => reports.push(doneCount) });
    expect(rotation).toEqual({ rewrapped: count, broken: [] });
    expect(openedAccounts()).toEqual(accounts(count));
    expect([...keyIds()]).toEqual(count === 0 ? [] : [vault.keyId()]);
    expect(reports.at(-1)).toBe(count === 0 ? undefined : count);
  });

  test('without a new key has nothing to do', async () => {
    const { vault, store } = createVaultStore(3);
    expect(await rotateVault({ store, vault })).toEqual({ rewrapped: 0, broken: [] });
  });

  test('continues after an interruption anywhere', async () => {
    for (const cutAt of [0, 1, 5, 9]) {
      const { keyring, vault, store, opened: openedAccounts, keyIds } = createVaultStore(10);
      keyring.renew();
      store.beforeWork = (workCount) => {
        if (workCount === cutAt) throw new Error('power cut');
      };
      await expect(rotateVault({ store, vault })).rejects.toThrow('power cut');
      store.beforeWork = () => undefined;
      expect(openedAccounts()).toEqual(accounts(10));
      expect(await rotateVault({ store, vault })).toEqual({ rewrapped: 10 - cutAt, broken: [] });
      expect(openedAccounts()).toEqual(accounts(10));
      expect([...keyIds()]).toEqual([vault.keyId()]);
    }
  });

  test('leaves records alone that are deleted or changed while it runs', async () => {
    const { keyring, vault, store } = createVaultStore(4);
    const first = vault.keyId();
    keyring.renew();
    const change = (n: number, to: (row: Registration) => Registration) => {
      const row = store.rows.get(idOf(n));
      if (row !== undefined) store.rows.set(idOf(n), to(row));
    };
    store.beforeWork = (workCount) => {
      if (workCount !== 0) return;
      change(1, ({ sealed: _, ...row }) => ({ ...row, state: 'deleted' }));
      change(2, (row) => ({ ...row, keptUntil: 99 }));
      change(3, (row) => ({ ...row, state: 'deleted' }));
    };
    expect(await rotateVault({ store, vault })).toEqual({ rewrapped: 2, broken: [] });
    expect(store.rows.get(idOf(1))).toMatchObject({ state: 'deleted' });
    expect(store.rows.get(idOf(1))).not.toHaveProperty('sealed');
    expect(store.rows.get(idOf(3))).toMatchObject({ state: 'deleted', sealed: { keyId: first } });
    expect(store.rows.get(idOf(2))).toMatchObject({ keptUntil: 99, sealed: { keyId: vault.keyId() } });
  });

  test('two at once re-wrap each record once', async () => {
    const { keyring, vault, store, opened: openedAccounts } = createVaultStore(250);
    keyring.renew();
    const rotation = await Promise.all([rotateVault({ store, vault }), rotateVault({ store, vault })]);
    expect(rotation.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(250);
    expect(openedAccounts()).toEqual(accounts(250));
  });

  test('names broken records, leaves them, and re-wraps all others', async () => {
    const { keyring, vault, store } = createVaultStore(260);
    keyring.renew();
    const problems = Array.from({ length: 150 }, (_, n) => idOf(n));
    for (const id of problems) {
      const row = store.rows.get(id);
      if (row?.sealed !== undefined) {
        store.rows.set(id, { ...row, sealed: { ...row.sealed, wrappedKey: `AAAA${row.sealed.wrappedKey.slice(4)}` } });
      }
    }
    const before = store.rows.get(idOf(0));
    expect(await rotateVault({ store, vault })).toEqual({ rewrapped: 110, broken: problems });
    expect(store.rows.get(idOf(0))).toEqual(before);
  });

  test('stops at a record with a missing key', async () => {
    const { keyring, vault, store } = createVaultStore(2);
    const row = store.rows.get(idOf(0));
    if (row?.sealed !== undefined) store.rows.set(row.id, { ...row, sealed: { ...row.sealed, keyId: 'gone' } });
    keyring.renew();
    await expect(rotateVault({ store, vault })).rejects.toMatchObject({ code: 'vault.keyUnknown' });
  });
});
