/**
 * A gateway's /readyz before, during and after its store accepts no writes: on a disk that is really full, and on a
 * PostgreSQL that was made read-only. The full disk needs the right to mount a small disk in memory.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, payment, token } from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

const channels = [{ entityId, token }];

let folder: string;
let disk: string;
let gateway: GatewayProcess | undefined;
let server: TestPostgres | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-readiness-'));
  disk = join(folder, 'disk');
  mkdirSync(disk);
});
afterEach(async () => {
  await gateway?.end('SIGKILL');
  server?.remove();
  server = undefined;
  spawnSync('umount', [disk]);
  rmSync(folder, { recursive: true, force: true });
});

const fetchText = async ({ port }: GatewayProcess, path: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return `${response.status} ${await response.text()}`;
};
const gaugeOf = async (of: GatewayProcess) => /^tillgate_ready \d$/m.exec(await fetchText(of, '/metrics'))?.[0];
/** An answer is cached for a second, so this asks until it is the wanted one. */
const becomes = async (of: GatewayProcess, answer: string): Promise<void> => {
  while ((await fetchText(of, '/readyz')) !== answer);
};
const pays = (of: GatewayProcess) => of.post('v1/payments', payment({ amount: '0.01' }));
const ready = '200 {"status":"ready"}';

test('on a full disk it is not ready and says why, and recovers by itself', async ({ skip }) => {
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
  if (!isMounted) skip('it takes the right to mount: run it as root');
  gateway = await startGateway(join(disk, 'data'), channels);
  expect(await fetchText(gateway, '/readyz')).toBe(ready);
  expect(await pays(gateway)).toMatchObject({ code: '000.100.110' });

  expect(() => writeFileSync(join(disk, 'other'), Buffer.alloc(8_000_000))).toThrow('ENOSPC');
  await becomes(gateway, '503 {"status":"unready","why":"The store accepts no writes: the disk is full."}');
  expect(await pays(gateway)).toMatchObject({ status: 500, code: '999.999.888' });
  expect(await gaugeOf(gateway)).toBe('tillgate_ready 0');
  expect(await fetchText(gateway, '/healthz')).toBe('200 {"status":"ok"}');

  rmSync(join(disk, 'other'));
  await becomes(gateway, ready);
  expect(await pays(gateway)).toMatchObject({ code: '000.100.110' });
  expect(await gaugeOf(gateway)).toBe('tillgate_ready 1');
});

test('on a read-only PostgreSQL no payment begins, and it recovers by itself', async () => {
  server = await startPostgres();
  const url = await server.database();
  gateway = await startGateway(join(folder, 'data'), channels, ['--database', url]);
  expect(await fetchText(gateway, '/readyz')).toBe(ready);
  expect(await pays(gateway)).toMatchObject({ code: '000.100.110' });

  const make = async (setting: 'on' | 'off') => {
    await server?.ask(url, `alter system set default_transaction_read_only = ${setting}`);
    await server?.ask(url, 'select pg_reload_conf()');
  };
  await make('on');
  await becomes(gateway, '503 {"status":"unready","why":"The store accepts no writes: it is read-only."}');
  const count = async () => (await server?.ask<{ count: string }>(url, 'select count(*) from payment'))?.[0]?.count;
  expect(await pays(gateway)).toMatchObject({ status: 500, code: '999.999.888' });
  // No payment was begun whose ending could not be written.
  expect(await count()).toBe('1');
  expect(await gaugeOf(gateway)).toBe('tillgate_ready 0');

  await make('off');
  await becomes(gateway, ready);
  expect(await pays(gateway)).toMatchObject({ code: '000.100.110' });
  expect(await count()).toBe('2');
});
