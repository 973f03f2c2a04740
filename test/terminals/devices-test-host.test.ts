/** A real terminal at a test till: technicians can work on it, but it sells only after a manager's statement. */
import { afterEach, expect, test } from 'vitest';
import { zvtSimulator } from '../../drivers/zvt/simulator/simulator.ts';
import type { Actor } from '../../src/api/ports/session.ts';
import { systemIds } from '../../src/base/ids.ts';
import { type Config, changeConfig, loadConfig } from '../../src/folder/config.ts';
import { changeTestHost, testHostOf, withTestHostsOf } from '../../src/terminals/pairing/test-host.ts';
import { openDevicesService } from '../../src/terminals/service.ts';
import { renamedZvt, UNKNOWN_MODEL } from '../support/devices/renamed-zvt.ts';
import { eur } from '../support/till/till-rig.ts';
import { type DevicesRig, devicesRig, tess } from './devices-rig.ts';

const maria: Actor = { name: 'Maria', role: 'manager', permissions: ['sayTestHost', 'pairTerminal'] };

let rig: DevicesRig;
afterEach(() => rig.close());

const device = () => loadConfig(rig.folder, systemIds).device;
const sell = async (running: DevicesRig['running']) =>
  running.till.sell({ amount: eur(500n) }, () => {}).done.then((sale) => (sale.at === 'ended' ? sale.ending : sale.at));

test('a real terminal is paired, asked and traced at a test till, and refused by name for sales', async () => {
  const foreign = renamedZvt();
  rig = await devicesRig('zvt', { model: foreign.model });
  const { service, address, running } = rig;
  expect(await service.meet({ address }, () => {})).toMatchObject({ model: UNKNOWN_MODEL });
  await service.pair({ address, alone: true }, tess);
  expect(await service.diagnose({ address, echoes: 3 }, () => {})).toMatchObject({ verdict: 'good' });
  await expect(running.terminalReady()).rejects.toMatchObject({ code: 'terminal.real' });
  expect(service.devices()).toMatchObject([{ atTestHost: false, problems: [expect.stringContaining(UNKNOWN_MODEL)] }]);
  expect(service.traceSoFar(50).length).toBeGreaterThan(0);
  expect(await sell(running)).toBe('notSent');
  expect(foreign.payments()).toBe(0);
});

test('a manager’s statement that it is at a test host allows sales after a restart, until withdrawn', async () => {
  const foreign = renamedZvt();
  rig = await devicesRig('zvt', { model: foreign.model });
  const { service, address, notes, restarts } = rig;
  await service.pair({ address, alone: true }, tess);
  await service.sayTestHost({ counter: 'T1', atTestHost: true }, maria);
  expect(notes.at(-1)).toEqual({ on: 'testHostSaid', counter: 'T1', device: `${UNKNOWN_MODEL} 17000001` });
  expect([restarts.length, device()?.testHost, service.devices()[0]?.atTestHost]).toEqual([2, true, true]);
  await rig.running.close();
  const again = await rig.start();
  await again.terminalReady();
  expect([await sell(again), foreign.payments()]).toEqual(['approved', 1]);
  await again.close();

  await service.sayTestHost({ counter: 'T1', atTestHost: false }, maria);
  expect(notes.at(-1)).toMatchObject({ on: 'testHostDenied' });
  expect(device()).not.toHaveProperty('testHost');
  const last = await rig.start();
  await expect(last.terminalReady()).rejects.toMatchObject({ code: 'terminal.real' });
  await last.close();
});

test('the statement belongs to the device: pairing another one removes it', async () => {
  rig = await devicesRig('zvt', { model: renamedZvt().model });
  const { service, address } = rig;
  await service.pair({ address, alone: true }, tess);
  await service.sayTestHost({ counter: 'T1', atTestHost: true }, maria);
  await service.pair({ address, swap: true, alone: true }, tess);
  expect(device()).toMatchObject({ model: UNKNOWN_MODEL });
  expect(device()).not.toHaveProperty('testHost');
});

test('no statement is possible about a simulated terminal, a reader or an unpaired counter, or elsewhere', async () => {
  rig = await devicesRig('zvt', { model: zvtSimulator });
  const { service, address, folder } = rig;
  await service.pair({ address, alone: true }, tess);
  const refused = expect.objectContaining({ code: 'testHost.notHere' });
  expect(service.devices()[0]?.atTestHost).toBeUndefined();
  for (const counter of ['T1', 'T2', 'T99', 'X'])
    await expect(service.sayTestHost({ counter, atTestHost: true }, maria)).rejects.toEqual(refused);
  const real = { deviceType: 'H5000', model: 'H5000', serial: '1', firmware: '1', pairedAt: '2026-01-02 12:00:00' };
  changeConfig(folder, systemIds, (config) => ({ ...config, device: real }));
  expect(service.devices()[0]?.atTestHost).toBe(false);
  for (const mode of ['live', 'training'] as const) {
    expect(() => changeTestHost({ folder, ids: systemIds, mode }, { counter: 'T1', atTestHost: true })).toThrow(
      refused as never,
    );
    expect(openDevicesService({ ...rig.parts, mode }).devices()[0]?.atTestHost).toBeUndefined();
  }
  expect(testHostOf({ terminal: 'mpi+tcp://127.0.0.1:1', device: real }, 'test')).toBeUndefined();
  expect(testHostOf({ terminal: 'zvt+tcp://127.0.0.1:1', device: real }, 'test')).toBe(false);
});

test('an imported configuration brings no statements; those made here about the same device stay', async () => {
  rig = await devicesRig('zvt', { model: renamedZvt().model });
  const { service, address } = rig;
  await service.pair({ address, alone: true }, tess);
  const { text } = service.exportConfiguration(tess);
  const forged = text.replace('"serial": "17000001"', '"serial": "17000001", "testHost": true');
  expect(forged).toContain('testHost');
  expect(await service.planConfiguration(forged)).toEqual({ changes: [], restart: false });
  await service.importConfiguration(forged, tess, () => []);
  expect(device()).not.toHaveProperty('testHost');

  await service.sayTestHost({ counter: 'T1', atTestHost: true }, maria);
  await service.importConfiguration(
    text.replace('"currency": "EUR"', '"currency": "EUR", "keepCardDataDays": 9'),
    tess,
    () => [],
  );
  expect(device()).toMatchObject({ testHost: true });
  await service.sayTestHost({ counter: 'T1', atTestHost: false }, maria);
  await service.undoConfiguration(tess, () => []);
  expect(device()).not.toHaveProperty('testHost');

  const pairedDevice = (serial: string, testHost?: true) => ({
    terminalId: serial,
    terminal: `zvt+tcp://h:${serial}`,
    device: { deviceType: 'X', model: 'X', serial, firmware: '', pairedAt: '', testHost },
  });
  const here = { terminals: [pairedDevice('1', true), pairedDevice('2')] } as Config;
  const brought = { terminals: [pairedDevice('2', true), pairedDevice('1')] } as Config;
  expect(withTestHostsOf(brought, here).terminals).toEqual([pairedDevice('2'), pairedDevice('1', true)]);
});
