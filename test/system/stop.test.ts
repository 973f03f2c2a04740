/** A running till process and its owner's commands: `till stop`, `till open`, and who is refused. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nobodysHeaders } from '../support/servers/visitor.ts';
import { folder, type Running, screensOf, simulator, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const amount = { amount: '12.50', currency: 'EUR' };
const shop = (): string => join(folder, 'shop');

const start = async (data = shop(), ...flags: readonly string[]) => {
  const till = tillgate(['start', '--data', data, '--port', '0', '--no-open-browser', ...flags]);
  return { till, ...(await screensOf(till)) };
};
const run = (command: string, data = shop(), ...flags: readonly string[]) =>
  tillgate(['till', command, '--data', data, ...flags]).ended;

const begin = async ({ url, code }: { url: string; code: string }): Promise<void> => {
  const headers = await nobodysHeaders((path, request) => fetch(new URL(path, url), request), code);
  const sale = { method: 'POST', headers: { ...headers, 'idempotency-key': 'a-sale-to-stop' } };
  expect((await fetch(`${url}api/sales`, { ...sale, body: JSON.stringify({ amount }) })).status).toBe(201);
};

test('stops during a sale: says what it waits for, and returns once process and lock are gone', async () => {
  const { at: terminal } = await simulator({ card: 'visa-credit', by: 'chip', never: true });
  const { till, ...at } = await start(shop(), '--terminal', terminal);
  await begin(at);
  const pid = till.child.pid ?? 0;
  const end = await run('stop');
  // Gone, or a zombie whose number is kept until this process has read its exit.
  if (existsSync(`/proc/${pid}/stat`)) expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) [ZX] /);
  expect(end).toMatchObject({ code: 0, out: 'The till has ended.\n' });
  expect(end.err).toContain('1 sale in progress: cancelling, and waiting for the end.');
  const { sales } = JSON.parse((await run('sales', shop(), '--json')).out);
  expect(sales).toMatchObject([{ receipt: 1 }]);
  expect(await till.ended).toMatchObject({ code: 0, err: expect.stringContaining('1 sale in progress') });
});

test('no till running, a till that was killed, and a second start on its folder', async () => {
  mkdirSync(shop());
  expect(await run('stop')).toMatchObject({ code: 0, out: `No till runs on ${shop()}.\n` });
  const none = await run('open');
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('No till is running with')]);

  const first = await start();
  const socket = join(shop(), 'owner/till.sock');
  const created = lstatSync(socket).ino;
  const busy = await tillgate(['start', '--data', shop(), '--port', '0']).ended;
  expect([busy.code, busy.err]).toEqual([5, expect.stringContaining('till stop')]);
  expect(lstatSync(socket).ino).toBe(created);
  first.till.child.kill('SIGKILL');
  await first.till.ended;
  expect(existsSync(socket)).toBe(true);
  expect(JSON.parse((await run('stop', shop(), '--json')).out)).toEqual({ mode: 'test', stopped: false });

  const restarted = await start();
  expect(JSON.parse((await run('stop', shop(), '--json')).out)).toEqual({ mode: 'test', stopped: true, closed: true });
  expect((await restarted.till.ended).code).toBe(0);
  expect(existsSync(socket)).toBe(false);
});

test('the address is printed again, with this start’s code', async () => {
  const { till, url, code } = await start();
  expect(await run('open')).toMatchObject({ code: 0, out: `${url}#code=${code}\n` });
  expect(JSON.parse((await run('open', shop(), '--json')).out)).toEqual({ mode: 'test', address: url, code });
  await run('stop');
  await till.ended;
  const next = await start(shop(), '--training');
  expect(next.code).not.toBe(code);
  expect((await run('open', shop(), '--training')).out).toBe(`${next.url}#code=${next.code}\n`);
  expect((await run('open')).code).toBe(2);
  await run('stop', shop(), '--training');
  expect((await next.till.ended).code).toBe(0);
});

test('a till with its own socket, in a folder whose path is too long for one', async () => {
  const data = join(folder, 'a-folder-with-a-long-name'.repeat(5), 'till');
  const socket = join(folder, 'page.sock');
  const till: Running = tillgate(['start', '--data', data, '--socket', socket]);
  await till.waitForOutput('listening on ');
  const pointer = JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8')) as { socket: string };
  expect(lstatSync(pointer.socket).mode & 0o777).toBe(0o600);
  const [address, code = ''] = (await run('open', data)).out.split('\n');
  expect([address, code]).toEqual([socket, expect.stringMatching(/^code [\w-]{22}$/)]);
  expect((await run('stop', data)).out).toBe('The till has ended.\n');
  expect(await till.ended).toMatchObject({ code: 0, out: expect.stringContaining(code) });
  expect([existsSync(pointer.socket), existsSync(join(data, 'owner.json'))]).toEqual([false, false]);
});

const NOBODY = 65_534;

test.runIf(process.getuid?.() === 0)('another user is refused, whatever files they can read', async () => {
  const { till } = await start();
  const socket = join(shop(), 'owner/till.sock');
  // As open as folders can be: only the socket's own folder keeps the other user out.
  chmodSync(folder, 0o777);
  chmodSync(shop(), 0o777);
  const program = `const say = (word) => { console.log(word); process.exit(); };
    require('node:net').connect(${JSON.stringify(socket)}, () => say('IN')).on('error', ({ code }) => say(code));`;
  const runAs = (user: number): string => {
    const rights = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    return spawnSync('setpriv', [...rights, '/usr/bin/env', 'node', '-e', program], { encoding: 'utf8' }).stdout.trim();
  };
  expect([runAs(NOBODY), runAs(0)]).toEqual(['EACCES', 'IN']);
  expect((await run('stop')).code).toBe(0);
  await till.ended;
});
