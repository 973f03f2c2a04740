/** A till does not sell on a terminal of the other kind: real ones at a test till, simulated ones at a live till. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { type Model, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import type { Mode } from '../../src/base/mode.ts';
import { changeConfig, loadConfig, type PairedDevice } from '../../src/folder/config.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { changeTestHost } from '../../src/terminals/pairing/test-host.ts';
import { refuseByMode, refuseRefused } from '../../src/terminals/terminal-mode.ts';
import { renamedZvt, UNKNOWN_MODEL } from '../support/devices/renamed-zvt.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { eur } from '../support/till/till-rig.ts';
import { quickClock } from '../support/time/quick-clock.ts';

const keptTerminal = (model: string, serial = '1') => {
  const log: string[] = [];
  let open: { info(): Promise<{ model: string; serial: string; firmware: string }> } | undefined;
  return {
    log,
    async get() {
      open ??= {
        async info() {
          log.push('info');
          return { model, serial, firmware: '' };
        },
      };
      return open;
    },
    async drop() {
      log.push('drop');
      open = undefined;
    },
  };
};

const reader = { integrated: false, testHost: false };
const bank = { integrated: true, testHost: false };

test.each([
  ['live', reader, 'SIMULATED M020', 'terminal.simulated'],
  ['live', bank, 'SIMULATED ZVT', 'terminal.simulated'],
  ['live', { ...bank, testHost: true }, 'SIMULATED ZVT', 'terminal.simulated'],
  ['live', reader, 'M020', undefined],
  ['live', bank, 'VX 520', undefined],
  ['test', reader, 'SIMULATED M020', undefined],
  ['test', bank, 'SIMULATED ZVT', undefined],
  ['test', reader, 'M020', undefined],
  ['test', bank, 'VX 520', 'terminal.real'],
  ['test', { ...bank, testHost: true }, 'VX 520', undefined],
  ['test', bank, '', 'terminal.real'],
] as const)('at a %s till, %j that says %j: %s', async (mode, how, model, code) => {
  const terminals = keptTerminal(model);
  const request = refuseByMode(terminals, { mode, ...how }).get();
  if (code === undefined) await expect(request).resolves.toBeDefined();
  else {
    await expect(request).rejects.toMatchObject({ code, remedy: 'halt', facts: { model: `${model} 1`.trim() } });
    expect(terminals.log).toEqual(['info', 'drop']);
  }
});

test('a terminal is asked for its identity once after each opening', async () => {
  const terminals = keptTerminal('M020');
  const { get, drop } = refuseByMode(terminals, { mode: 'live', ...reader });
  for (let n = 0; n < 3; n++) await get();
  expect(terminals.log).toEqual(['info']);
  await drop();
  await get();
  expect(terminals.log).toEqual(['info', 'drop', 'info']);
});

test('only a refusal because of the mode prevents a sale from beginning', () => {
  const presenceAway = (fault: Fault) => ({ state: 'away', fault }) as const;
  expect(() => refuseRefused(presenceAway(new Fault('terminal.real', { model: 'X' })))).toThrow(
    'it would charge real cards',
  );
  expect(() => refuseRefused(presenceAway(new Fault('terminal.simulated', { model: 'X' })))).toThrow('is simulated');
  expect(() => refuseRefused(presenceAway(new Fault('link.unavailable', { port: 'COM3', why: 'gone' })))).not.toThrow();
  expect(() => refuseRefused({ state: 'ready' })).not.toThrow();
});

let folder: string;
const closings: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terminal-mode-'));
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const plugIn = async (protocol: string, model: Model | undefined, serial = '17000001'): Promise<string> => {
  if (model === undefined) throw new TypeError(`${protocol} has no simulator`);
  const cardholder = () => presentationFor({ card: 'visa-no-cvm', by: 'chip' });
  const config = { serial };
  const station = await simulateOnTcp(model, 0, { clock: quickClock, random: systemRandom, cardholder, config });
  closings.push(() => station.close());
  return `${protocol}+${station.at}`;
};

const device: PairedDevice = {
  deviceType: 'FOREIGNPED1',
  model: UNKNOWN_MODEL,
  serial: '17000001',
  firmware: '1-58',
  pairedAt: '2026-01-02 12:00:00',
};

/** There is no gateway: what a terminal decides by itself needs none. */
const awayTill = {
  open: openSqlUnsynced,
  gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
};

const startWith = async (mode: Mode, terminal: string, paired?: PairedDevice): Promise<RunningTill> => {
  changeConfig(folder, systemIds, (config) => ({ ...config, terminal, ...(paired && { device: paired }) }));
  const journal = openTillJournal(folder, { clock: systemClock, open: openSqlUnsynced });
  modeOf(journal, mode);
  journal.close();
  const running = await startTill({ ...awayTill, dataDir: folder });
  closings.push(() => running.close());
  expect(running.mode).toBe(mode);
  return running;
};

const sell = (running: RunningTill) => running.till.sell({ amount: eur(1_250n) }, () => {}).done;

test('a test till refuses a real terminal by name before it is asked for a payment', async () => {
  const foreign = renamedZvt();
  const running = await startWith('test', await plugIn('zvt', foreign.model), device);
  await expect(running.terminalReady()).rejects.toMatchObject({
    code: 'terminal.real',
    facts: { model: `${UNKNOWN_MODEL} 17000001` },
  });
  expect(running.counters[0].presence()).toMatchObject({ state: 'away', fault: { code: 'terminal.real' } });
  // A caller that does not wait for the terminal first charges nothing either.
  const sale = await sell(running);
  expect(sale).toMatchObject({ at: 'ended', ending: 'notSent' });
  // Nor does the till close the day of a terminal that belongs to another till.
  await expect(running.counters[0].books.close()).rejects.toMatchObject({ code: 'terminal.real' });
  expect(foreign.payments()).toBe(0);
});

test('with a manager’s statement a test till sells on it', async () => {
  const foreign = renamedZvt();
  const address = await plugIn('zvt', foreign.model);
  const running = await startWith('test', address, { ...device, testHost: true });
  await running.terminalReady();
  expect(await sell(running)).toMatchObject({ at: 'ended', ending: 'approved' });
  expect(foreign.payments()).toBe(1);
});

test('the statement is about the paired device: another one at a named address is refused', async () => {
  const foreign = renamedZvt();
  const named = await plugIn('zvt', foreign.model);
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    terminal: 'zvt+tcp://127.0.0.1:1',
    device: { ...device, testHost: true },
  }));
  const running = await startTill({ ...awayTill, dataDir: folder, terminal: named });
  closings.push(() => running.close());
  await expect(running.terminalReady()).rejects.toMatchObject({ code: 'terminal.real' });
});

test('each terminal is judged separately: here the statement is about the second one', async () => {
  const [first, second] = [renamedZvt(), renamedZvt()];
  const terminal = await plugIn('zvt', first.model);
  const theirs = { ...device, serial: '17000002' };
  const other = { terminalId: '22', terminal: await plugIn('zvt', second.model, '17000002'), device: theirs };
  changeConfig(folder, systemIds, (config) => ({ ...config, terminal, device, terminals: [other] }));
  changeTestHost({ folder, ids: systemIds, mode: 'test' }, { counter: 'T2', atTestHost: true });
  expect(loadConfig(folder, systemIds)).toMatchObject({ device, terminals: [{ device: { testHost: true } }] });
  expect(loadConfig(folder, systemIds).device).not.toHaveProperty('testHost');
  const running = await startWith('test', terminal);
  await expect(running.counters[0].ready()).rejects.toMatchObject({ code: 'terminal.real' });
  await running.counters[1]?.ready();
  const sale = running.counters[1]?.till.sell({ amount: eur(1_250n) }, () => {});
  expect(await sale?.done).toMatchObject({ at: 'ended', ending: 'approved' });
  expect([first.payments(), second.payments()]).toEqual([0, 1]);
});

test.each(['mpi', 'zvt', 'mms', 'neo2'])('a live till refuses the simulated %s terminal', async (protocol) => {
  const running = await startWith('live', await plugIn(protocol, simulators[protocol]));
  await expect(running.terminalReady()).rejects.toMatchObject({ code: 'terminal.simulated' });
  expect(await sell(running)).toMatchObject({ at: 'ended', ending: 'notSent' });
});

test('a live till sells on a real terminal that asks its bank itself', async () => {
  const foreign = renamedZvt();
  const running = await startWith('live', await plugIn('zvt', foreign.model));
  await running.terminalReady();
  expect(await sell(running)).toMatchObject({ at: 'ended', ending: 'approved' });
  expect(foreign.payments()).toBe(1);
});

test('of two terminals with the same identity only the first counter’s can sell', async () => {
  const addresses = [await plugIn('zvt', simulators['zvt']), await plugIn('zvt', simulators['zvt'])] as const;
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    terminals: [{ terminalId: '22', terminal: addresses[1] }],
  }));
  const { counters } = await startWith('test', addresses[0]);
  await counters[0].ready();
  const [, second] = counters;
  const twin = { code: 'terminal.twin', facts: { counter: 'T2', other: 'T1', name: 'SIMULATED ZVT 17000001' } };
  await expect(second?.ready()).rejects.toMatchObject(twin);
  const sale = second?.till.sell({ amount: eur(1_250n) }, () => {});
  expect(await sale?.done).toMatchObject({ ending: 'notSent', reason: 'terminalFailed' });
});
