/** The till uses only the paired device, at its port or wherever it is plugged in now. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presentationFor, repeatingCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import { type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import type { PairedDevice } from '../../src/folder/config.ts';
import { keepTerminal, type TerminalKeeper } from '../../src/terminals/devices.ts';
import type { refind } from '../../src/terminals/refind.ts';

const device: PairedDevice = {
  deviceType: 'SIMULATEDM020',
  deviceId: '17000001',
  model: 'SIMULATED M020',
  serial: '17000001',
  firmware: '1-58',
  pairedAt: '2026-01-02 12:00:00',
};

const standing: { close(): Promise<void> }[] = [];
let moved: string[] = [];
beforeEach(() => {
  moved = [];
});
afterEach(async () => {
  for (const each of standing.splice(0).reverse()) await each.close();
});

/** The address of a new simulated terminal with this serial number. */
const plugIn = async (serial: string): Promise<string> => {
  const model = simulators['mpi'];
  if (model === undefined) throw new TypeError('mpi has no simulated terminal');
  const cardholder = repeatingCardholder([presentationFor({ card: 'visa-credit', by: 'chip' })]);
  const options = { clock: systemClock, random: seededRandom(1), cardholder, config: { serial } };
  const station: Station = await simulateOnTcp(model, 0, options);
  standing.push(station);
  return `mpi+${station.at}`;
};

const keep = (address: string, find: typeof refind, as: PairedDevice = device): TerminalKeeper => {
  const paired = { device: as, onMoved: (found: string) => void moved.push(found), refind: find };
  const keeper = keepTerminal(address, { clock: systemClock, report: () => {}, paired });
  standing.push(keeper);
  return keeper;
};

const findNowhere: typeof refind = async () => undefined;
const mustNotLook: typeof refind = async () => {
  throw new Fault('terminal.unpaired');
};
const serialOf = async ({ terminals }: TerminalKeeper): Promise<string> =>
  (await (await terminals.get()).info()).serial;

test('the paired device at its address is used without a search', async () => {
  expect(await serialOf(keep(await plugIn('17000001'), mustNotLook))).toBe('17000001');
  expect(moved).toEqual([]);
});

test('a simulated device paired before its model said so is recognised', async () => {
  const before = { ...device, deviceType: 'M020', model: 'M020' };
  expect(await serialOf(keep(await plugIn('17000001'), mustNotLook, before))).toBe('17000001');
});

test('another device at its address, with the paired one nowhere, is refused with both serial numbers', async () => {
  const keeper = keep(await plugIn('17000002'), findNowhere);
  await expect(keeper.terminals.get()).rejects.toMatchObject({
    code: 'terminal.other',
    facts: { serial: '17000002', paired: '17000001' },
  });
});

test.each([
  ['another device at its address', () => plugIn('17000002')],
  ['nothing at its address', async () => 'mpi+tcp://127.0.0.1:1'],
])('%s: the paired device is used where it is now, and its address stored', async (_, old) => {
  const now = await plugIn('17000001');
  const calls: unknown[] = [];
  const keeper = keep(await old(), async (expected) => {
    calls.push(expected.device.serial);
    return now;
  });
  expect(await serialOf(keeper)).toBe('17000001');
  await keeper.terminals.drop();
  expect(await serialOf(keeper)).toBe('17000001');
  // The second time, the device was opened at the address where it had been found.
  expect([moved, calls]).toEqual([[now], ['17000001']]);
});

test('a stored address where another device answers is not used either', async () => {
  const other = await plugIn('17000003');
  const keeper = keep('mpi+tcp://127.0.0.1:1', async () => other);
  await expect(keeper.terminals.get()).rejects.toMatchObject({
    code: 'terminal.other',
    facts: { serial: '17000003' },
  });
  expect(moved).toEqual([]);
});

test('when the device is nowhere the fault is that of its own port', async () => {
  await expect(keep('mpi+tcp://127.0.0.1:1', findNowhere).terminals.get()).rejects.toMatchObject({
    code: 'link.unavailable',
  });
});
