import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drivers } from '../../drivers/registry.ts';
import { deviceModelOf, deviceModels, deviceTypeOf, hasPinPad } from '../../src/emv/device-models.ts';

test.each([
  ['M020', 'M020'],
  ['m010', 'M010'],
  ['DynaFlex Pro', 'DynaFlexPro'],
  ['DYNAFLEX II PED', 'DynaFlexIIPED'],
  ['MagTek DynaFlex II Go', 'DynaFlexIIGo'],
  ['DynaFlex', 'DynaFlex'],
  ['VP3350', 'VP3350'],
  ['IDTECH-VP6800', 'VP6800'],
  ['ID TECH VP3300', 'VP3300'],
  ['Kiosk V', 'KioskV'],
])('%s has the code %s', (output, code) => {
  expect(deviceTypeOf(output)).toBe(code);
  expect(deviceModelOf(output)?.code).toBe(code);
});

test.each([
  ['VP9999', 'VP9999'],
  ['Move/5000 (rev. B)', 'Move5000revB'],
  // A maker alone is not a model.
  ['MagTek', undefined],
  ['Miura', undefined],
  ['ID TECH', undefined],
  ['A'.repeat(40), 'A'.repeat(32)],
  ['', undefined],
  [' \u0000-', undefined],
  ['端末', undefined],
])('%j is unknown and gives %s', (output, code) => {
  expect(deviceModelOf(output)).toBeUndefined();
  expect(deviceTypeOf(output)).toBe(code);
});

test('every code is letters and digits, unique, and its own name', () => {
  const codes = deviceModels.map(({ code }) => code);
  expect(new Set(codes.map((code) => code.toUpperCase())).size).toBe(codes.length);
  for (const model of deviceModels) {
    expect(model.code).toMatch(/^[A-Za-z0-9]{1,32}$/);
    expect(deviceModelOf(model.code)).toBe(model);
    expect(deviceModelOf(`${model.manufacturer} ${model.name}`)).toBe(model);
  }
});

test('any device name becomes letters and digits, and stays the same a second time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (output) => {
      const code = deviceTypeOf(output);
      if (code === undefined) return;
      expect(code).toMatch(/^[A-Za-z0-9]{1,32}$/);
      expect(deviceTypeOf(code)).toBe(code);
    }),
  );
});

test('Miura’s models have a driver', () => {
  const mpi = deviceModels.filter(({ manufacturer }) => manufacturer === 'Miura');
  expect(mpi.length).toBeGreaterThan(0);
  for (const { protocol } of mpi) expect(Object.keys(drivers)).toContain(protocol);
});

test.each([
  ['M020', true],
  ['SIMULATED M020', true],
  ['MagTek DynaFlex II PED', true],
  ['DynaFlex II', false],
  ['DynaProx', false],
  ['IDTECH-VP3350', false],
  ['VP8800', true],
  ['VP3300', undefined],
  ['VP9999', undefined],
  ['', undefined],
])('a PIN pad at %j: %s', (output, has) => {
  expect(hasPinPad(output)).toBe(has);
});
