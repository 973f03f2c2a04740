/** No simulated terminal can be taken for a real one: its model says SIMULATED, whatever its configuration. */
import { describe, expect, test } from 'vitest';
import { drivers } from '../../drivers/registry.ts';
import { simulatedConfig } from '../../drivers/simulation/terminal-config.ts';
import { simulators } from '../../drivers/simulators.ts';
import { isSimulated, simulatedModelName } from '../../drivers/terminal.ts';
import { disguisedInVain, disguises, infoOf } from './simulated.ts';

describe.each(Object.entries(simulators))('%s', (name, model) => {
  const driver = drivers[name];
  if (driver === undefined) throw new TypeError(`${name} has no driver`);
  const ways = driver.hid === undefined ? (['stream'] as const) : (['stream', 'reports'] as const);

  disguisedInVain({ driver, model }, ways);

  test('a known model keeps its own name after the word SIMULATED', async () => {
    const known = { mms: 'DynaFlex II PED', mpi: 'M020', neo2: 'VP6800' }[name] ?? 'ZVT';
    expect((await infoOf({ driver, model }, {})).model).toBe(`SIMULATED ${known}`);
  });
});

test.each([
  ['mpi', 'M020', true],
  ['mpi', 'M010', true],
  ['mms', 'DynaFlex II PED', true],
  ['mms', 'DynaFlex II', false],
  ['mms', 'DynaProx', false],
  ['mms', 'MagTek', undefined],
  ['neo2', 'VP6800', true],
  ['neo2', 'VP3350', false],
  // No public document describes this model: its PIN key decides.
  ['neo2', 'VP3300', true],
  // It authorises by itself and the gateway never hears of its payments.
  ['zvt', 'Move/5000', undefined],
] as const)('a simulated %s %s has a PIN pad: %s', async (name, model, hasPinPad) => {
  const driver = drivers[name];
  const simulator = simulators[name];
  if (driver === undefined || simulator === undefined) throw new TypeError(`${name} is not in the tables`);
  expect((await infoOf({ driver, model: simulator }, { model })).hasPinPad).toBe(hasPinPad);
});

test.each([
  [{ model: 'VP3350' }, '602800'],
  [{ model: 'DynaFlex II' }, '602800'],
  [{ model: 'VP3350', capabilities: '60F8C8' }, '60F8C8'],
  [{ model: 'M020' }, 'E0E800'],
])('configured as %j it gives the chip the capabilities %s', (setting, capabilities) => {
  expect(simulatedConfig({}, setting).capabilities).toBe(capabilities);
});

test('the serial number of the chip’s data stays eight digits', () => {
  for (const config of disguises) expect(simulatedConfig({}, config).serial).toMatch(/^\d{8}$/);
});

test.each([
  ['M020', '17000001', false],
  ['SIMULATED M020', '17000001', true],
  ['ZVT', 'SIMULATED-1', true],
  ['Simulated', '', true],
  ['', '', false],
])('%j with serial number %j is simulated: %s', (model, serial, expected) => {
  expect(isSimulated({ model, serial })).toBe(expected);
});

test('SIMULATED is put before a model only once', () => {
  expect(simulatedModelName(simulatedModelName('M020'))).toBe('SIMULATED M020');
});
