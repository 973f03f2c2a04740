/**
 * Probing: terminals are reported, failures are reported with their reason, every port is closed, no wait is endless.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { candidateAt, PROBE_WITHIN_MS, probe, probeAll, type SearchProgress } from '../../drivers/discovery.ts';
import type { Link } from '../../drivers/links/link.ts';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { commands } from '../../drivers/mpi/protocol/commands.ts';
import { drivers } from '../../drivers/registry.ts';
import { createWallet } from '../../drivers/simulation/card.ts';
import { Fault } from '../../src/base/fault.ts';
import { toHex } from '../../src/base/hex.ts';
import { parseAmount } from '../../src/base/money.ts';
import { babble, mpiDevice, mute, pluggedTerminals, zvtDevice } from '../support/devices/plugged-terminals.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const openProbeBench = (devices: Parameters<typeof pluggedTerminals>[0]) => {
  const clock = virtualClock();
  const terminals = pluggedTerminals(devices);
  return { clock, terminals, tools: { clock, report: () => {}, open: terminals.open } };
};
/** The names in `drivers/README.md`. */
const titles: Readonly<Record<string, string>> = { mpi: 'MPI', neo2: 'NEO 2', mms: 'MMS', zvt: 'ZVT' };
/** Two drivers that both fit each place. */
const twice = { mpi, again: { ...mpi, name: 'again' } };
/** What the till says on a link, in hex. */
const startListening = () => {
  const sent: string[] = [];
  const wrap = (link: Link): Link => ({
    ...link,
    write(bytes) {
      sent.push(toHex(bytes));
      return link.write(bytes);
    },
  });
  return { sent, wrap };
};
const serialCandidateAt = (path: string) => candidateAt(`mpi+serial:${path}`);

test('a terminal reports what it is, and is left unchanged', async () => {
  const { clock, terminals, tools } = openProbeBench({});
  terminals.devices['serial:/dev/ttyACM0'] = mpiDevice(clock);
  const found = await clock.until(probe('mpi+serial:/dev/ttyACM0', tools));
  expect(found).toMatchObject({
    driver: 'mpi',
    title: 'Miura MPI',
    kind: 'reader',
    info: { model: 'SIMULATED M020', serial: expect.stringMatching(/^\d{8}$/) },
    keys: [
      { use: 'sred', ready: true },
      { use: 'pin', ready: true },
    ],
    health: { ok: true },
    problems: [],
  });
  expect(terminals.left()).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test('never begins a payment', async () => {
  const { clock, terminals, tools } = openProbeBench({});
  terminals.devices['serial:/dev/ttyACM0'] = mpiDevice(clock);
  const sent: string[] = [];
  const wrap = (link: Link): Link => ({
    ...link,
    write(bytes) {
      // NAD, PCB, LEN, then the command.
      sent.push(toHex(bytes.subarray(3, 5)));
      return link.write(bytes);
    },
  });
  await clock.until(probe('mpi+serial:/dev/ttyACM0', { ...tools, wrap }));
  expect(sent).toContain(commands.reset.code);
  // The commands of payments are those that wait for a customer, and those that continue a payment.
  const harmless = Object.values(commands).filter(({ waits, says }) => !waits && !/transaction|PIN/i.test(says));
  for (const code of sent) expect(harmless.map((row) => row.code)).toContain(code);
});

test.each(Object.keys(drivers))('the first message of %s is the one documented as harmless', async (name) => {
  const { clock, tools } = openProbeBench({ 'serial:/dev/mute': mute, 'tcp://10.0.0.7:1': mute });
  const { sent, wrap } = startListening();
  for (const address of ['serial:/dev/mute', 'tcp://10.0.0.7:1']) {
    const end = clock.until(probe(`${name}+${address}`, { ...tools, wrap }));
    await expect(end).rejects.toMatchObject({ code: 'terminal.silent' });
  }
  const page = readFileSync('drivers/README.md', 'utf8');
  const [, code = 'none'] = new RegExp(`^\\| ${titles[name]} \\| \`([0-9A-F-]+)\``, 'm').exec(page) ?? [];
  expect(sent.length).toBeGreaterThan(0);
  for (const hex of sent) expect(hex).toContain(code.replace('-', ''));
});

test('leaves alone a ZVT terminal that serves another register', async () => {
  const { clock, terminals, tools } = openProbeBench({});
  const stored = createWallet();
  terminals.devices['serial:/dev/zvt'] = zvtDevice(clock, '18000001', { wallet: stored });
  const otherTerminal = await clock.until(terminals.open('zvt+serial:/dev/zvt', tools));
  if (otherTerminal.kind !== 'integrated') throw new Error('it is no ZVT terminal');
  const amount = parseAmount('5.00', 'EUR');
  const paying = otherTerminal.terminal.pay({ amount, withinMs: 60_000 }, () => {});
  await clock.advance(2_000);
  const { sent, wrap } = startListening();
  await expect(clock.until(probe('zvt+serial:/dev/zvt', { ...tools, wrap }))).rejects.toMatchObject({
    code: 'terminal.busy',
  });
  expect(sent.join()).not.toContain('100206');
  await clock.until(paying);
});

test('ports are probed in parallel, each with its own deadline, and silent ones are reported in words', async () => {
  const { clock, terminals, tools } = openProbeBench({ 'serial:/dev/mute': mute, 'serial:/dev/noise': babble });
  terminals.devices['serial:/dev/one'] = mpiDevice(clock, '17000001');
  terminals.devices['serial:/dev/two'] = mpiDevice(clock, '17000002');
  const progress: SearchProgress[] = [];
  const startedAt = clock.monotonic();
  const places = ['/dev/mute', '/dev/one', '/dev/noise', '/dev/two', '/dev/none'].map(serialCandidateAt);
  const ends = await clock.until(probeAll(places, tools, (update) => progress.push(update)));
  expect(clock.monotonic() - startedAt).toBeLessThanOrEqual(PROBE_WITHIN_MS);
  expect(ends.map(({ found: [found], tried }) => found?.kind ?? tried.map(({ why }) => why.code))).toEqual([
    ['terminal.silent'],
    'reader',
    ['terminal.garbled'],
    'reader',
    ['link.unavailable'],
  ]);
  expect(progress.map(({ done, all }) => `${done}/${all}`)).toEqual(['0/5', '1/5', '2/5', '3/5', '4/5', '5/5']);
  expect(terminals.left()).toEqual([]);
  expect(terminals.mostAtOnce()).toBe(1);
  expect(clock.waiting()).toBe(0);
});

test('the drivers of one port are tried one after the other; a port that cannot be opened is tried once', async () => {
  const tries: string[] = [];
  const clock = virtualClock();
  const open = (address: string) => {
    tries.push(`${address} at ${Math.round(clock.monotonic())}`);
    if (address.includes('none')) return Promise.reject(new Fault('link.unavailable', { port: 'none', why: 'gone' }));
    return new Promise<never>(() => {});
  };
  const places = [candidateAt('/dev/never', twice), candidateAt('/dev/none', twice)];
  const ends = await clock.until(probeAll(places, { clock, report: () => {}, open, withinMs: 1_000 }));
  expect(tries).toEqual(['mpi+serial:/dev/never at 0', 'mpi+serial:/dev/none at 0', 'again+serial:/dev/never at 1000']);
  expect(ends.map(({ tried }) => tried.map(({ why }) => why.code))).toEqual([
    ['terminal.silent', 'terminal.silent'],
    ['link.unavailable'],
  ]);
});

test('an IP address alone is probed at each protocol’s usual ports, and all that answer are reported', async () => {
  const { clock, terminals, tools } = openProbeBench({});
  terminals.devices['tcp://10.0.0.7:6543'] = mpiDevice(clock);
  // One terminal that listens at two ports, and another one.
  terminals.devices['tcp://10.0.0.7:20007'] = zvtDevice(clock, '18000001');
  terminals.devices['tcp://10.0.0.7:22000'] = zvtDevice(clock, '18000001');
  terminals.devices['tcp://10.0.0.7:5001'] = zvtDevice(clock, '18000002');
  const [end] = await clock.until(probeAll([candidateAt('10.0.0.7')], tools));
  expect(end?.found.map(({ address }) => address)).toEqual([
    'mpi+tcp://10.0.0.7:6543',
    'zvt+tcp://10.0.0.7:20007',
    'zvt+tcp://10.0.0.7:5001',
  ]);
  delete terminals.devices['tcp://10.0.0.7:6543'];
  delete terminals.devices['tcp://10.0.0.7:5001'];
  const [one] = await clock.until(probeAll([candidateAt('10.0.0.7')], tools));
  expect(one?.found.map(({ address }) => address)).toEqual(['zvt+tcp://10.0.0.7:20007']);
  expect(one?.tried.map(({ why }) => why.code)).toEqual(['link.unavailable', 'link.unavailable']);
  expect(terminals.left()).toEqual([]);
});

test('a port that opens after the deadline is closed at once', async () => {
  const { clock, terminals } = openProbeBench({ 'serial:/dev/slow': mute });
  const open: typeof terminals.open = async (address, tools) => {
    await new Promise<void>((resolve) => clock.after(9_000, resolve));
    return terminals.open(address, tools);
  };
  const [end] = await clock.until(
    probeAll([serialCandidateAt('/dev/slow')], { clock, report: () => {}, open, withinMs: 2_000 }),
  );
  expect(end?.tried.map(({ why }) => why.code)).toEqual(['terminal.silent']);
  expect(clock.monotonic()).toBe(2_000);
  await clock.advance(10_000);
  expect(terminals.opened).toHaveLength(1);
  expect(terminals.left()).toEqual([]);
});

test('what a terminal does not report is a problem in words, and it is found all the same', async () => {
  const { clock, terminals, tools } = openProbeBench({});
  terminals.devices['serial:/dev/ttyACM0'] = mpiDevice(clock);
  const open: typeof terminals.open = async (address, more) => {
    const device = await terminals.open(address, more);
    if (device.kind !== 'reader') return device;
    const refuses = () =>
      Promise.reject(new Fault('terminal.refused', { command: 'battery', status: '6D00', why: 'unknown command' }));
    const { terminal } = device;
    const health = refuses;
    return {
      kind: 'reader',
      terminal: new Proxy(terminal, {
        get: (of, name) => (name === 'health' ? health : (Reflect.get(of, name, of) as () => void).bind(of)),
      }),
    };
  };
  const found = await clock.until(probe('mpi+serial:/dev/ttyACM0', { ...tools, open }));
  expect(found.health).toBeUndefined();
  expect(found.problems).toEqual([expect.stringMatching(/^It does not tell how it is: .*battery.*unknown command\.$/)]);
});
