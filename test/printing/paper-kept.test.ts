/** Print jobs that wait for a printer are printed after a restart of the till, each once, and say what they are. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../../drivers/printers/simulator.ts';
import type { PaperPort } from '../../src/printing/service.ts';
import { bar, paperRig } from './paper-rig.ts';

type Rig = Awaited<ReturnType<typeof paperRig>>;
let rig: Rig;
let service: PaperPort & { close(): void };
beforeEach(async () => {
  rig = await paperRig({ printers: [bar] }, { lineMs: 100 });
  service = rig.service;
});
afterEach(async () => {
  service.close();
  await rig.close();
});

const customer = { copy: 'customer', width: 80 } as const;
const file = () => join(rig.folder, 'papers.json');
const countPapers = () => rig.simulated.printed.filter(({ kind }) => kind === 'cut').length;
const printedLines = () => textOf(rig.simulated.printed).map((line) => line.trim());
const state = async () => (await rig.clock.until(service.printers()))[0];
/** The till is stopped and started again. */
const reopen = () => {
  service.close();
  service = rig.openService();
};
const refuseWith = async (work: Promise<unknown>, code: string) => {
  const finished = expect(work).rejects.toMatchObject({ code });
  await rig.clock.advance(20_000);
  await finished;
};

test('after a restart while out of paper, receipt and report are printed in order, as originals', async () => {
  const { receipt } = await rig.sell();
  rig.simulated.set({ paper: 0 });
  await refuseWith(service.print(receipt, { ...customer, language: 'de' }), 'printer.paperOut');
  await refuseWith(service.printReport(['Z REPORT 1']), 'printer.paperOut');
  expect(readFileSync(file(), 'utf8')).not.toMatch(/APPROVED|0010/);
  reopen();
  await rig.clock.advance(1_000);
  expect(await state()).toMatchObject({ state: 'paperOut', waiting: 2 });
  rig.simulated.set({ paper: 500 });
  await rig.clock.advance(60_000);
  const all = rig.simulated.printed.flatMap((what) => (what.kind === 'line' ? [what.text.trim()] : []));
  expect(all.filter((line) => /GENEHMIGT|Z REPORT|DUPLI/.test(line))).toEqual(['GENEHMIGT', 'Z REPORT 1']);
  expect([countPapers(), await state()]).toMatchObject([2, { state: 'ready', waiting: 0 }]);
  expect(existsSync(file())).toBe(false);
  reopen();
  await rig.clock.advance(60_000);
  expect(countPapers()).toBe(2);
});

test('a receipt whose printing had begun is printed as a duplicate', async () => {
  const { receipt } = await rig.sell();
  const printing = service.print(receipt, customer);
  const finished = expect(printing).rejects.toMatchObject({ code: 'printer.away' });
  await rig.clock.advance(500);
  rig.simulated.set({ silent: true });
  rig.setPlugged(false);
  reopen();
  await rig.clock.advance(20_000);
  await finished;
  rig.simulated.set({ silent: false });
  rig.setPlugged(true);
  await rig.clock.advance(60_000);
  expect(printedLines()).toContain('DUPLICATE');
  expect(await state()).toMatchObject({ state: 'ready', waiting: 0 });
});

test('a drawer does not open later, and jobs for a removed printer are dropped', async () => {
  const { receipt } = await rig.sell();
  rig.setPlugged(false);
  await refuseWith(service.openDrawer(), 'printer.away');
  expect(existsSync(file())).toBe(false);
  await refuseWith(service.print(receipt, customer), 'printer.away');
  service.removePrinter('Bar');
  expect(existsSync(file())).toBe(false);
});

test('behind a job that has stopped midway all requests are answered at once, and the drawer stays shut', async () => {
  const { receipt } = await rig.sell();
  rig.simulated.set({ paper: 6 });
  await refuseWith(service.print(receipt, customer), 'printer.paperOut');
  await expect(service.printReport(['X REPORT 1'])).rejects.toMatchObject({ code: 'printer.paperOut' });
  await expect(service.openDrawer()).rejects.toMatchObject({ code: 'printer.paperOut' });
  rig.simulated.set({ paper: 500 });
  await rig.clock.advance(60_000);
  expect([countPapers(), printedLines().at(-2)]).toEqual([2, 'X REPORT 1']);
  expect(rig.simulated.printed.filter(({ kind }) => kind === 'drawer')).toEqual([]);
});

test('a command leaves the till’s waiting jobs alone, and stores none of its own', async () => {
  const { receipt } = await rig.sell();
  rig.setPlugged(false);
  await refuseWith(service.print(receipt, customer), 'printer.away');
  service.close();
  const before = readFileSync(file(), 'utf8');
  const command = rig.openService({ keeps: false });
  await refuseWith(command.printReport(['X REPORT 1']), 'printer.away');
  command.close();
  expect(readFileSync(file(), 'utf8')).toBe(before);
  service = rig.openService();
  rig.setPlugged(true);
  await rig.clock.advance(60_000);
  expect([countPapers(), printedLines().includes('APPROVED')]).toEqual([1, true]);
});

test('jobs older than a day are dropped', async () => {
  const { receipt } = await rig.sell();
  rig.setPlugged(false);
  await refuseWith(service.print(receipt, customer), 'printer.away');
  service.close();
  rig.clock.lag(24 * 3_600_000);
  service = rig.openService();
  rig.setPlugged(true);
  expect(await state()).toMatchObject({ waiting: 0 });
});

test.each([
  ['no JSON', '[{"printer":'],
  ['something else', '{"a":1}'],
  ['an unknown receipt', JSON.stringify([wait({ of: 'receipt', receipt: 99, ...customer, duplicate: false })])],
  ['an unknown printer', JSON.stringify([{ ...wait({ of: 'report', lines: ['X'] }), printer: 'Kitchen' }])],
])('a file with %s is reported, and the till keeps printing', async (_, text) => {
  writeFileSync(file(), text);
  reopen();
  await rig.clock.settle();
  expect(rig.reported).toHaveLength(1);
  const { receipt } = await rig.sell();
  expect(await rig.clock.until(service.print(receipt, customer))).toMatchObject({ state: 'ready', waiting: 0 });
  expect(countPapers()).toBe(1);
});

function wait(paper: object) {
  return { printer: 'Bar', at: Date.UTC(2026, 0, 2, 12), again: false, paper };
}
