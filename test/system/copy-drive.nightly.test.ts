/**
 * A till with its second copy on a USB stick: a real file system on a loop device that is absent, appears, is pulled
 * with unwritten data lost, and returns. The till sells throughout. Needs the right to mount. By day:
 * `test/journal/second-copy.test.ts` notices a copy that fails and does not catch up.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { systemClock } from '../../src/base/clock.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { nobodysHeaders } from '../support/servers/visitor.ts';
import { closings, folder, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const shortWait = (): Promise<void> => new Promise((resolve) => void systemClock.after(200, resolve));

/**
 * An 8 MB stick with a folder on it. Its image is outside the folder that is scanned for card numbers after each test:
 * a disk holds bytes of every kind, and a card number of almost only zeros packs into little more than one byte.
 */
const openDrive = (mount: string) => {
  const place = mkdtempSync(join(tmpdir(), 'stick-'));
  const image = join(place, 'stick.img');
  mkdirSync(mount);
  writeFileSync(image, Buffer.alloc(8 << 20));
  run('mkfs.ext4', '-q', '-F', image);
  let device = '';
  const drive = {
    image,
    async mountDrive(): Promise<void> {
      // A stick that a process still holds open stays until it is closed, so the same one is never there twice.
      while (run('losetup', '--associated', image) !== '') await shortWait();
      device = run('losetup', '--find', '--show', image);
      run('mount', device, mount);
      mkdirSync(join(mount, 'tills'), { recursive: true });
      run('sync', '-f', mount);
    },
    /** Anything not written yet is lost: reads and writes fail, as on a stick that was pulled. */
    unmountDrive(): void {
      const imageBytes = readFileSync(image);
      writeFileSync(image, '');
      spawnSync('sync', ['-f', mount]);
      run('umount', '--lazy', mount);
      run('losetup', '--detach', device);
      device = '';
      writeFileSync(image, imageBytes);
    },
  };
  closings.push(() => {
    spawnSync('umount', ['--lazy', mount]);
    if (device !== '') spawnSync('losetup', ['--detach', device]);
    rmSync(place, { recursive: true, force: true });
  });
  return drive;
};

const start = async (data: string) => {
  const till = tillgate(['start', '--data', data, '--port', '0', '--no-open-browser']);
  const { url, code } = await screensOf(till);
  const headers = await nobodysHeaders((path, request) => fetch(new URL(path, url), request), code);
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}api/${path}`, { headers })).json()) as T;
  const sell = async (amount: string): Promise<LiveSale> => {
    const response = await fetch(`${url}api/sales`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: { amount, currency: 'EUR' } }),
    });
    const { id } = (await response.json()) as LiveSale;
    return endedSale(url, headers, () => get<LiveSale>(`live/${id}`));
  };
  const behindCount = async (): Promise<number> => {
    const text = await (await fetch(`${url}metrics`)).text();
    return Number(/^tillgate_till_second_copy_behind (\d+)$/m.exec(text)?.[1]);
  };
  const waitForCopy = async (): Promise<void> => {
    while ((await behindCount()) > 0) await shortWait();
  };
  return { till, sell, behind: behindCount, caughtUp: waitForCopy };
};

const isMoreThanAByte = (number: string): boolean => !/^\d\d0+$/.test(number);

test('a till sells while the stick with its second copy is missing, and the copy catches up later', async () => {
  const data = join(folder, 'shop');
  const mount = join(folder, 'stick');
  const copy = join(mount, 'tills', 'till-1');
  const drive = openDrive(mount);
  expect((await tillgate(['till', 'sales', '--data', data]).ended).code).toBe(0);
  const config = JSON.parse(readFileSync(join(data, 'till.json'), 'utf8')) as object;
  writeFileSync(join(data, 'till.json'), JSON.stringify({ ...config, secondCopy: copy }));
  const { till, sell, behind: behindCount, caughtUp: waitForCopy } = await start(data);
  const sellAndCheck = async (amount: string): Promise<void> =>
    expect((await sell(amount)).result).toMatchObject({ ending: 'approved' });

  await sellAndCheck('1.01');
  expect(await behindCount()).toBeGreaterThan(0);
  expect(existsSync(join(mount, 'tills'))).toBe(false);

  await drive.mountDrive();
  await waitForCopy();
  await sellAndCheck('1.02');
  await waitForCopy();

  drive.unmountDrive();
  for (const amount of ['1.03', '1.04', '1.05']) await sellAndCheck(amount);
  expect(await behindCount()).toBeGreaterThan(0);
  expect(existsSync(join(mount, 'tills'))).toBe(false);

  await drive.mountDrive();
  await sellAndCheck('1.06');
  await waitForCopy();
  expect((await tillgate(['till', 'stop', '--data', data]).ended).code).toBe(0);
  expect((await till.ended).code).toBe(0);

  const entries = (path: string): unknown => {
    const database = new Database(path, { readonly: true });
    const count = database.prepare('SELECT count(*) FROM entry').pluck().get();
    database.close();
    return count;
  };
  expect(entries(join(copy, 'journal.db'))).toBe(entries(join(data, 'journal.db')));

  run('sync', '-f', mount);
  const needles = Object.values(testCards).map(({ pan }) => pan);
  expect(scanForCardData({ roots: [copy], needles })).toEqual([]);
  // Deleted data is scanned too.
  expect(scanForCardData({ roots: [drive.image], needles: needles.filter(isMoreThanAByte) })).toEqual([]);
}, 300_000);
