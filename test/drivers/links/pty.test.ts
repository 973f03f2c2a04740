/** Pseudo terminals with serial ports on them: what can only be tested with both. */
import { spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readlinkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { explainPermission } from '../../../drivers/links/port-words.ts';
import { openPty } from '../../../drivers/links/pty.ts';
import { openSerial, presenceOf } from '../../../drivers/links/serial.ts';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { toHex } from '../../../src/base/hex.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { posixTest } from '../../support/platform/platform.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const links: Link[] = [];
const keep = <T extends Link>(link: T): T => {
  links.push(link);
  return link;
};
const newPath = () => join(tmpdir(), `pty-test-${systemIds.next()}`);
const nextEvent = (link: Link): Promise<string> =>
  new Promise((resolve) => link.listen({ bytes: (bytes) => resolve(toHex(bytes)), closed: () => resolve('closed') }));

afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
});

posixTest('the symbolic link survives several tills, and is removed with the device', async () => {
  const linkPath = newPath();
  const { link, path } = openPty({ at: linkPath });
  keep(link);
  expect(path).toBe(linkPath);
  const received: string[] = [];
  let wake = () => {};
  link.listen({
    bytes: (bytes) => {
      received.push(toHex(bytes));
      wake();
    },
    closed: () => {},
  });
  for (const byte of [1, 2, 3]) {
    const arrived = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const till = await openSerial({ path: linkPath, clock });
    const answer = nextEvent(till);
    await till.write(Uint8Array.of(byte));
    await arrived;
    await link.write(Uint8Array.of(0x80 + byte));
    expect(await answer).toBe(`8${byte}`);
    await till.close();
  }
  expect(received).toEqual(['01', '02', '03']);
  expect(readlinkSync(linkPath)).toMatch(/^\/dev\//);
  await link.close();
  expect(lstatSync(linkPath, { throwIfNoEntry: false })).toBeUndefined();
});

posixTest('output of the device before a till connects is not echoed back to it', async () => {
  const { link, path } = openPty();
  keep(link);
  const received: string[] = [];
  link.listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => {} });
  await link.write(Uint8Array.of(1, 0x40, 2, 0x50, 0x51, 0x42, 10));
  const till = keep(await openSerial({ path, clock }));
  const fromDevice = nextEvent(till);
  await link.write(Uint8Array.of(7));
  await fromDevice;
  expect(received).toEqual([]);
});

posixTest('a link left behind by a device that was stopped is replaced, a file is not', async () => {
  const linkPath = newPath();
  const first = openPty({ at: linkPath });
  keep(first.link);
  const second = openPty({ at: linkPath });
  keep(second.link);
  await first.link.close();
  expect(readlinkSync(linkPath)).toMatch(/^\/dev\//);

  const file = newPath();
  writeFileSync(file, 'mine');
  expect(() => openPty({ at: file })).toThrow(
    expect.objectContaining({ code: 'link.unavailable', facts: { port: file, why: 'there is a file already' } }),
  );
});

posixTest('a port that another program holds is reported as such', async () => {
  const { link, path } = openPty();
  keep(link);
  keep(await openSerial({ path, clock }));
  await expect(openSerial({ path, clock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { port: `serial:${path}`, why: 'this program itself has it open already' },
  });
});

test.runIf(process.platform === 'linux')('the program that holds a port is named', async () => {
  const { link, path } = openPty();
  keep(link);
  const script = `
    import { SerialPort } from 'serialport';
    // An open port alone does not keep a program running.
    setInterval(() => {}, 1_000);
    new SerialPort({ path: ${JSON.stringify(path)}, baudRate: 9600, lock: true }, () => process.stdout.write('open'));`;
  const otherProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => otherProcess.stdout.once('data', resolve));
  try {
    await expect(openSerial({ path, clock })).rejects.toMatchObject({
      code: 'link.unavailable',
      facts: {
        why: expect.stringMatching(
          new RegExp(
            `^another program holds the port: node.* \\(process ${otherProcess.pid}\\) holds it; close that program$`,
          ),
        ),
      },
    });
  } finally {
    const closed = new Promise((resolve) => otherProcess.once('exit', resolve));
    otherProcess.kill();
    await closed;
  }
  keep(await openSerial({ path, clock }));
});

posixTest('a missing port is reported as such', async () => {
  await expect(openSerial({ path: '/dev/tty-none', clock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { why: 'there is no such port; is the terminal plugged in?' },
  });
});

posixTest('a path that is not a port is reported as such', async () => {
  await expect(openSerial({ path: tmpdir(), clock })).rejects.toMatchObject({ code: 'link.unavailable' });
});

posixTest('a device that vanishes is noticed even if nobody writes', async () => {
  const { link, path } = openPty();
  const clock = virtualClock();
  const till = keep(await openSerial({ path, clock }));
  const lost = new Promise<unknown>((resolve) => till.listen({ bytes: () => {}, closed: resolve }));
  await link.close();
  await clock.advance(1_000);
  expect(await lost).toMatchObject({ code: 'link.lost', facts: { port: `serial:${path}` } });
  await till.close();
});

posixTest('a port whose node was replaced has lost its device', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'node-'));
  const node = join(folder, 'ttyACM0');
  writeFileSync(node, '');
  const present = await presenceOf(node);
  expect(await present()).toBe(true);
  writeFileSync(join(folder, 'next'), '');
  unlinkSync(node);
  expect(await present()).toBe(false);
  renameSync(join(folder, 'next'), node);
  expect(await present()).toBe(false);
  expect(await (await presenceOf('COM3'))()).toBe(true);
});

posixTest('a user without permission is told the rule and the group', () => {
  expect(explainPermission('dialout')).toMatch(/install-udev-rules\.sh.*usermod -aG dialout/);
  expect(explainPermission(undefined)).not.toMatch(/usermod/);
});
