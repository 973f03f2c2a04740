/**
 * Terminals that ask their bank themselves belong to one till and one counter: two of the same identity are refused.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundTerminal } from '../../drivers/discovery.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig, loadConfig } from '../../src/folder/config.ts';
import { pair } from '../../src/terminals/pairing/pairing.ts';
import { namesOfCounters, twinsIn, withoutOthersTerminals } from '../../src/terminals/pairing/twin-terminals.ts';
import type { Sale } from '../../src/till/machine/sale.ts';
import { pairToolsOf } from '../support/till/pair-tools.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twins-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const tools = () => pairToolsOf(folder, virtualClock());

const zvt = (serial: string, port: number): FoundTerminal => ({
  address: `zvt+tcp://10.0.0.7:${port}`,
  driver: 'zvt',
  title: 'ZVT',
  kind: 'integrated',
  info: { model: 'ZVT', serial, firmware: '' },
  problems: [],
  tookMs: 1,
});
const reader = (serial: string, port: number): FoundTerminal => ({
  ...zvt(serial, port),
  ...{ address: `mpi+tcp://10.0.0.7:${port}`, driver: 'mpi', title: 'Miura MPI', kind: 'reader' },
});
const alone = true as const;

test('a terminal that asks its bank itself is paired only after somebody confirms that no other till uses it', () => {
  expect(() => pair(zvt('1', 1), tools())).toThrow('nobody has confirmed that for this one');
  expect(loadConfig(folder, systemIds).terminal).toBeUndefined();
  expect(pair(zvt('1', 1), tools(), { alone })).toMatchObject({ terminal: 'zvt+tcp://10.0.0.7:1' });
  expect(pair(reader('2', 2), tools(), { counter: 'T2', terminalId: '22' }).terminals).toHaveLength(1);
});

test.each([
  ['one serial number twice', '17'],
  ['no serial number and no terminal id', ''],
])('two counters with terminals of the same identity are refused at pairing: %s', (_name, serial) => {
  pair(zvt(serial, 1), tools(), { alone });
  expect(() => pair(zvt(serial, 2), tools(), { alone, counter: 'T2', terminalId: '22' })).toThrow(
    `The terminals at T2 and T1 report the same name: ZVT${serial === '' ? '' : ' 17'}`,
  );
  expect(loadConfig(folder, systemIds).terminals).toBeUndefined();
  // The same terminal can be paired again at its own counter, and another one at the second counter.
  pair(zvt(serial, 3), tools(), { alone });
  pair(zvt('18', 2), tools(), { alone, counter: 'T2', terminalId: '22' });
});

test('the terminalId cannot change while sales that only this terminal knows are open, unless confirmed', () => {
  pair(zvt('17', 1), tools(), { alone, terminalId: '11' });
  const open = { at: 'ended', intent: { receipt: 4 } } as unknown as Sale;
  const busy = { ...tools(), openSales: () => [open] };
  expect(() => pair(zvt('17', 1), busy, { alone, terminalId: '12' })).toThrow(
    'Terminal 11 still has 1 sale open: 000004',
  );
  expect(pair(zvt('17', 2), busy, { alone, terminalId: '11' })).toMatchObject({ terminal: 'zvt+tcp://10.0.0.7:2' });
  expect(pair(zvt('17', 2), busy, { alone, terminalId: '12', swap: true })).toMatchObject({ terminalId: '12' });
});

test('card readers may have the same identity: they are never asked about payments', () => {
  pair(reader('', 1), tools());
  expect(pair(reader('', 2), tools(), { counter: 'T2', terminalId: '22' }).terminals).toHaveLength(1);
});

test('a configuration written by hand or imported is refused too, also while the till is running', () => {
  const { device } = pair(zvt('17', 1), tools(), { alone });
  const config = changeConfig(folder, systemIds, (before) => ({
    ...before,
    terminals: [{ terminalId: '22', terminal: 'zvt+tcp://10.0.0.7:2', device }],
  }));
  expect(twinsIn(config)).toMatchObject({ code: 'terminal.twin', facts: { counter: 'T2', other: 'T1' } });
  const claim = namesOfCounters(config);
  const info = { model: 'ZVT', serial: '17' };
  expect(claim('T2', 'zvt+tcp://10.0.0.7:2', info)).toMatchObject({ code: 'terminal.twin' });
  expect(claim('T1', 'zvt+tcp://10.0.0.7:1', info)).toBeUndefined();
  expect(claim('T2', 'zvt+tcp://10.0.0.7:2', { ...info, serial: '18' })).toBeUndefined();
});

test('another till’s configuration brings its readers, but no terminal that belongs to that till alone', () => {
  pair(zvt('17', 1), tools(), { alone });
  pair(reader('2', 2), tools(), { counter: 'T2', terminalId: '22' });
  const theirs = pair(zvt('18', 3), tools(), { alone, counter: 'T3', terminalId: '33' });
  const { terminal: _, device: __, terminals: ___, ...bare } = theirs;
  const brought = withoutOthersTerminals(theirs, bare);
  expect(brought).not.toHaveProperty('terminal');
  expect(brought.terminals).toMatchObject([{ terminalId: '22', terminal: 'mpi+tcp://10.0.0.7:2' }]);
  // At the till itself nothing is missing, even if a terminal has another address meanwhile.
  expect(withoutOthersTerminals(theirs, theirs)).toEqual(theirs);
  expect(withoutOthersTerminals({ ...theirs, terminal: 'zvt+tcp://10.0.0.8:1' }, theirs).terminal).toContain(
    '10.0.0.8',
  );
});

test('of terminals that were never paired the first one opened keeps its identity', () => {
  const claim = namesOfCounters(loadConfig(folder, systemIds));
  const info = { model: 'ZVT', serial: '' };
  const [first, again, other] = ['T2', 'T2', 'T1'].map((counter) => claim(counter, 'zvt+tcp://10.0.0.7:1', info));
  expect([first, again]).toEqual([undefined, undefined]);
  expect(other).toMatchObject({ code: 'terminal.twin', facts: { counter: 'T1', other: 'T2', name: 'ZVT' } });
  expect(claim('T1', 'mpi+tcp://10.0.0.7:1', info)).toBeUndefined();
});
