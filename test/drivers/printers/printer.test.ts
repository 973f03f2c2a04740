import { afterEach, describe, expect, test } from 'vitest';
import { openLinePrinter } from '../../../drivers/links/line-printer.ts';
import { openPty } from '../../../drivers/links/pty.ts';
import type { PrintedItem } from '../../../drivers/printers/decoder.ts';
import { createPrinter, type Printer, printerAt } from '../../../drivers/printers/printer.ts';
import {
  type PrinterScript,
  type SimulatedPrinter,
  simulatedPrinter,
  simulatePrinterOnTcp,
  textOf,
} from '../../../drivers/printers/simulator.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import { concat } from '../../../src/base/hex.ts';
import { drawerPulse, escpos } from '../../../src/receipt/escpos.ts';
import { layout } from '../../../src/receipt/layout.ts';
import type { Row } from '../../../src/receipt/rows.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { isWindows } from '../../support/platform/platform.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'pair', left: `LINE ${index}`, right: '1.00' }));
const printJob = (count = 3) => escpos(layout(rows(count), 32), { width: 32, codePage: 'cp437', drawn: new Map() });

const rig = (script: PrinterScript = {}) => {
  const clock = virtualClock();
  const simulated = simulatedPrinter({ clock }, script);
  const open = async () => {
    const [ownEnd, printerEnd] = memoryLinks();
    simulated.accept(printerEnd);
    return ownEnd;
  };
  return { clock, simulated, printer: createPrinter({ name: 'bar', clock, open }) };
};

const count = (printed: readonly PrintedItem[], kind: PrintedItem['kind']) =>
  printed.filter((each) => each.kind === kind).length;

test('a paper is printed, cut and confirmed', async () => {
  const { clock, simulated, printer } = rig();
  expect(await clock.until(printer.print(printJob()))).toEqual({ state: 'ready' });
  expect(textOf(simulated.printed)).toEqual([0, 1, 2].map((index) => `LINE ${index}${' '.repeat(22)}1.00`));
  expect(count(simulated.printed, 'cut')).toBe(1);
  expect(simulated.noise).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

describe('health', () => {
  const scripts: [string, PrinterScript, string][] = [
    ['well', {}, 'ready'],
    ['low on paper', { paper: 10 }, 'paperLow'],
    ['out of paper', { paper: 0 }, 'paperOut'],
    ['open', { coverOpen: true }, 'coverOpen'],
    ['open and out of paper', { coverOpen: true, paper: 0 }, 'coverOpen'],
    ['blocked', { cutterBlocked: true }, 'error'],
    ['silent', { silent: true }, 'unknown'],
    ['full of garbage', { garbage: Uint8Array.of(0xff, 0x00, 0x11, 0x13) }, 'unknown'],
  ];
  test.each(scripts)('%s', async (_, script, state) => {
    const { clock, printer } = rig(script);
    expect((await clock.until(printer.health())).state).toBe(state);
  });

  const refusals: [PrinterScript, string][] = [
    [{ paper: 0 }, 'printer.paperOut'],
    [{ coverOpen: true }, 'printer.coverOpen'],
    [{ cutterBlocked: true }, 'printer.error'],
  ];
  test.each(refusals)('%j: no byte of the paper is sent', async (script, code) => {
    const { clock, simulated, printer } = rig(script);
    let hasBegun = false;
    const ended = printer.print(printJob(), {
      onBegun: () => {
        hasBegun = true;
      },
    });
    await expect(clock.until(ended)).rejects.toMatchObject({ code });
    expect(hasBegun).toBe(false);
    simulated.set({ paper: 100, coverOpen: false, cutterBlocked: false });
    expect(simulated.printed).toEqual([]);
  });
});

test('out of paper midway: reported at once, and printed once with a new roll', async () => {
  const { clock, simulated, printer } = rig({ paper: 30 });
  const messages: string[] = [];
  const ended = printer.print(printJob(60), { onTrouble: (fault) => messages.push(fault.code) });
  await clock.advance(5_000);
  expect(messages).toEqual(['printer.paperOut']);
  expect(count(simulated.printed, 'line')).toBe(30);
  simulated.set({ paper: 1_000 });
  expect(await clock.until(ended)).toEqual({ state: 'ready' });
  expect(count(simulated.printed, 'line')).toBe(60);
  expect(count(simulated.printed, 'cut')).toBe(1);
});

test('the cover opened midway, closed after a minute', async () => {
  const { clock, simulated, printer } = rig({ lineMs: 20 });
  const messages: string[] = [];
  const ended = printer.print(printJob(60), { onTrouble: (fault) => messages.push(fault.code) });
  await clock.advance(300);
  simulated.set({ coverOpen: true });
  await clock.advance(60_000);
  expect(messages).toEqual(['printer.coverOpen']);
  simulated.set({ coverOpen: false });
  await clock.until(ended);
  expect(count(simulated.printed, 'line')).toBe(60);
});

test('a slow printer is waited for', async () => {
  const { clock, simulated, printer } = rig({ lineMs: 150 });
  await clock.until(printer.print(printJob(40)));
  expect(count(simulated.printed, 'cut')).toBe(1);
});

test('of a silent printer the till claims only that it took the bytes', async () => {
  const { clock, simulated, printer } = rig({ silent: true });
  expect(await clock.until(printer.print(printJob()))).toEqual({ state: 'unknown' });
  expect(count(simulated.printed, 'line')).toBe(3);
});

test('a printer that falls silent midway has not printed', async () => {
  const { clock, simulated, printer } = rig({ lineMs: 100 });
  const ended = printer.print(printJob(60));
  await clock.advance(500);
  simulated.set({ silent: true });
  await expect(clock.until(ended)).rejects.toMatchObject({ code: 'printer.away' });
});

test('a printer that cannot be reached is away', async () => {
  const clock = virtualClock();
  const open = () => Promise.reject(new Fault('link.unavailable', { port: 'tcp://x:9100', why: 'refused' }));
  const printer = createPrinter({ name: 'bar', clock, open });
  await expect(printer.health()).rejects.toMatchObject({ code: 'printer.away' });
  await expect(printer.print(printJob())).rejects.toMatchObject({ code: 'printer.away' });
});

test('the drawer’s pulse', async () => {
  const { clock, simulated, printer } = rig();
  await clock.until(printer.print(drawerPulse));
  expect(simulated.printed).toEqual([{ kind: 'drawer' }]);
});

describe('over TCP', () => {
  let closing: (() => Promise<void>) | undefined;
  afterEach(() => closing?.());
  const startPrinter = async (
    script: PrinterScript = {},
  ): Promise<{ simulated: SimulatedPrinter; printer: Printer }> => {
    const simulated = simulatedPrinter({ clock: systemClock }, script);
    const { address, close } = await simulatePrinterOnTcp(simulated, { port: 0, clock: systemClock });
    closing = close;
    return { simulated, printer: printerAt({ name: 'bar', address, clock: systemClock }) };
  };

  test('prints one paper after another', async () => {
    const { simulated, printer } = await startPrinter();
    await printer.print(concat(drawerPulse, printJob()));
    await printer.print(printJob(100));
    expect(count(simulated.printed, 'line')).toBe(103);
    expect(count(simulated.printed, 'drawer')).toBe(1);
  });

  test('switched off', async () => {
    const { printer } = await startPrinter();
    await closing?.();
    closing = undefined;
    await expect(printer.print(printJob())).rejects.toMatchObject({ code: 'printer.away' });
  });
});

// A pseudo terminal replaces the device file, and Windows has no pseudo terminals.
describe.skipIf(isWindows)('at a device file of the kernel', () => {
  test('prints, asks and receives answers', async () => {
    const { link, path } = openPty();
    const simulated = simulatedPrinter({ clock: systemClock });
    simulated.accept(link);
    const open = () => openLinePrinter({ path, clock: systemClock });
    const printer = createPrinter({ name: 'bar', clock: systemClock, open });
    expect(await printer.health()).toEqual({ state: 'ready' });
    await printer.print(printJob(200));
    expect(count(simulated.printed, 'line')).toBe(200);
    expect(count(simulated.printed, 'cut')).toBe(1);
    await simulated.close();
  });

  test.each([
    ['win32', /Windows has no such device: give the COM port .*escpos\+serial:COM3.*escpos\+tcp:/],
    ['darwin', /macOS has no such device: give the serial port .*escpos\+tcp:/],
  ] as const)('on %s it is refused, naming the alternatives', async (platform, reason) => {
    const opening = openLinePrinter({ path: '/dev/usb/lp0', clock: systemClock, platform });
    await expect(opening).rejects.toMatchObject({
      code: 'link.unavailable',
      facts: { port: 'usb:/dev/usb/lp0', why: expect.stringMatching(reason) },
    });
  });

  test('that does not exist', async () => {
    const address = 'escpos+usb:/dev/usb/lp199';
    const printer = printerAt({ name: 'bar', address, clock: systemClock });
    await expect(printer.print(printJob())).rejects.toMatchObject({ code: 'printer.away' });
  });
});
