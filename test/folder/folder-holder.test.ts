/** Who works on a busy folder: a till of this user, one of another user, or a program that does not answer. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemRandom } from '../../src/base/ids.ts';
import { type FolderHolder, folderHolder } from '../../src/folder/till-folder.ts';
import { openOwnerSocket } from '../../src/owner/socket.ts';
import { posixTest } from '../support/platform/platform.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const failing = (error: Error) => async (): Promise<undefined> => {
  throw error;
};
const refusedBy = (code: string) => failing(Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' }));

type Row = [who: string, find: () => Promise<object | undefined>, by: FolderHolder];
test.each<Row>([
  ['a till that answers', async () => ({}), 'self'],
  ['nobody', async () => undefined, 'nobody'],
  ['a pipe of another Windows session', refusedBy('EPERM'), 'other'],
  ['a socket of another user', refusedBy('EACCES'), 'other'],
  ['a till that does not answer in time', failing(new Error('it does not answer')), 'nobody'],
])('%s: %#', async (_, find, by) => {
  expect(await folderHolder(folder, find)).toBe(by);
});

const status = { version: '1', pid: 7, mode: 'live', address: 'x', state: 'open', underWay: 0 } as const;
const api = async () => new Response();
const service = { status: () => status, stop: () => {}, listen: () => () => {}, api };

test('a live till beside a test till is looked for in its own folder', async () => {
  const live = join(folder, 'live');
  mkdirSync(join(live, 'journal.db'), { recursive: true });
  const owner = await openOwnerSocket({ folder: live, service, random: systemRandom });
  expect(await folderHolder(folder)).toBe('self');
  await owner.close();
});

posixTest('a socket that others can reach counts as another user’s, and nothing is sent to it', async () => {
  const owner = await openOwnerSocket({ folder, service, random: systemRandom });
  chmodSync(join(folder, 'owner'), 0o755);
  expect(await folderHolder(folder)).toBe('other');
  await owner.close();
});
