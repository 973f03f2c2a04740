/**
 * Going back a version with real processes: the first version that tolerates a newer one's data starts on this one's,
 * sells and refunds, and this one continues from there; both agree on the sums. `build/first-tolerant` names its
 * commit. By day: `test/system/future.test.ts` notices what this version does on data of a newer one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { NewEntry } from '../../src/journal/journal.ts';
import { entryOfFuture, journalOfFuture, writeEntries } from '../support/future/future.ts';
import { closings, folder, run, trackProcesses } from './processes.ts';
import { type ServedTill, serveAt, unmetChecks } from './served-till.ts';

trackProcesses();

const root = join(import.meta.dirname, '../..');
const first = readFileSync(join(root, 'build/first-tolerant'), 'utf8').trim();

/** That version's sources with this one's packages and screens. Throws if the clone does not have the commit. */
const sourcesOf = (commit: string): string => {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { maxBuffer: 1 << 28 });
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch (error) {
    const reason = `this clone has no commit ${commit}, which build/first-tolerant names: fetch all of its history`;
    throw new Error(reason, { cause: error });
  }
  // Its tests contain card numbers, which are scanned for in this test's folder.
  const place = mkdtempSync(join(tmpdir(), 'other-version-'));
  closings.push(() => rmSync(place, { recursive: true, force: true }));
  // Not a worktree of the repository: all that a killed test leaves is a temporary folder.
  execFileSync('tar', ['-x', '-C', place], { input: git('archive', commit) });
  for (const shared of ['node_modules', 'dist']) symlinkSync(join(root, shared), join(place, shared));
  return join(place, 'src/cli/main.ts');
};

const shop = (): string => join(folder, 'till');

/** Minor units at the gateway: charges less refunds. */
const atGateway = (): number => {
  const database = new Database(join(shop(), 'gateway.db'), { readonly: true });
  try {
    return database
      .prepare<[], number>(
        `select sum(case payment_type when 'DB' then amount_minor else -amount_minor end) from payment
         where state = 'done' and substr(result_code, 1, 4) = '000.'`,
      )
      .pluck()
      .get() as number;
  } finally {
    database.close();
  }
};

/** Two sales, the second of which is refunded. */
const work = async (till: ServedTill, amounts: readonly [string, string]): Promise<void> => {
  const [stored, back] = amounts;
  expect(await till.sell(stored)).toMatchObject({ ending: 'approved' });
  const { receipt } = await till.sell(back);
  expect(await till.refund(receipt)).toMatchObject({ ending: 'approved', followsReceipt: receipt });
  expect(unmetChecks(await till.closing())).toEqual([]);
};

const life = async (amounts: readonly [string, string], of?: string): Promise<string> => {
  const till = await serveAt(shop(), of);
  await work(till, amounts);
  const { code, err } = await till.stop();
  expect(code, err).toBe(0);
  return err;
};

test('the first tolerant version sells on this one’s data, and this one then sells on it again', async () => {
  const oldSources = sourcesOf(first);
  await life(['10.00', '1.00']);
  expect(atGateway()).toBe(1_000);
  const output = await life(['20.00', '2.00'], oldSources);
  expect(output).not.toContain('does not know');
  expect(atGateway()).toBe(3_000);
  await life(['40.00', '4.00']);
  expect(atGateway()).toBe(7_000);

  const { queue, verified } = JSON.parse(await run('queue', '--verify', '--json')) as Record<string, unknown>;
  expect({ queue, verified }).toEqual({ queue: [], verified: { asked: 9, differences: [] } });
  // This version can refund the receipts of both versions.
  const till = await serveAt(shop());
  for (const receipt of [1, 4]) expect(await till.refund(receipt)).toMatchObject({ ending: 'approved' });
  expect(await till.post('closing', {})).toEqual({ status: 201 });
  await till.stop();
  expect(atGateway()).toBe(4_000);
  const verifier = join(root, 'src/journal/verifier/main.ts');
  const { stdout } = spawnSync(process.execPath, [verifier, join(shop(), 'journal.db')], { encoding: 'utf8' });
  expect(stdout).toMatch(/all in order: 11 sales/);
}, 300_000);

/** A newer version, which has one more kind of entry. */
const newerProgram = (): string => {
  const program = sourcesOf('HEAD');
  const table = join(program, '../../till/unread.ts');
  const known = readFileSync(table, 'utf8').replace(
    "  intended: 'critical',",
    "  intended: 'critical',\n  surchargeAdded: 'critical',",
  );
  expect(known).toContain('surchargeAdded');
  writeFileSync(table, known);
  return program;
};

test('a sale that this version left alone continues with the version that can read it', async () => {
  const newer = newerProgram();
  const newerTill = await serveAt(shop(), newer);
  const fine = await newerTill.sell('10.00');
  const surcharged = await newerTill.sell('20.00');
  await newerTill.stop();
  writeEntries(shop(), [entryOfFuture(surcharged.id, 'surchargeAdded')]);
  journalOfFuture(shop());

  const till = await serveAt(shop());
  expect(await till.follow(surcharged.receipt, 'refund')).toEqual({ status: 422, code: 'sale.newer' });
  expect(await till.refund(fine.receipt)).toMatchObject({ ending: 'approved' });
  expect(unmetChecks(await till.closing())).toEqual(['nothingUnknown']);
  await till.stop();
  expect(atGateway()).toBe(2_000);

  const upgraded = await serveAt(shop(), newer);
  expect(unmetChecks(await upgraded.closing())).toEqual([]);
  expect(await upgraded.refund(surcharged.receipt)).toMatchObject({ ending: 'approved' });
  expect(await upgraded.post('closing', {})).toEqual({ status: 201 });
  await upgraded.stop();
  expect(atGateway()).toBe(0);
}, 300_000);

/** Entries of a sale that its chip approved offline and the bank later declined, made from those of another one. */
const declinedLater = (of: string, receipt: number): { id: string; entries: NewEntry[] } => {
  const id = String(receipt).padStart(32, 'd');
  const database = new Database(join(shop(), 'journal.db'), { readonly: true });
  const body = (kind: string): Record<string, unknown> =>
    JSON.parse(
      database
        .prepare<[string, string], string>('SELECT body FROM entry WHERE subject = ? AND kind = ?')
        .pluck()
        .get(of, kind) ?? '{}',
    ) as Record<string, unknown>;
  const intent = { ...(body('intended')['intent'] as object), sale: id, key: id, receipt, sequence: receipt };
  const read = {
    ...body('cardRead'),
    decision: 'approvedOffline',
    offline: { kind: 'allowed', chip: true, deferred: false },
  };
  database.close();
  const answer = { code: '800.100.155', description: 'insufficient funds' };
  const entries = [
    entryOfFuture(id, 'intended', { intent }),
    entryOfFuture(id, 'cardRead', read),
    entryOfFuture(id, 'forwarded', { approved: false, answer }),
  ];
  return { id, entries };
};

test('an unpaid sale is skipped by the first tolerant version, and still known here', async () => {
  const newerTill = await serveAt(shop());
  const { id } = await newerTill.sell('10.00');
  await newerTill.stop();
  const [charged, ended, open] = [2, 3, 4].map((receipt) => declinedLater(id, receipt));
  const end = { how: 'writtenOff', who: 'Max', role: 'manager', reason: 'gone for good' };
  const missing = { minor: '1000', currency: 'EUR' };
  writeEntries(shop(), [
    ...[charged, ended, open].flatMap((one) => one?.entries ?? []),
    entryOfFuture(ended?.id ?? '', 'unpaidEnded', { end, missing, signature: 's', publicKey: 'p', ignorable: true }),
  ]);

  const till = await serveAt(shop());
  const tasks = async (of: ServedTill) =>
    (await of.openItems()).map(({ receipt, kind, missing: left }) => [receipt, kind, left?.amount]);
  expect(await tasks(till)).toEqual([
    [2, 'task', '10.00'],
    [4, 'task', '10.00'],
  ]);
  const amount = { amount: '10.00', currency: 'EUR' };
  expect(await till.post('sales', { amount, chargesAgain: 2 }, 'charged-again')).toEqual({ status: 201 });
  await expect.poll(async () => (await tasks(till)).map(([receipt]) => receipt)).toEqual([4]);
  await till.stop();

  const older = await serveAt(shop(), sourcesOf(first));
  await work(older, ['20.00', '2.00']);
  expect(await older.get('sales/5')).toMatchObject({ ending: 'approved' });
  expect((await older.stop()).code).toBe(0);

  const upgraded = await serveAt(shop());
  expect(await tasks(upgraded)).toEqual([[4, 'task', '10.00']]);
  expect(await upgraded.get('sales/2')).toMatchObject({ unpaid: { state: 'chargedAgain', again: [5] } });
  expect(await upgraded.get('sales/3')).toMatchObject({ unpaid: { state: 'writtenOff', by: { name: 'Max' } } });
  expect(unmetChecks(await upgraded.closing())).toEqual(['nothingUnpaid']);
  await upgraded.stop();
}, 300_000);
