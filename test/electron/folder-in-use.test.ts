/** The till's process on a folder used by another till: it reports that and waits to be ended, and does not fail. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchOver } from '../../electron/scheme.ts';
import { type FromTill, runTill, type ToTill } from '../../electron/till.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { journalFile, loadConfig } from '../../src/folder/config.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { openOwnerSocket } from '../../src/owner/socket.ts';
import { posixTest } from '../support/platform/platform.ts';
import { visitor } from '../support/servers/visitor.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

let folder: string;
let clock: VirtualClock;
let holder: Journal | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'held-'));
  clock = virtualClock();
  mkdirSync(join(folder, 'till'));
  loadConfig(join(folder, 'till'), systemIds);
  holder = openTillJournal(join(folder, 'till'), { clock });
});
afterEach(() => {
  holder?.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = () => {
  const sentMessages: FromTill[] = [];
  const first = Promise.withResolvers<void>();
  let deliver = (_: { data: ToTill }): void => {};
  const port = {
    postMessage(message: FromTill) {
      sentMessages.push(message);
      first.resolve();
    },
    on: (_: 'message', listener: typeof deliver) => {
      deliver = listener;
    },
  };
  const exited = runTill(port, [join(folder, 'till'), join(folder, 'page.sock'), '1'], clock);
  const notify = (data: ToTill): void => deliver({ data });
  exited.catch(() => {});
  notify({ on: 'begin', code: 'of-the-window' });
  return { said: sentMessages, notify, exited, first: first.promise };
};

/** It has found the folder busy, and tries again after a while. */
const waitForHeld = async (): Promise<void> => {
  while (clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
};

test('by a till whose owner’s socket answers: it is this user’s own', async () => {
  const status = { version: '1', pid: 7, mode: 'test', address: 'x', state: 'open', underWay: 0 } as const;
  const api = async () => new Response();
  const service = { status: () => status, stop: () => {}, listen: () => () => {}, api };
  const owner = await openOwnerSocket({ folder: join(folder, 'till'), service, random: systemRandom });
  const till = begin();
  await till.first;
  expect(till.said).toEqual([{ on: 'held', by: 'self' }]);
  till.notify({ on: 'stop' });
  await till.exited;
  await owner.close();
});

test('by a program that never answers: it is reported after ten attempts', async () => {
  const till = begin();
  for (let attempt = 1; attempt < 10; attempt += 1) {
    await waitForHeld();
    expect(till.said).toEqual([]);
    await clock.advance(1_000);
  }
  await till.first;
  expect(till.said).toEqual([{ on: 'held', by: 'nobody' }]);
  till.notify({ on: 'stop' });
  await till.exited;
});

posixTest('by a command that ends in a moment: the till opens then, and nothing is reported', async () => {
  const till = begin();
  await waitForHeld();
  holder?.close();
  holder = undefined;
  await clock.advance(1_000);
  await till.first;
  expect(till.said).toEqual([{ on: 'listening' }]);
  till.notify({ on: 'stop' });
  await till.exited;
});

test('a process that waits for the folder can be ended', async () => {
  const till = begin();
  await waitForHeld();
  till.notify({ on: 'stop' });
  await clock.advance(1_000);
  await till.exited;
  expect(till.said).toEqual([]);
});

posixTest('while it is reopened: it is reported as held, and has not failed', async () => {
  holder?.close();
  const till = begin();
  await till.first;
  const socket = join(folder, 'page.sock');
  const visitorOfWindow = await visitor((path, request) => fetchOver(socket)(path, request as never), 'of-the-window');
  // Another till's open journal in place of this one's.
  mkdirSync(join(folder, 'other'));
  holder = openTillJournal(join(folder, 'other'), { clock });
  renameSync(journalFile(join(folder, 'other')), journalFile(join(folder, 'till')));
  expect((await visitorOfWindow.post('devices/simulated')).status).toBe(204);
  while (till.said.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(till.said).toEqual([{ on: 'listening' }, { on: 'held', by: 'nobody' }]);
  till.notify({ on: 'stop' });
  await till.exited;
});
