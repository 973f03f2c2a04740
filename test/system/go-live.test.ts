/** `till go-live` as it is typed: the checklist, a rejected channel, and going live with a manager's PIN. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { LIVE_ENTITY, LIVE_TOKEN, openReadyFolder, PIN } from '../support/till/ready-till.ts';

const child = join(import.meta.dirname, 'commands-child.ts');
let shop: ReturnType<typeof openReadyFolder>;
let processor: UpstreamHost;

beforeEach(async () => {
  shop = openReadyFolder();
  processor = await upstreamHost({ approval: '000.000.000' });
  writeFileSync(join(shop.folder, 'pin'), PIN, { mode: 0o600 });
  const till = await shop.start();
  await till.staff.add({ name: 'Max', role: 'manager', pin: PIN });
  await till.close();
});
afterEach(async () => {
  await processor.close();
  shop.remove();
});

/** The JSON that each command printed. */
const run = async (...commands: readonly (readonly string[])[]): Promise<Record<string, unknown>[]> => {
  const file = join(shop.folder, 'commands.json');
  const lines = commands.map((args) => ['till', ...args, '--data', shop.folder, '--json']);
  writeFileSync(file, JSON.stringify(lines));
  const running = promisify(execFile)(process.execPath, [child, file]);
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout
    .split(/^--- .*$/m)
    .slice(1)
    .map((printed) => JSON.parse(printed) as Record<string, unknown>);
};
const asMax = () => ['--as', 'Max', '--pin-file', join(shop.folder, 'pin')];
const live = () => ['--gateway', processor.baseUrl, '--channel', `${LIVE_ENTITY}:${LIVE_TOKEN}`];

test('a checklist; once complete, the live till begins, and the next command opens it', async () => {
  const [open, early, refused, wentLive, sales, second] = await run(
    ['go-live', ...asMax()],
    ['go-live', '--yes', ...asMax()],
    ['go-live', '--yes', ...live(), '--as', 'Nobody', '--pin-file', join(shop.folder, 'pin')],
    ['go-live', '--yes', ...live(), ...asMax()],
    ['sales', ...asMax()],
    ['go-live', ...asMax()],
  );
  expect(open).toMatchObject({ mode: 'test', ready: false });
  expect(early).toMatchObject({ mode: 'test', fault: { code: 'live.notReady' } });
  expect(refused).toMatchObject({ mode: 'test', fault: { code: 'staff.refused' } });
  expect(wentLive).toMatchObject({ mode: 'test', ready: true, live: join(shop.folder, 'live') });
  expect(JSON.stringify(wentLive)).not.toContain(LIVE_TOKEN);
  expect(sales).toMatchObject({ mode: 'live', sales: [] });
  expect(second).toMatchObject({ mode: 'live', fault: { code: 'live.already' } });
  const config: unknown = JSON.parse(readFileSync(join(shop.folder, 'live', 'till.json'), 'utf8'));
  expect(config).toMatchObject({ gateway: { baseUrl: processor.baseUrl, entityId: LIVE_ENTITY } });
});

test('with a rejected channel no till goes live, whoever approves', async () => {
  const denied = { status: 401, bytes: JSON.stringify({ result: { code: '800.900.300' } }) };
  processor.nextInquiry(denied, denied);
  const [dryRun, refused] = await run(['go-live', ...live(), ...asMax()], ['go-live', '--yes', ...live(), ...asMax()]);
  expect(dryRun).toMatchObject({ ready: false, tried: { answered: false } });
  expect(refused).toMatchObject({ fault: { code: 'live.notReady' } });
  expect(existsSync(join(shop.folder, 'live'))).toBe(false);
});
