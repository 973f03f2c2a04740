/** Pseudo terminals with serial ports on them: what only these two can go through. */
import { lstatSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { openPty } from '../../../drivers/links/pty.ts';
import { openSerial } from '../../../drivers/links/serial.ts';
import { systemClock as clock } from '../../../src/base/clock.ts';
import { toHex } from '../../../src/base/hex.ts';
import { systemIds } from '../../../src/base/ids.ts';

const links: Link[] = [];
const kept = <T extends Link>(link: T): T => {
  links.push(link);
  return link;
};
const newPath = () => join(tmpdir(), `pty-test-${systemIds.next()}`);
const next = (link: Link): Promise<string> =>
  new Promise((resolve) => link.listen({ bytes: (bytes) => resolve(toHex(bytes)), closed: () => resolve('closed') }));

afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
});

test('the symbolic link lasts through several tills, and goes with the device', async () => {
  const at = newPath();
  const { link, path } = openPty({ at });
  kept(link);
  expect(path).toBe(at);
  const heard: string[] = [];
  let wake = () => {};
  link.listen({
    bytes: (bytes) => {
      heard.push(toHex(bytes));
      wake();
    },
    closed: () => {},
  });
  for (const byte of [1, 2, 3]) {
    const arrived = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const till = await openSerial({ path: at, clock });
    const answer = next(till);
    await till.write(Uint8Array.of(byte));
    await arrived;
    await link.write(Uint8Array.of(0x80 + byte));
    expect(await answer).toBe(`8${byte}`);
    await till.close();
  }
  expect(heard).toEqual(['01', '02', '03']);
  expect(readlinkSync(at)).toMatch(/^\/dev\//);
  await link.close();
  expect(lstatSync(at, { throwIfNoEntry: false })).toBeUndefined();
});

test('what the device says before a till is there is not echoed back to it', async () => {
  const { link, path } = openPty();
  kept(link);
  const heard: string[] = [];
  link.listen({ bytes: (bytes) => heard.push(toHex(bytes)), closed: () => {} });
  await link.write(Uint8Array.of(1, 0x40, 2, 0x50, 0x51, 0x42, 10));
  const till = kept(await openSerial({ path, clock }));
  const fromDevice = next(till);
  await link.write(Uint8Array.of(7));
  await fromDevice;
  expect(heard).toEqual([]);
});

test('a link left behind by a device that was stopped is replaced, a file is not', async () => {
  const at = newPath();
  const first = openPty({ at });
  kept(first.link);
  const second = openPty({ at });
  kept(second.link);
  await first.link.close();
  expect(readlinkSync(at)).toMatch(/^\/dev\//);

  const file = newPath();
  writeFileSync(file, 'mine');
  expect(() => openPty({ at: file })).toThrow(
    expect.objectContaining({ code: 'link.unavailable', facts: { port: file, why: 'there is a file already' } }),
  );
});

test('a port that another program holds is told as such', async () => {
  const { link, path } = openPty();
  kept(link);
  kept(await openSerial({ path, clock }));
  await expect(openSerial({ path, clock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { port: `serial:${path}`, why: 'another program holds the port' },
  });
});

test('a port that is not there is told as such', async () => {
  await expect(openSerial({ path: '/dev/tty-none', clock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { why: 'there is no such port; is the terminal plugged in?' },
  });
});

test('a path that is no port is told as such', async () => {
  await expect(openSerial({ path: tmpdir(), clock })).rejects.toMatchObject({ code: 'link.unavailable' });
});
