/** HID links: which device is opened, the message when none can be, and reports of exactly 64 bytes. */
import { expect, test } from 'vitest';
import { type HidPlugged, openHid } from '../../../drivers/links/hid.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { toHex } from '../../../src/base/hex.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { dynaFlex, fakeHid, report } from './fake-hid.ts';

const place = { vendorId: 0x0801, productId: 0x2020, reportIds: false };
const refusalOf = async (plugged: readonly HidPlugged[], o: { serial?: string; refuses?: string } = {}) => {
  const { serial, refuses } = o;
  const system = fakeHid({ plugged, refuses });
  const openPlace = { ...place, clock: virtualClock(), system, serial };
  const fault: unknown = await openHid(openPlace).then(
    () => 'it opened',
    (error: unknown) => error,
  );
  expect(fault).toMatchObject({ code: 'link.unavailable' });
  return (fault as { facts: { why: string } }).facts.why;
};

const twin: HidPlugged = { ...dynaFlex, path: 'fake-2', serial: 'B51A2B1' };
const bootLoader: HidPlugged = { ...dynaFlex, path: 'fake-3', productId: 0x2021, product: 'DynaFlex boot loader' };
const mouse: HidPlugged = { path: 'fake-4', vendorId: 0x046d, productId: 0xc077, product: 'Mouse', usagePage: 1 };
const bare = ({ path, vendorId, productId, product = '' }: HidPlugged): HidPlugged => ({
  path,
  vendorId,
  productId,
  product,
});

test.each<[string, readonly HidPlugged[], { serial?: string; refuses?: string }, RegExp]>([
  ['nothing plugged in', [mouse], {}, /^it is not plugged in; nothing of this vendor is$/],
  [
    'another product of the vendor',
    [mouse, bootLoader],
    {},
    /^it is not plugged in; of this vendor: DynaFlex boot loader 0801:2021 serial number B51A2B0$/,
  ],
  [
    'another serial number',
    [dynaFlex],
    { serial: 'X' },
    /^no such serial number; plugged in: DynaFlex 0801:2020 serial/,
  ],
  ['two with serial numbers', [dynaFlex, twin], {}, /^2 such .*B51A2B0, .*B51A2B1; name one by its serial number$/],
  [
    'two identical ones',
    [bare(dynaFlex), bare(twin)],
    {},
    /^2 such .* at fake-1, .* at fake-2; they cannot be told apart: leave only one plugged in$/,
  ],
  [
    'no permission',
    [dynaFlex],
    { refuses: "Failed to open a device with path '/dev/hidraw0': Permission denied" },
    /^this user may not use it; .*sudo build\/linux\/install-udev-rules\.sh/,
  ],
  [
    'held by another',
    [dynaFlex],
    { refuses: 'exclusive access and device already open' },
    /^another program holds it$/,
  ],
])('%s', async (_, plugged, o, pattern) => {
  expect(await refusalOf(plugged, o)).toMatch(pattern);
});

test('of a device’s several interfaces the vendor-specific one is used', async () => {
  const keyboard: HidPlugged = { ...dynaFlex, path: 'fake-0', usagePage: 1 };
  const system = fakeHid({ plugged: [keyboard, dynaFlex, twin] });
  const openedPaths: string[] = [];
  const open = system.open;
  const link = await openHid({
    ...place,
    serial: 'B51A2B0',
    clock: virtualClock(),
    system: {
      ...system,
      open(path) {
        openedPaths.push(path);
        return open(path);
      },
    },
  });
  expect(openedPaths).toEqual(['fake-1']);
  expect(link.name).toBe('hid:0801:2020:B51A2B0');
  expect(link.carries).toBe('reports');
});

test.each([
  [false, 'without ids each report is preceded by a zero'],
  [true, 'with ids a report is sent unchanged'],
])('report ids %s: %s', async (reportIds) => {
  const system = fakeHid({ plugged: [dynaFlex], reportIds });
  const link = await openHid({ ...place, reportIds, clock: virtualClock(), system });
  const received: string[] = [];
  system.device().listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => {} });
  await link.write(report(1, 2, 3));
  await Promise.resolve();
  expect(received).toEqual([toHex(report(1, 2, 3))]);
});

test('a report of the wrong length is refused before it is sent, and the link is given up', async () => {
  const system = fakeHid({ plugged: [dynaFlex] });
  const link = await openHid({ ...place, clock: virtualClock(), system });
  await expect(link.write(new Uint8Array(63))).rejects.toMatchObject({
    code: 'link.lost',
    facts: { why: 'a report has 64 bytes, not 63' },
  });
});

test('a device that takes no bytes is given up at the deadline', async () => {
  const clock = virtualClock();
  const system = fakeHid({ plugged: [dynaFlex] });
  const link = await openHid({ ...place, clock, system });
  const losses: unknown[] = [];
  link.listen({ bytes: () => {}, closed: (fault) => losses.push(fault) });
  system.hang();
  const writes = [1, 2].map((byte) => link.write(report(byte)).catch((error: unknown) => error));
  await clock.advance(5_000);
  expect(await Promise.all(writes)).toEqual([
    expect.objectContaining({ code: 'link.lost' }),
    expect.objectContaining({ code: 'link.lost' }),
  ]);
  expect(losses).toHaveLength(1);
  await clock.advance(5_000);
  expect(clock.waiting()).toBe(0);
});

test('a device that never opens is given up at the deadline', async () => {
  const clock = virtualClock();
  const opening = openHid({ ...place, clock, system: fakeHid({ plugged: [dynaFlex], hangsAtOpen: true }) });
  const failed = opening.catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await failed).toMatchObject({ code: 'link.unavailable', facts: { why: 'it did not open within 10000 ms' } });
});

test('unplugging is reported once, in words', async () => {
  const system = fakeHid({ plugged: [dynaFlex] });
  const link = await openHid({ ...place, clock: virtualClock(), system });
  const losses: unknown[] = [];
  link.listen({ bytes: () => {}, closed: (fault) => losses.push(fault) });
  await system.device().close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(losses).toEqual([
    expect.objectContaining({ code: 'link.lost', facts: { port: 'hid:0801:2020', why: 'it was unplugged' } }),
  ]);
});

test('the machine’s own devices are searched, and a missing one is reported as such', async () => {
  const openPlace = { vendorId: 0xf00d, productId: 0xbeef, reportIds: false, clock: systemClock };
  await expect(openHid(openPlace)).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { port: 'hid:F00D:BEEF' },
  });
});
