/** A till's socket for its owner: where it is opened, who can reach it, what it answers, and what remains of it. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OwnerPort, OwnerStatus } from '../../src/owner/api.ts';
import { findOwner } from '../../src/owner/client.ts';
import { findSocket, openingFile } from '../../src/owner/place.ts';
import { type OwnerSocket, openOwnerSocket } from '../../src/owner/socket.ts';
import { dice } from '../support/chance/dice.ts';
import { isWindows, posixTest } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const { random } = dice(20261123);
let root: string;
let folder: string;
/** The system's temporary folder. */
let temporary: string;
const opened: OwnerSocket[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'owner-'));
  folder = join(root, 'data');
  temporary = join(root, 'tmp');
  mkdirSync(folder, { mode: 0o755 });
  mkdirSync(temporary);
});
afterEach(async () => {
  for (const socket of opened.splice(0)) await socket.close();
  rmSync(root, { recursive: true, force: true });
});

const createScriptedService = () => {
  const hearers = new Set<() => void>();
  const state = { underWay: 0, stops: 0 };
  const status = (): OwnerStatus => ({
    ...{ version: '1', pid: 7, mode: 'test', address: 'http://127.0.0.1:8800/', code: 'the-code' },
    ...{ state: state.stops > 0 ? 'stopping' : 'open', underWay: state.underWay },
  });
  const service: OwnerPort = {
    status,
    stop() {
      state.stops += 1;
    },
    api: async () => new Response(),
    listen(listener) {
      hearers.add(listener);
      return () => void hearers.delete(listener);
    },
  };
  const setUnderWay = (underWay: number): void => {
    state.underWay = underWay;
    for (const notify of hearers) notify();
  };
  return { service, state, now: setUnderWay, hearers };
};

const open = async (service = createScriptedService().service): Promise<OwnerSocket> => {
  const socket = await openOwnerSocket({ folder, service, random, temporary: [temporary] });
  opened.push(socket);
  return socket;
};

/** Closes connections as the system does for a dead process. */
const closeSocket = (socket: OwnerSocket): void => {
  for (const connection of socket.connections) connection.destroy();
};

/** Leaves a socket file as a killed program does: its server deletes another name on closing. */
const leaveSocket = async (path: string): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const server = createServer().listen(`${path}.made`);
  await new Promise((resolve) => server.once('listening', resolve));
  renameSync(`${path}.made`, path);
  await new Promise((resolve) => server.close(resolve));
  expect(lstatSync(path).isSocket()).toBe(true);
};

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;
posixTest(
  'it is in the till’s folder, private even if the folder is open to others, and gone when closed',
  async () => {
    const socket = await open();
    expect(socket.path).toBe(join(folder, 'owner/till.sock'));
    expect([modeOf(join(folder, 'owner')), modeOf(join(folder, 'owner/till.sock'))]).toEqual([0o700, 0o600]);
    const owner = await findOwner(folder);
    expect(owner?.now).toEqual({
      ...{ version: '1', pid: 7, mode: 'test', address: 'http://127.0.0.1:8800/', code: 'the-code' },
      ...{ state: 'open', underWay: 0 },
    });
    writeFileSync(openingFile(socket.path ?? ''), 'a code');
    await socket.close();
    expect(readdirSync(join(folder, 'owner'))).toEqual([]);
    expect(await findOwner(folder)).toBeUndefined();
  },
);

test('a stop reports how many sales it waits for, then that all is closed, and ends with the connection', async () => {
  const { service, state, now: setUnderWay, hearers } = createScriptedService();
  state.underWay = 2;
  const socket = await open(service);
  const owner = await findOwner(folder);
  const received: number[] = [];
  const { promise: firstRequest, resolve: first } = Promise.withResolvers<void>();
  const ended = owner?.stop((underWay) => {
    received.push(underWay);
    if (received.length === 1) first();
    // The connection ends with the process: here the test closes it like the system.
    if (underWay === 0) void socket.close().then(() => closeSocket(socket));
  });
  await firstRequest;
  expect((await findOwner(folder))?.now).toMatchObject({ state: 'stopping', underWay: 2 });
  setUnderWay(2);
  setUnderWay(1);
  setUnderWay(0);
  expect(await ended).toEqual({ closed: true });
  expect(received).toEqual([2, 1, 0]);
  expect(state.stops).toBe(1);
  // On Windows the end of a pipe is noticed a little later.
  while (hearers.size > 0) await new Promise((soon) => setImmediate(soon));
});

test('a stop is answered in a process that had another server before', () => {
  const child = spawnSync(process.execPath, [join(import.meta.dirname, 'second-server-child.ts'), folder]);
  expect([child.status, child.stdout.toString(), child.stderr.toString()]).toEqual([0, '{"closed":true}', '']);
});

test('a till that dies while stopping has not reported that all is closed', async () => {
  const { service } = createScriptedService();
  const socket = await open(service);
  const owner = await findOwner(folder);
  expect(await owner?.stop(() => closeSocket(socket))).toEqual({ closed: false });
});

posixTest('when the path is too long the socket is in its own temporary folder, named by a pointer', async () => {
  folder = join(root, 'a-folder-of-a-till-with-a-long-name'.repeat(3), 'data');
  mkdirSync(folder, { recursive: true });
  const socket = await open();
  const path = socket.path ?? '';
  expect(dirname(dirname(path))).toBe(temporary);
  expect([modeOf(dirname(path)), modeOf(path), modeOf(join(folder, 'owner.json'))]).toEqual([0o700, 0o600, 0o600]);
  expect((await findOwner(folder))?.now.pid).toBe(7);
  await socket.close();
  expect([existsSync(dirname(path)), existsSync(join(folder, 'owner.json'))]).toEqual([false, false]);
  expect(readdirSync(temporary)).toEqual([]);
});

posixTest('a folder that cannot be made private, or something that is no folder, is not used', async () => {
  mkdirSync(join(root, 'elsewhere'), { mode: 0o700 });
  symlinkSync(join(root, 'elsewhere'), join(folder, 'owner'));
  const socket = await open();
  expect(dirname(dirname(socket.path ?? ''))).toBe(temporary);
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});

posixTest('a till without any place for a socket reports why, and nothing else fails', async () => {
  writeFileSync(join(folder, 'owner'), '');
  expect(await findOwner(folder)).toBeUndefined();
  folder = join(root, 'nowhere');
  const socket = await open();
  expect(socket).toMatchObject({ path: undefined, why: expect.stringContaining('ENOENT') });
  expect(readdirSync(temporary)).toEqual([]);
});

posixTest('a socket, a pointer and a temporary folder left by a killed till are deleted', async () => {
  await leaveSocket(join(folder, 'owner/till.sock'));
  expect(await findOwner(folder)).toBeUndefined();
  const place = mkdtempSync(join(temporary, 'tillgate-'));
  await leaveSocket(join(place, 'till.sock'));
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ socket: join(place, 'till.sock') }));
  expect(await findOwner(folder)).toBeUndefined();
  expect((await open()).path).toBe(join(folder, 'owner/till.sock'));
  expect([existsSync(place), existsSync(join(folder, 'owner.json'))]).toEqual([false, false]);
  expect((await findOwner(folder))?.now.pid).toBe(7);
});

posixTest('a socket with a till that answers is never deleted', async () => {
  const first = await open();
  const second = await open();
  expect(second.path).not.toBe(first.path);
  await second.close();
  expect((await findOwner(folder))?.now.pid).toBe(7);
});

posixTest('a pointer to a socket that others can reach or own is not followed', async () => {
  const place = join(root, 'shared');
  mkdirSync(place, { mode: 0o700 });
  const socket = join(place, 'till.sock');
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ socket }));
  expect(findSocket(folder)).toBe(socket);
  chmodSync(place, 0o770);
  expect(() => findSocket(folder)).toThrow('is not this user’s alone');
  chmodSync(place, 0o700);
  symlinkSync(place, join(root, 'link'));
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ socket: join(root, 'link/till.sock') }));
  expect(() => findSocket(folder)).toThrow('is not this user’s alone');
  server.close();
});

posixTest('a till that does not answer is not waited for indefinitely', async () => {
  const socket = join(folder, 'owner/till.sock');
  mkdirSync(dirname(socket), { mode: 0o700 });
  const silentServer = createServer().listen(socket);
  await new Promise((resolve) => silentServer.once('listening', resolve));
  const clock = virtualClock();
  const found = findOwner(folder, clock);
  found.catch(() => {});
  await new Promise((resolve) => silentServer.once('connection', resolve));
  await clock.advance(10_000);
  await expect(found).rejects.toThrow('it does not answer');
  silentServer.close();
});

test.each(['', '{', '7', '{"socket":7}'])('a pointer with the content %j is ignored', async (text) => {
  writeFileSync(join(folder, 'owner.json'), text);
  expect(await findOwner(folder)).toBeUndefined();
  const { path } = await open();
  if (isWindows) expect(path).toMatch(/^\\\\\.\\pipe\\tillgate-[0-9a-f]{32}$/);
  else expect(path).toBe(join(folder, 'owner/till.sock'));
});

// Not a skipped test: other systems have no such pipes.
if (isWindows)
  test('on Windows it is a pipe named by a pointer in the till’s folder, and gone when closed', async () => {
    const socket = await open();
    const first = await findOwner(folder);
    expect(first?.now).toMatchObject({ pid: 7, state: 'open' });
    expect(first?.socket).toBe(socket.path);
    await socket.close();
    expect(await findOwner(folder)).toBeUndefined();
    expect(existsSync(join(folder, 'owner.json'))).toBe(false);
    // Each pipe has an unpredictable name.
    expect((await open()).path).not.toBe(socket.path);
  });
