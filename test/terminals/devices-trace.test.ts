/** The live trace: complete, decoded, bounded, and cheap when nobody looks; without card data, byte by byte. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Driver } from '../../drivers/driver.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { TraceNode, TraceRow } from '../../src/api/contract/diagnosis.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { parseAmount } from '../../src/base/money.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { bundleFile, bundlePreview } from '../../src/terminals/support/support-bundle.ts';
import { openTrace, treeOf } from '../../src/terminals/trace/trace.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { type DevicesRig, devicesRig } from './devices-rig.ts';

let rig: DevicesRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const cards: [TestCardName, Presentation['by']][] = [
  ['visa-credit', 'chip'],
  ['visa-no-cvm', 'chip'],
  ['mastercard-tap', 'tap'],
  ['mastercard-stripe', 'swipe'],
];

const needlesOf = (name: TestCardName): string[] => {
  const { pan, expiry, serviceCode, pin } = testCard(name);
  return [pan, `${pan}=${expiry}${serviceCode}`, toHex(encodePinBlock({ format: 0, pin, pan }))];
};

const textsIn = (nodes: readonly TraceNode[]): string =>
  nodes.map(({ text, below = [] }) => `${text}\n${textsIn(below)}`).join('\n');

test('a reader gets the date and time of its shop, 14 hours ahead of UTC', async () => {
  rig = await devicesRig('mpi', { timeZone: 'Pacific/Kiritimati' });
  rig.present('visa-no-cvm', 'chip');
  const { intent } = await rig.running.till.sell({ amount: parseAmount('5.00', 'EUR') }, () => {}).done;
  const digits = new Date(intent.at + 14 * 3_600_000).toISOString().replace(/\D/g, '');
  const lines = rig.service.traceSoFar(500).map(({ hex }) => hex.replaceAll(' ', '').toUpperCase());
  expect(lines.join()).toContain(`9A03${digits.slice(2, 8)}9F2103${digits.slice(8, 14)}`);
});

describe.each(['mpi', 'mms', 'neo2', 'zvt'])('%s', (protocol) => {
  test('sales are traced completely and decoded, live and afterwards, without card data', async () => {
    rig = await devicesRig(protocol);
    const { service, running, present: presents } = rig;
    const live: TraceRow[] = [];
    const stop = service.trace((row) => live.push(row));
    for (const [card, by] of cards) {
      presents(card, by);
      await running.till.sell({ amount: parseAmount('5.00', 'EUR') }, () => {}).done;
    }
    stop();
    const rows = service.traceSoFar(500);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.at(-1)).toEqual(live.at(-1));
    expect(new Set(rows.map(({ counter }) => counter))).toEqual(new Set(['T1']));
    expect(rows.filter(({ says }) => says.length > 0).length).toBeGreaterThan(rows.length / 2);
    // A terminal that authorises by itself sends little that must be masked.
    if (protocol !== 'zvt') expect(rows.some(({ masked }) => masked)).toBe(true);
    for (const row of live) expect(row.masked).toBe(row.hex.includes('**'));

    const root = mkdtempSync(join(tmpdir(), 'trace-'));
    const text = rows.map(({ hex, says }) => `${hex}\n${textsIn(says)}`).join('\n');
    writeFileSync(join(root, 'text'), text);
    writeFileSync(join(root, 'live'), JSON.stringify(live));
    // As bytes, in case digits are packed.
    writeFileSync(join(root, 'bytes'), Buffer.concat(rows.map(({ hex }) => fromHex(hex.replaceAll('*', '0')))));
    const needles = cards.flatMap(([card]) => needlesOf(card));
    // 54 54 54, packed digits, also spells TTT: in a text such bytes mean nothing.
    const found = scanForCardData({ roots: [root], needles });
    expect(found.filter(({ file, encoding }) => encoding !== 'bcd' || file.endsWith('bytes'))).toEqual([]);
    // The scan can fail: a planted number is found.
    writeFileSync(join(root, 'seeded'), `5A08${needles[0]}`);
    expect(scanForCardData({ roots: [root], needles })).not.toEqual([]);
    rmSync(root, { recursive: true });
  });
});

test('is bounded in messages and in bytes, and decodes what is left', async () => {
  const clock = virtualClock();
  const trace = openTrace(clock, { messages: 10, bytes: 400 });
  const [near] = memoryLinks();
  const link = trace.wrap('T1')(near, mpi);
  link.listen({ bytes: () => {}, closed: () => {} });
  const reset = fromHex('010004D0000000D5');
  for (let n = 0; n < 1_000; n += 1) await link.write(reset);
  const rows = trace.latest(500);
  expect(rows).toHaveLength(10);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 10 }, (_, index) => 991 + index));
  expect(rows.every(({ says }) => says[0]?.text === 'RESET')).toBe(true);
  expect(trace.latest(3).map(({ n }) => n)).toEqual([998, 999, 1000]);
  for (let n = 0; n < 10; n += 1) await link.write(fromHex('010004D0000000D5'.repeat(6)));
  expect(trace.latest(500).reduce((sum, { hex }) => sum + hex.length, 0)).toBeLessThanOrEqual(400);
});

test('nothing is decoded while nobody looks', async () => {
  let decodings = 0;
  const counting: Driver = {
    ...mpi,
    narrator: (carries) => {
      const inner = mpi.narrator(carries);
      return {
        push(direction, bytes) {
          decodings += 1;
          return inner.push(direction, bytes);
        },
      };
    },
  };
  const trace = openTrace(virtualClock());
  const [near] = memoryLinks();
  const link = trace.wrap('T1')(near, counting);
  for (let n = 0; n < 600; n += 1) await link.write(fromHex('010004D0000000D5'));
  expect(decodings).toBe(0);
  trace.latest(1);
  const once = decodings;
  expect(once).toBe(500);
  trace.latest(500);
  expect(decodings).toBe(once);
});

test('data objects are listed by name below the driver’s line, and masked values stay masked', () => {
  const hex = `010000E01A9F02060000000005005F2A020978950500000000005A08${'**'.repeat(8)}`;
  const [node] = treeOf(hex, ['ANSWER: chip, 5.00 EUR']);
  expect(node?.text).toBe('ANSWER');
  const below = textsIn(node?.below ?? []);
  expect(below).toContain('5F2A  Transaction Currency Code: 0978');
  expect(below).toContain(`5A  Application Primary Account Number (PAN): ${'**'.repeat(8)}`);
  expect(treeOf('', ['the link was lost'])).toEqual([{ text: 'the link was lost' }]);
  expect(treeOf('010004D0000000D5', [])).toEqual([]);
});

test('in a support bundle a message that looks like card data keeps its explanation and loses its bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  const row = { at: 0, counter: 'T1', way: 'toTerminal', masked: false } as const;
  const trace = [
    { ...row, n: 1, hex: '010004D0000000D5', says: [{ text: 'RESET' }] },
    { ...row, n: 2, hex: `5A08${testCard('visa-credit').pan}`, says: [{ text: 'ANSWER' }] },
  ];
  const clock = virtualClock();
  const journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  const tools = { folder, clock, journal: journal.sql, version: '1', diagnosis: undefined, trace };
  const { sections } = await bundlePreview(tools);
  const { begins, suspects } = sections.find(({ name }) => name === 'trace') ?? {};
  expect(suspects).toEqual([]);
  expect(begins?.[0]).toContain('010004D0000000D5');
  expect(begins?.[1]).toMatch(/bytes left out.*ANSWER/);
  const { bytes } = await bundleFile(tools);
  expect(Buffer.from(bytes).toString()).not.toContain(testCard('visa-credit').pan);
  journal.close();
  rmSync(folder, { recursive: true });
});
