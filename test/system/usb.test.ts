/**
 * Terminals on a real USB stack: a small virtual machine whose kernel plugs simulated HID and CDC-ACM devices into
 * itself, and the real node-hid and serialport between them and the till. At last the power is cut while it sells.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scanForCardData } from '../support/leak-scan.ts';
import { afterCut, cardNumbers } from './usb/guest/power-cut.ts';
import { scenes } from './usb/guest/scenes.ts';
import { makeImage } from './usb/image.ts';
import { type Bootable, boot, type Machine, makeDisk } from './usb/machine.ts';
import { findParts } from './usb/parts.ts';

const parts = findParts();
const missing = 'missing' in parts ? `; missing here: ${parts.missing}` : '';

/** From the start of the emulator to the first scene, on a machine with much else to do. */
const bootMs = 90_000;
const scenesMs = 300_000;
const recoveryMs = 90_000;
/** The power is cut this long, by chance, after three sales have been shown. */
const cutAfterMs = Math.floor(Math.random() * 3_000);

describe.skipIf(missing !== '')(`terminals on a real USB stack${missing}`, () => {
  let folder: string;
  let bootable: Bootable & { disk: string };
  let machine: Machine;

  beforeAll(async () => {
    if ('missing' in parts) return;
    folder = mkdtempSync(join(tmpdir(), 'usb-'));
    const image = join(folder, 'image');
    writeFileSync(image, makeImage(parts.kernel.modules));
    const hear = (line: string) => void process.stdout.write(`${line}\n`);
    bootable = { vmlinuz: parts.kernel.vmlinuz, image, disk: makeDisk(folder), hear };
    machine = boot(bootable, ['cut']);
    await machine.said(/Node v/, bootMs);
    await machine.said(/^1\.\./, scenesMs);
  }, bootMs + scenesMs);

  afterAll(async () => {
    await machine?.cut();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(scenes)('$name', ({ name }) => {
    expect(verdict(machine, name)).toBe('ok');
  });

  test.each(afterCut)('$name', { timeout: bootMs + 2 * recoveryMs }, async ({ name }) => {
    await machine.said(/shown: receipt 3 /, recoveryMs);
    await new Promise((resolve) => setTimeout(resolve, cutAfterMs));
    process.stdout.write(`# the power is cut ${cutAfterMs} ms after the third sale\n`);
    await machine.cut();

    const after = boot(bootable, ['after']);
    await after.ended(bootMs + recoveryMs);
    expect(verdict(after, name)).toBe('ok');
    // What a cashier has seen before the cut is what the till says after it, sale by sale.
    const [shown, kept] = [told(machine, 'shown'), told(after, 'kept')];
    expect(kept.slice(0, shown.length)).toEqual(shown);
    expect(kept.length - shown.length, 'at most the sale that was cut is there besides').toBeLessThanOrEqual(1);
    expect(scanForCardData({ roots: [bootable.disk], needles: cardNumbers })).toEqual([]);
  });
});

/** The sales that the machine told in this word: `receipt 2 approved 12.00 EUR`. */
const told = ({ lines }: Machine, word: string): string[] =>
  lines.flatMap((line) => new RegExp(`${word}: (receipt .*)`).exec(line)?.[1] ?? []);

/** `ok`, or everything that was said in the scene. */
const verdict = ({ lines }: Machine, name: string): string => {
  const end = lines.findIndex((line) => /^(not )?ok \d+ - /.test(line) && line.endsWith(` - ${name}`));
  if (lines[end]?.startsWith('ok')) return 'ok';
  const begin = lines.findIndex((line) => line.endsWith(`== ${name}`));
  return lines.slice(begin < 0 ? -40 : begin, end < 0 ? undefined : end + 1).join('\n');
};
