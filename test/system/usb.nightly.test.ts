/**
 * Terminals on a real USB stack: a small virtual machine whose kernel plugs simulated HID and CDC-ACM devices into
 * itself, with the real node-hid and serialport between them and the till. At the end its power is cut, again and
 * again. By day: `test/system/terminal.test.ts` notices a serial terminal that is pulled, in use or noisy, at a pseudo
 * terminal; `test/drivers/links/hid.test.ts` faults on HID; `test/simulation/power-cuts.test.ts` what a power cut
 * loses.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { afterCut, cardNumbers, type Phase, phases } from './usb/guest/power-cut.ts';
import { scenes } from './usb/guest/scenes.ts';
import { makeImage } from './usb/image.ts';
import { type Bootable, boot, type Machine, makeDisk } from './usb/machine.ts';
import { findParts } from './usb/parts.ts';

const parts = findParts();
const missing = 'missing' in parts ? `; missing here: ${parts.missing}` : '';

/** From the start of the emulator to the first scene, on a busy machine. */
const bootMs = 300_000;
const scenesMs = 1_500_000;
const recoveryMs = 300_000;
/** The cut comes at a random time up to this after its phase has begun. */
const longestMs: Readonly<Record<Phase, number>> = { selling: 3_000, storing: 2_000, sending: 1_000, closing: 2_500 };
const order = Object.keys(phases) as Phase[];
const cuts = order.map((phase, n) => ({ phase, says: phases[phase].says, next: order[n + 1] }));

describe.skipIf(missing !== '')(`terminals on a real USB stack${missing}`, () => {
  let folder: string;
  let bootable: Bootable & { disk: string };
  let machine: Machine;

  beforeAll(async () => {
    if ('missing' in parts) return;
    folder = mkdtempSync(join(tmpdir(), 'usb-'));
    const image = join(folder, 'image');
    writeFileSync(image, makeImage(parts.kernel.modules));
    const printLine = (line: string) => void process.stdout.write(`${line}\n`);
    bootable = { vmlinuz: parts.kernel.vmlinuz, image, disk: makeDisk(folder), onLine: printLine };
    machine = boot(bootable, [`cut=${order[0]}`]);
    await machine.awaitLine(/Node v/, bootMs);
    await machine.awaitLine(/^1\.\./, scenesMs);
  }, bootMs + scenesMs);

  afterAll(async () => {
    await machine?.cutPower();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(scenes)('$name', ({ name }) => {
    expect(verdict(machine, name)).toBe('ok');
  });

  const shown: string[] = [];

  test.each(cuts)('the power is cut while $says', { timeout: bootMs + 3 * recoveryMs }, async ({ phase, next }) => {
    await machine.awaitLine(phases[phase].begun, recoveryMs);
    const cutAfterMs = Math.floor(Math.random() * longestMs[phase]);
    await new Promise((resolve) => setTimeout(resolve, cutAfterMs));
    process.stdout.write(`# the power is cut ${cutAfterMs} ms after "${phases[phase].says}" began\n`);
    await machine.cutPower();
    shown.push(...wordsAfter(machine, 'shown'));

    machine = boot(bootable, [`after=${phase}`, ...(next === undefined ? [] : [`cut=${next}`])]);
    await machine.awaitLine(/^1\.\./, bootMs + recoveryMs);
    expect(verdict(machine, afterCut(phase).name)).toBe('ok');
    // What a cashier has seen before the cut is what the till reports after it, sale by sale.
    const stored = wordsAfter(machine, 'kept');
    expect(stored).toEqual(expect.arrayContaining(shown));
    const unseen = stored.filter((line) => !shown.includes(line));
    expect(unseen.length, `at most what each cut broke off is there besides: ${unseen.join(', ')}`).toBeLessThanOrEqual(
      order.indexOf(phase) + 1,
    );
    if (next !== undefined) return;
    await machine.waitForEnd(recoveryMs);
    expect(scanForCardData({ roots: [bootable.disk], needles: cardNumbers })).toEqual([]);
  });
});

/** The lines that the machine printed with this word: `receipt 2 approved 12.00 EUR`, `batch 1 closed`. */
const wordsAfter = ({ lines }: Machine, mark: string): string[] =>
  lines.flatMap((line) => new RegExp(`${mark}: ((receipt|batch) .*)`).exec(line)?.[1] ?? []);

/** `ok`, or the whole output of the scene. */
const verdict = ({ lines }: Machine, name: string): string => {
  const end = lines.findIndex((line) => /^(not )?ok \d+ - /.test(line) && line.endsWith(` - ${name}`));
  if (lines[end]?.startsWith('ok')) return 'ok';
  const begin = lines.findIndex((line) => line.endsWith(`== ${name}`));
  return lines.slice(begin < 0 ? -40 : begin, end < 0 ? undefined : end + 1).join('\n');
};
