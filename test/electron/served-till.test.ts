/** The till behind the window takes no card on a simulated terminal before somebody asked for one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchOver, socketPath } from '../../electron/scheme.ts';
import { type DesktopTill, serveOnSocket } from '../../electron/till.ts';
import type { Counter } from '../../src/api/contract/counters.ts';
import type { Said } from '../../src/api/contract/wire.ts';
import { systemIds } from '../../src/base/ids.ts';
import { tellUpdate } from '../../src/terminals/support/updates.ts';
import { visitor } from '../support/servers/visitor.ts';

let folder: string;
let till: DesktopTill;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'window-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
});
afterEach(async () => {
  await till.close();
  rmSync(folder, { recursive: true, force: true });
});

const serve = async () => {
  const socket = socketPath({ platform: process.platform, folder, id: systemIds.next() });
  const options = { dataDir: join(folder, 'data'), socket, version: '1', page: folder, startCode: 'of-the-window' };
  till = await serveOnSocket({ ...options, report: () => {} });
  const client = await visitor((path, request) => fetchOver(socket)(path, request as never), 'of-the-window');
  const first = async (): Promise<Counter | undefined> => (await client.get<Counter[]>('counters'))[0];
  return { ...client, first };
};

test('a new till has no terminal; the button of its panel gives it a simulated one, today and tomorrow', async () => {
  const { first, post } = await serve();
  expect(await first()).toMatchObject({
    ...{ state: 'unpaired', offersSimulated: true, problem: { code: 'terminal.unpaired' } },
  });
  expect((await post('devices/simulated')).status).toBe(204);
  while ((await first())?.simulated !== true) await new Promise((resolve) => setImmediate(resolve));
  await till.close();
  const tomorrow = await serve();
  expect(await tomorrow.first()).toMatchObject({ model: 'SIMULATED', simulated: true });
});

test('reports that it is not idle while it is reopened, and throws nothing', async () => {
  const { first, post } = await serve();
  const reasons = new Set<string | undefined>();
  let isOpen = false;
  const readReason = async (): Promise<void> => {
    while (!isOpen) {
      reasons.add(till.quiet().why);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const use = async (): Promise<void> => {
    expect((await post('devices/simulated')).status).toBe(204);
    while ((await first())?.simulated !== true) await new Promise((resolve) => setImmediate(resolve));
    isOpen = true;
  };
  await Promise.all([readReason(), use()]);
  expect(reasons).toContain('the till is being reopened');
});

test('a blocked version is not announced as installed when the till is idle', async () => {
  const { get } = await serve();
  const readReason = (reason?: Said) => {
    till.updateKnown({ available: '2', why: reason });
    return get('updates');
  };
  const reasonToWait = { code: 'updates.waits', says: 'the till has not been idle long enough' };
  expect(await readReason(reasonToWait)).toEqual({ version: '1', available: '2', mayInstall: true, why: reasonToWait });
  const room = tellUpdate('room', { version: '2', megabytes: 800 });
  expect(await readReason(room)).toEqual({ version: '1', available: '2', mayInstall: false, why: room });
});
