/** `gateway vault` on a real store: its output, its changes, and no card number in any file. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { systemRandom } from '../../../src/base/ids.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import type { Registration } from '../../../src/gateway/store/records.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { openKeyring, VAULT_FILE } from '../../../src/gateway/vault/keyring.ts';
import { rotateVault } from '../../../src/gateway/vault/upkeep.ts';
import { openVault, proveVault, type Vault } from '../../../src/gateway/vault/vault.ts';
import { scanForCardData } from '../../support/leaks/leak-scan.ts';
import { runVaultCommand } from './run-command.ts';

const root = mkdtempSync(join(tmpdir(), 'vault-command-'));
afterAll(() => rmSync(root, { recursive: true }));

const entityId = 'a'.repeat(32);
const idOf = (n: number) => n.toString(16).padStart(32, '0');
const panOf = (n: number) => `453957876362${String(n).padStart(4, '0')}`;
const RECORDS = 12;

type Open = { store: Store; vault: Vault; renew: () => void };

const withVault = async <T>(data: string, work: (open: Open) => Promise<T>, input?: string): Promise<T> => {
  const keyring = openKeyring({ at: { dataDir: data }, given: input, random: systemRandom, clock: { now: () => 0 } });
  const vault = openVault(keyring, systemRandom);
  const store = await openStore(join(data, 'gateway.db'));
  try {
    await proveVault(store, vault);
    return await work({ store, vault, renew: () => keyring.renew() });
  } finally {
    await store.close();
  }
};

const registration = (vault: Vault, n: number): Registration => {
  const owner = { id: idOf(n), entityId };
  const account = { kind: 'card', 'card.number': panOf(n), 'card.expiryMonth': '05', 'card.expiryYear': '2034' };
  return {
    ...owner,
    paymentMethod: 'CC',
    paymentBrand: 'VISA',
    at: 0,
    keptUntil: 1,
    state: 'active',
    sealed: vault.seal(account, owner),
    accountHash: vault.hashOf(account),
    facts: { requestId: owner.id, echo: {}, resultCode: '000.100.110' },
  };
};

/** A gateway's folder with stored accounts. */
const createFilledVault = async (input?: string): Promise<string> => {
  const data = mkdtempSync(join(root, 'data-'));
  const fill = ({ store, vault }: Open) =>
    store.transact([], async (session) => {
      for (let n = 0; n < RECORDS; n += 1) await session.addRegistration(registration(vault, n));
    });
  await withVault(data, fill, input);
  return data;
};

const numbersIn = (data: string, input?: string) =>
  withVault(
    data,
    ({ store, vault }) =>
      Promise.all(
        Array.from({ length: RECORDS }, async (_, n) => {
          const found = await store.registration(idOf(n));
          return found?.sealed === undefined ? undefined : vault.open(found.sealed, found)['card.number'];
        }),
      ),
    input,
  );

const pans = Array.from({ length: RECORDS }, (_, n) => panOf(n));

type Ran = { out: string; err: string; status: number };

/** Runs the command in a separate process, as a shop does. */
const runAlone = (args: string[], input = ''): Promise<Ran> =>
  new Promise((resolve) => {
    const script = fileURLToPath(new URL('./run-command.ts', import.meta.url));
    execFile(process.execPath, [script, input, ...args], (error, out, err) =>
      resolve({ out, err, status: Number(error?.code ?? 0) }),
    );
  });

/** Runs the command in this process, because starting another one takes longer than its work. */
const run = async (args: string[], input = ''): Promise<Ran> => {
  const received = { out: '', err: '' };
  const captureOutput = (stream: NodeJS.WriteStream, streamName: keyof typeof received) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      received[streamName] += String(text);
      return true;
    });
  const spies = [captureOutput(process.stdout, 'out'), captureOutput(process.stderr, 'err')];
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await runVaultCommand(input, args);
    return { ...received, status: Number(process.exitCode) };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
};

describe('on a folder', () => {
  test('rotate re-wraps every record under a new key, status shows it, and no file contains a number', async () => {
    const data = await createFilledVault();
    const before = JSON.parse((await run(['status', '--data', data, '--json'])).out);
    expect(before).toMatchObject({ complete: true, keys: [{ current: true, records: RECORDS }] });

    const rotation = await run(['rotate', '--data', data, '--json']);
    expect(rotation).toMatchObject({ err: '', status: 0 });
    const { keyId, ...rotationCounts } = JSON.parse(rotation.out);
    expect(rotationCounts).toEqual({ rewrapped: RECORDS, broken: [] });

    const after = JSON.parse((await run(['status', '--data', data, '--json'])).out);
    expect(after.keys).toEqual([
      { id: before.keys[0].id, madeAt: expect.any(String), records: 0 },
      { id: keyId, madeAt: expect.any(String), current: true, records: RECORDS },
    ]);
    expect(await numbersIn(data)).toEqual(pans);
    expect(readdirSync(data)).toEqual(expect.arrayContaining([VAULT_FILE, 'gateway.db']));
    expect(scanForCardData({ roots: [data], needles: pans })).toEqual([]);
  });

  test('the scan would find a number if there was one', async () => {
    const data = await createFilledVault();
    await withVault(data, async ({ store }) => void (await store.keepFact('leak', panOf(3))));
    expect(scanForCardData({ roots: [data], needles: pans }).length).toBeGreaterThan(0);
  });

  test('--same-key continues an interrupted rotation, and makes no key', async () => {
    const data = await createFilledVault();
    await withVault(data, async ({ renew }) => renew());
    const first = await run(['rotate', '--data', data, '--same-key']);
    expect(first.out).toMatch(new RegExp(`^${RECORDS} stored accounts encrypted with key [0-9a-f]{16}\\.\n$`));
    expect((await run(['rotate', '--data', data, '--same-key'])).out).toMatch(/^0 stored accounts/);
    expect((await run(['status', '--data', data])).out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^[0-9a-f]{16} +0 stored accounts {2}opens/),
      expect.stringMatching(new RegExp(`^[0-9a-f]{16} +${RECORDS} stored accounts {2}seals`)),
    ]);
  });

  test('records under a missing key are shown, and stop a rotation', async () => {
    const data = await createFilledVault();
    await withVault(data, ({ store }) =>
      store.transact([], async (session) => {
        const found = await session.registration(idOf(0));
        if (found?.sealed === undefined) throw new Error('no record');
        await session.changeRegistration({ ...found, sealed: { ...found.sealed, keyId: 'f'.repeat(16) } });
      }),
    );
    expect((await run(['status', '--data', data])).out).toMatch(/^f{16} +1 stored account {2}KEY MISSING$/m);
    expect(await run(['rotate', '--data', data])).toMatchObject({
      status: 2,
      out: expect.stringContaining('vault.keyUnknown'),
    });
  });

  test('broken records are named, and all others are re-wrapped', async () => {
    const data = await createFilledVault();
    await withVault(data, ({ store }) =>
      store.transact([], async (session) => {
        const found = await session.registration(idOf(0));
        if (found?.sealed === undefined) throw new Error('no record');
        await session.changeRegistration({ ...found, sealed: { ...found.sealed, wrappedKey: 'AAAA' } });
      }),
    );
    const { out, err, status } = await runAlone(['rotate', '--data', data, '--json']);
    expect(JSON.parse(out)).toMatchObject({ rewrapped: RECORDS - 1, broken: [idOf(0)] });
    expect(err).toContain(idOf(0));
    expect(status).toBe(5);
  });
});

describe('nothing is created where nothing was', () => {
  test('no gateway', async () => {
    const data = mkdtempSync(join(root, 'data-'));
    expect(await run(['status', '--data', data])).toMatchObject({ status: 2, out: expect.stringContaining(data) });
    expect(readdirSync(data)).toEqual([]);
  });

  test.each(['status', 'rotate'])('%s does not replace lost keys', async (verb) => {
    const data = await createFilledVault();
    renameSync(join(data, VAULT_FILE), join(data, 'elsewhere'));
    expect(await run([verb, '--data', data])).toMatchObject({ out: expect.stringContaining('vault.damaged') });
    expect(readdirSync(data)).not.toContain(VAULT_FILE);
  });

  test('another database’s keys are refused', async () => {
    const [data, other] = [await createFilledVault(), await createFilledVault()];
    renameSync(join(other, VAULT_FILE), join(data, VAULT_FILE));
    expect(await run(['rotate', '--data', data])).toMatchObject({ out: expect.stringContaining('vault.foreign') });
  });
});

test('with keys from outside, all records move to the first key', async () => {
  const [old, newKey] = ['11'.repeat(32), '22'.repeat(32)];
  const data = await createFilledVault(old);
  const { out } = await run(['rotate', '--data', data, '--json'], `${newKey},${old}`);
  expect(JSON.parse(out)).toMatchObject({ rewrapped: RECORDS, broken: [] });
  expect(await numbersIn(data, `${newKey},${old}`)).toEqual(pans);
  expect(readdirSync(data)).not.toContain(VAULT_FILE);
});

test('rotation and payments work at the same time on one store', async () => {
  const data = await createFilledVault();
  await withVault(data, async ({ store, vault, renew }) => {
    renew();
    const rotating = rotateVault({ store, vault });
    const openedPans = Array.from({ length: RECORDS }, async (_, n) => {
      const found = await store.registration(idOf(n));
      return found?.sealed === undefined ? undefined : vault.open(found.sealed, found)['card.number'];
    });
    expect(await Promise.all(openedPans)).toEqual(pans);
    expect(await rotating).toEqual({ rewrapped: RECORDS, broken: [] });
  });
});
