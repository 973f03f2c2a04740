/**
 * A till process that hangs under the desktop app, as with a driver that never returns. Real processes and real time,
 * with a gateway and a terminal that keep running.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SaleRow } from '../../src/api/contract/sales.ts';
import { openShellRig, type ShellRig } from './shell-rig.ts';

let rig: ShellRig;
afterEach(() => rig.close());

type Way = 'SIGSTOP' | 'SIGUSR2';

/** Stopped by the system, or in an endless loop. */
const stopProcess = (child: { pid: number | undefined } | undefined, how: Way = 'SIGSTOP'): void => {
  if (child?.pid === undefined) throw new Error('nothing runs that could hang');
  process.kill(child.pid, how);
};

const crashes = (): string[] => {
  const folder = join(rig.userData, 'crashes');
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
};

const isShown = (text: string): Promise<void> =>
  rig.until(async () => (await (await rig.page('/')).text()).includes(text));

/** Sells, and waits for the ending. */
const sellByApi = async (amount: string): Promise<SaleRow | undefined> => {
  expect((await rig.sell(amount)).status).toBe(201);
  await rig.until(async () => (await rig.live((await rig.sales())[0]?.id ?? '')).terminalFree);
  return (await rig.sales())[0];
};

test('hangs after the gateway took a payment: it is ended and restarted, and the payment reversed', async () => {
  rig = await openShellRig();
  await rig.listening(1);
  const [first] = rig.children;
  const pid = first?.pid ?? 0;
  rig.shop.whenPaid(() => stopProcess(first));
  expect((await rig.sell('42.00')).status).toBe(201);

  await isShown('The till does not answer');
  const refused = await rig.page('/api/line');
  expect([refused.status, await refused.json()]).toMatchObject([503, { problem: { code: 'till.away' } }]);

  await rig.listening(2);
  expect(() => process.kill(pid, 0)).toThrowError('ESRCH');
  expect(crashes()).toEqual([expect.stringContaining('it hung: it did not answer for 5 seconds')]);
  await isShown('id="root"');
  await rig.until(async () => (await rig.sales())[0]?.ending === 'declined');
  expect(await rig.sales()).toMatchObject([{ receipt: 1, ending: 'declined', reason: 'reversed' }]);
  expect(await sellByApi('8.20')).toMatchObject({ receipt: 2, ending: 'approved' });

  await rig.stop();
  expect(await rig.account()).toEqual([
    { agrees: true, gateway: 0n },
    { agrees: true, gateway: 820n },
  ]);
});

const signals: readonly [name: string, how: Way][] = [
  ['stands still', 'SIGSTOP'],
  ['is in an endless loop', 'SIGUSR2'],
];
test.each(signals)('%s while nobody sells: the window gets its page back, and a sale succeeds', async (_, how) => {
  rig = await openShellRig();
  await rig.listening(1);
  stopProcess(rig.children[0], how);
  await rig.listening(2);
  await isShown('id="root"');
  expect(await sellByApi('8.20')).toMatchObject({ receipt: 1, ending: 'approved' });
});

test('recovers before it is ended: it is the same process, and the window gets its page back', async () => {
  rig = await openShellRig({ hungBeats: 10_000 });
  await rig.listening(1);
  const [first] = rig.children;
  stopProcess(first);
  await isShown('The till does not answer');
  process.kill(first?.pid ?? 0, 'SIGCONT');
  await isShown('id="root"');
  expect([rig.children.length, existsSync(join(rig.userData, 'crashes'))]).toEqual([1, false]);
});

test('hangs at one start and dies at the next: the third start works', async () => {
  rig = await openShellRig({
    startMs: 5_000,
    spawned(child, count) {
      if (count === 1) stopProcess(child);
      if (count === 2) process.kill(child.pid ?? 0, 'SIGKILL');
    },
  });
  await rig.until(async () => (await (await rig.page('/')).text()).includes('id="root"'));
  expect(rig.children.length).toBeGreaterThanOrEqual(3);
  expect(crashes().join('\n')).toContain('it had not started after 5 seconds');
  expect(await sellByApi('8.20')).toMatchObject({ receipt: 1, ending: 'approved' });
});

test('hangs as the app exits: it is killed, and nobody has to wait', async () => {
  rig = await openShellRig();
  await rig.listening(1);
  stopProcess(rig.children[0]);
  await rig.stop();
  expect(rig.children).toHaveLength(1);
  expect(await rig.account()).toEqual([]);
});
