/**
 * The settlement file on its way to a real OpenSSH server: complete, interrupted and resumed, refused; and then read.
 */
import {
  chmodSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { openSqliteStore } from '../../src/gateway/database/open.ts';
import { hurry } from '../../src/gateway/reports/batch.ts';
import { deliver, deliverDue } from '../../src/gateway/reports/delivery.ts';
import type { SftpSettings } from '../../src/gateway/reports/settings-shape.ts';
import { uploadFile } from '../../src/gateway/reports/sftp-upload.ts';
import { termsOf } from '../../src/gateway/reports/terms.ts';
import { reconciler } from '../../src/reconciliation/reconcile.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';
import { addPayment, chancePayments, DAY_MS, ENTITY, FIRST_DAY } from '../gateway/reports/chance-payments.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { cutLine, startSftp, type TestSftp } from '../support/servers/sftp-server.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let server: TestSftp;
let local = '';
let remote = '';
let turn = 0;

beforeAll(async () => {
  server = await startSftp();
  local = mkdtempSync(join(tmpdir(), 'settlement-out-'));
});
afterAll(() => {
  server?.remove();
  rmSync(local, { recursive: true, force: true });
});
beforeEach(() => {
  turn += 1;
  remote = join(server.folder, String(turn));
  mkdirSync(remote);
});

const settings = (overrides: Partial<SftpSettings> = {}): SftpSettings => ({
  ...{ host: '127.0.0.1', port: server.port, user: server.user, hostKey: server.hostKey, keyFile: server.keyFile },
  folder: remote,
  ...overrides,
});

const fileOf = (bytes: number): string => {
  const path = join(local, `settlement_${turn}.csv`);
  writeFileSync(
    path,
    Buffer.from(dice(turn).random(1_024))
      .toString('hex')
      .repeat(Math.ceil(bytes / 2_048))
      .slice(0, bytes),
  );
  return path;
};

const nameOf = (path: string): string => path.slice(local.length + 1);

test('the file arrives complete, and is not sent again', async () => {
  const path = fileOf(3_000_001);
  expect(await uploadFile(path, settings())).toMatchObject({ known: false, resumedAt: 0, bytes: 3_000_001 });
  expect(readdirSync(remote)).toEqual([nameOf(path)]);
  expect(readFileSync(join(remote, nameOf(path))).equals(readFileSync(path))).toBe(true);
  const previous = statSync(join(remote, nameOf(path)));
  expect(await uploadFile(path, settings())).toMatchObject({ known: true });
  expect(statSync(join(remote, nameOf(path))).mtimeMs).toBe(previous.mtimeMs);
});

test('an empty file arrives too', async () => {
  const path = fileOf(0);
  await uploadFile(path, settings());
  expect(statSync(join(remote, nameOf(path))).size).toBe(0);
});

test('an interrupted transfer leaves no partial file; the next attempt resumes it', async () => {
  const path = fileOf(6_000_000);
  const line = await cutLine(server.port, 2_500_000);
  await expect(uploadFile(path, settings({ port: line.port }))).rejects.toThrow(/lost|closed|ECONNRESET/);
  line.close();
  expect(readdirSync(remote)).toEqual([`.${nameOf(path)}.part`]);
  const { resumedAt } = await uploadFile(path, settings());
  expect(resumedAt).toBeGreaterThan(500_000);
  expect(readdirSync(remote)).toEqual([nameOf(path)]);
  expect(readFileSync(join(remote, nameOf(path))).equals(readFileSync(path))).toBe(true);
});

test('the rest of another file, or a longer one, is not resumed', async () => {
  const path = fileOf(200_000);
  for (const partial of [Buffer.alloc(100_000, 'x'), Buffer.alloc(300_000, 'x')]) {
    writeFileSync(join(remote, `.${nameOf(path)}.part`), partial);
    expect(await uploadFile(path, settings())).toMatchObject({ resumedAt: 0 });
    expect(readFileSync(join(remote, nameOf(path))).equals(readFileSync(path))).toBe(true);
    rmSync(join(remote, nameOf(path)));
  }
});

test('another file with that name is left alone', async () => {
  const path = fileOf(1_000);
  writeFileSync(join(remote, nameOf(path)), 'other');
  await expect(uploadFile(path, settings())).rejects.toThrow(/another file of this name/);
  expect(readFileSync(join(remote, nameOf(path)), 'utf8')).toBe('other');
});

test('a server with another host key gets neither a login nor a byte', async () => {
  const path = fileOf(1_000);
  const hostKey = `SHA256:${'A'.repeat(43)}`;
  await expect(uploadFile(path, settings({ hostKey }))).rejects.toThrow(/host key differs from the configured one/);
  expect(readdirSync(remote)).toEqual([]);
});

test('a wrong key, a wrong password and a missing key are reported without the secret', async () => {
  const path = fileOf(1_000);
  const { keyFile: _, ...withoutKey } = settings();
  const wrongSettings: readonly SftpSettings[] = [
    settings({ keyFile: server.otherKeyFile }),
    { ...withoutKey, password: 'open-sesame' },
    settings({ keyFile: join(local, 'missing') }),
    settings({ keyFile: path }),
  ];
  for (const one of wrongSettings) {
    const text = await uploadFile(path, one).then(
      () => 'it went through',
      (error: Error) => error.message,
    );
    expect(text).toMatch(/refuses the login|key file cannot be/);
    expect(text).not.toMatch(/open-sesame|PRIVATE|went through/);
  }
});

test('a missing folder, a full disk and a silent port are reported, and leave no partial file', async () => {
  const path = fileOf(500_000);
  await expect(uploadFile(path, settings({ folder: join(remote, 'none') }))).rejects.toThrow(/No such file/);
  // A device that is always full, under the name that the upload writes first.
  symlinkSync('/dev/full', join(remote, `.${nameOf(path)}.part`));
  await expect(uploadFile(path, settings())).rejects.toThrow();
  expect(readdirSync(remote)).not.toContain(nameOf(path));
  await expect(uploadFile(path, settings({ port: 1 }))).rejects.toThrow(/ECONNREFUSED/);
  if (process.getuid?.() === 0) return;
  chmodSync(remote, 0o500);
  await expect(uploadFile(path, settings())).rejects.toThrow(/Permission denied/);
  chmodSync(remote, 0o700);
});

test('each attempt is recorded; the till reads the file that arrives, and every line agrees', async () => {
  const store = await openSqliteStore(':memory:');
  const clock = virtualClock(Date.parse(`${FIRST_DAY}T00:00:00Z`) + 40 * DAY_MS);
  for (const one of chancePayments(dice(SEED), 500, 1).payments) await addPayment(store, one, false);
  await hurry({ store, clock, terms: termsOf({ entityId: ENTITY }) });
  const line = await cutLine(server.port, 9_000);
  const out = join(local, 'out');
  const channel = (port: number) => ({
    entityId: ENTITY,
    token: 't',
    settlement: { folder: out, sftp: settings({ port }) },
  });
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const parts = { store, clock, ids: systemIds };
  await deliverDue({ ...parts, channel: channel(line.port) }, report);
  line.close();
  expect(reported.length, `seed ${SEED}`).toBeGreaterThan(0);
  expect(reported[0]).toMatchObject({ code: 'settlement.unsent' });
  const [batch] = (await store.settlements.list(ENTITY, 100)).toReversed();
  if (batch === undefined) throw new Error('there is no batch');
  const failed = (await store.settlements.deliveries(batch.id)).find(({ target }) => target === 'sftp');
  expect(failed).toMatchObject({ tries: 1, nextAt: clock.now() + 60_000 });
  // The file is not sent before its next try is due; then it arrives completely.
  const current = { ...parts, channel: channel(server.port) };
  await deliverDue(current, report);
  expect(readdirSync(remote)).not.toContain(`settlement_${ENTITY}_${FIRST_DAY}.csv`);
  await clock.advance(60_000);
  await deliverDue(current, report);
  const path = join(remote, `settlement_${ENTITY}_${FIRST_DAY}.csv`);
  const delivery = (await store.settlements.deliveries(batch.id)).find(({ target }) => target === 'sftp');
  expect(delivery).toMatchObject({ tries: 2, doneAt: clock.now(), bytes: statSync(path).size });
  expect(await deliver(current, { batch, target: 'sftp' })).toBeUndefined();

  const sums = await store.settlements.sumsOf(batch.id);
  const books = reconciler([]);
  for await (const one of readSettlement(createReadStream(path), { file: path, merchantId: ENTITY })) books.take(one);
  const { refusedCount, records, payout } = books.end();
  expect([refusedCount, records], `seed ${SEED}`).toEqual([0, sums.reduce((sum, one) => sum + one.records, 0)]);
  const expected = new Map<string, bigint>();
  for (const { settlementCurrency: currency, paidMinor, takenMinor } of sums)
    expected.set(currency, (expected.get(currency) ?? 0n) + paidMinor - takenMinor);
  expect(Object.fromEntries(payout), `seed ${SEED}`).toEqual(Object.fromEntries(expected));
  truncateSync(join(out, `settlement_${ENTITY}_${FIRST_DAY}.csv`), 10);
  await deliver(current, { batch, target: 'sftp', isForced: true });
  expect(readFileSync(join(out, `settlement_${ENTITY}_${FIRST_DAY}.csv`)).equals(readFileSync(path))).toBe(true);
  await store.close();
});
