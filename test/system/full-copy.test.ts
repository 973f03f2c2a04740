/**
 * A second copy on a disk that is really full: sales continue as if there were no copy, it says why it is incomplete,
 * and catches up once there is room. Needs the right to mount a small disk in memory; skipped without it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/ids.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { keepSecondCopy } from '../../src/journal/second-copy.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';

let root = '';
let disk = '';
const mounted = (): boolean => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk]).status === 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'full-copy-'));
  disk = join(root, 'disk');
  mkdirSync(disk);
});
afterEach(() => {
  spawnSync('umount', [disk]);
  rmSync(root, { recursive: true, force: true });
});

test('a full disk under the second copy blocks nothing, and the copy catches up', async ({ skip }) => {
  if (!mounted()) skip('it takes the right to mount: run it as root');
  const journal = openJournal(join(root, 'journal.db'), systemClock);
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32).fill(5), systemRandom));
  const reported: string[] = [];
  /** Shortens the first wait after a failure, half a minute; the time a disk may take stays as it is. */
  const shorten = (ms: number): number => (ms > 30_000 ? ms : Math.min(ms, 200));
  const clock = { ...systemClock, after: (ms: number, task: () => void) => systemClock.after(shorten(ms), task) };
  const copy = keepSecondCopy({
    journal,
    folder: join(disk, 'copy'),
    clock,
    report: (error) => void reported.push(String(error)),
  });
  const store = (id: string): void =>
    journal.write([{ subject: id, kind: 'x', body: JSON.stringify({ id, filler: 'y'.repeat(2_000) }) }], () =>
      outbox.put({ id, kind: 'forward', sale: id, key: id, body: '{}', secret: `secret of ${id}` }, 1),
    );
  store('first');
  await copy.waitUntilCaughtUp();
  for (let n = 0; n < 300; n++) store(`s${n}`);
  const full = await copy.waitUntilCaughtUp();
  expect(full.fault).toMatch(/full/);
  expect(full.behind).toBeGreaterThan(0);
  expect(reported.join()).toContain('The second copy in');
  expect(journal.length).toBe(301);
  expect(outbox.waiting()).toHaveLength(301);

  expect(spawnSync('mount', ['-o', 'remount,size=8m', disk]).status).toBe(0);
  for (let attempt = 0; attempt < 50 && copy.state().behind > 0; attempt++) {
    await new Promise<void>((resolve) => void clock.after(200, resolve));
    await copy.waitUntilCaughtUp();
  }
  expect(copy.state()).toMatchObject({ behind: 0, entries: 301 });
  await copy.close();
  const copied = new Database(join(disk, 'copy', 'journal.db'), { readonly: true });
  expect(copied.prepare('SELECT count(*) FROM message WHERE wrapped IS NOT NULL').pluck().get()).toBe(301);
  copied.close();
  journal.close();
});
