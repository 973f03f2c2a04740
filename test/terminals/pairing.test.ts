/**
 * Pairing: what is stored about a terminal, when a change of terminals is refused, and finding it again at another
 * port.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FoundTerminal } from '../../drivers/discovery.ts';
import type { PluggedDevice } from '../../drivers/links/plugged.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig, loadConfig, type PairedDevice } from '../../src/folder/config.ts';
import { rememberAddress } from '../../src/terminals/paired-device.ts';
import { identify, pair, unpair } from '../../src/terminals/pairing/pairing.ts';
import { refind } from '../../src/terminals/refind.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { mpiDevice, mute, pluggedTerminals } from '../support/devices/plugged-terminals.ts';
import { pairToolsOf } from '../support/till/pair-tools.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const foundTerminal = (serial: string, address = 'mpi+serial:/dev/ttyACM0'): FoundTerminal => ({
  address,
  driver: 'mpi',
  title: 'Miura MPI',
  kind: 'reader',
  info: { model: 'M020', serial, firmware: '1-58' },
  problems: [],
  tookMs: 1,
});

describe('what is stored', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pairing-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const tools = () => pairToolsOf(folder, virtualClock());
  const file = () => readFileSync(join(folder, 'till.json'), 'utf8');

  test('address, terminal id and device are in till.json, and the next start reads them', () => {
    const paired = pair(foundTerminal('17-000001'), tools(), { terminalId: '70001234' });
    expect(paired).toMatchObject({
      terminal: 'mpi+serial:/dev/ttyACM0',
      terminalId: '70001234',
      device: {
        deviceType: 'M020',
        deviceId: '17000001',
        model: 'M020',
        serial: '17-000001',
        firmware: '1-58',
        pairedAt: '2026-01-02 12:00:00',
      },
    });
    expect(loadConfig(folder, systemIds)).toEqual(paired);
  });

  test.each([
    ['no digits in the serial number', 'ABC', { serial: 'ABC' }],
    ['no serial number', '', { serial: '' }],
    ['a serial number as long as a card number', '4761739001010010', { deviceId: '4761739001010010' }],
    ['text with control characters, and too long', `1\u0007${'2'.repeat(200)}`, { serial: `1${'2'.repeat(99)}` }],
  ])('%s', (_, serial, device) => {
    const paired = pair(foundTerminal(serial), tools());
    expect(paired.device).toMatchObject(device);
    expect(paired.device?.deviceId !== undefined).toBe(/\d/.test(serial));
  });

  test('an invalid terminal id changes nothing', () => {
    pair(foundTerminal('1'), tools());
    const before = file();
    expect(() => pair(foundTerminal('2'), tools(), { terminalId: 'T1' })).toThrow(
      expect.objectContaining({
        code: 'config.malformed',
        message: expect.stringMatching(/terminalId: must be 1 to 32/),
      }),
    );
    expect(file()).toBe(before);
  });

  test('unpairing forgets address and device, and nothing else', () => {
    const before = changeConfig(folder, systemIds, (config) => ({ ...config, terminalId: '5' }));
    pair(foundTerminal('17000001'), tools());
    expect(unpair(tools())).toMatchObject({ address: 'mpi+serial:/dev/ttyACM0', device: { serial: '17000001' } });
    expect(loadConfig(folder, systemIds)).toEqual(before);
    expect(() => unpair(tools())).toThrow(expect.objectContaining({ code: 'terminal.unpaired' }));
  });

  test('a new address of the same device is remembered', () => {
    const { device } = pair(foundTerminal('17000001'), tools());
    rememberAddress(folder, 'mpi+serial:/dev/ttyACM7', { ids: systemIds });
    expect(loadConfig(folder, systemIds)).toEqual(
      expect.objectContaining({ terminal: 'mpi+serial:/dev/ttyACM7', device }),
    );
  });
});

describe('open sales on the previous terminal', () => {
  let shop: Shop;
  beforeEach(() => {
    shop = openShop();
  });
  afterEach(() => shop.remove());
  const tools = () => pairToolsOf(shop.folder, virtualClock());
  const terminalId = () => loadConfig(shop.folder, systemIds).terminalId;

  test('are listed and nothing is changed; with swap it continues, and they keep their terminal id', async () => {
    await (await shop.start()).close();
    const old = terminalId();
    pair(foundTerminal('1'), tools());
    const stored = await shop.storeOne();
    const before = readFileSync(shop.file('till.json'), 'utf8');
    const refusal = expect.objectContaining({
      code: 'pairing.salesOpen',
      message: `Terminal ${old} still has 1 sale open: 000001`,
    });
    expect(() => pair(foundTerminal('2'), tools(), { terminalId: '9' })).toThrow(refusal);
    expect(() => unpair(tools())).toThrow(refusal);
    expect(readFileSync(shop.file('till.json'), 'utf8')).toBe(before);

    expect(pair(foundTerminal('2'), tools(), { terminalId: '9', swap: true })).toMatchObject({ terminalId: '9' });
    const running = await shop.start();
    expect(running.till.find(stored.intent.receipt).intent.terminalId).toBe(old);
    expect((await running.forwarder.drain('all')).done).toBe(1);
    await running.close();
    // The sales have ended now: nobody needs to be asked.
    pair(foundTerminal('3'), tools(), { terminalId: '10' });
  });

  test('do not prevent moving the same device to another port', async () => {
    await (await shop.start()).close();
    pair(foundTerminal('1'), tools());
    await shop.storeOne();
    expect(pair(foundTerminal('1', 'mpi+serial:/dev/ttyACM5'), tools()).terminal).toBe('mpi+serial:/dev/ttyACM5');
  });

  test('are not read while the till is running', async () => {
    const running = await shop.start();
    await shop.sell(running);
    expect(() => pair(foundTerminal('1'), tools())).toThrow(expect.objectContaining({ code: 'journal.busy' }));
    await running.close();
  });

  test('a lost journal does not count as one without sales', async () => {
    await shop.storeOne();
    rmSync(shop.file('journal.db'));
    expect(() => pair(foundTerminal('1'), tools())).toThrow(expect.objectContaining({ code: 'journal.gone' }));
    writeFileSync(shop.file('journal.db'), '');
    expect(() => pair(foundTerminal('1'), tools())).toThrow(expect.objectContaining({ code: 'journal.gone' }));
  });
});

describe('identifying a terminal', () => {
  test('it is asked, tested three times, and shows a welcome', async () => {
    const clock = virtualClock();
    const { open, devices, left } = pluggedTerminals({});
    devices['serial:/dev/ttyACM0'] = mpiDevice(clock);
    const lines: string[] = [];
    const wrap: Parameters<typeof identify>[1]['wrap'] = (link) => ({
      ...link,
      write(bytes) {
        lines.push(Buffer.from(bytes).toString('latin1'));
        return link.write(bytes);
      },
    });
    const met = await clock.until(identify('mpi+serial:/dev/ttyACM0', { clock, report: () => {}, open, wrap }));
    expect(met).toMatchObject({ driver: 'mpi', info: { model: 'SIMULATED M020' }, health: { ok: true } });
    expect(met.echoMs).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/welcome/i);
    expect(left()).toEqual([]);
  });

  test('a terminal that falls silent during the test is not accepted', async () => {
    const clock = virtualClock();
    const { open, devices, left } = pluggedTerminals({});
    devices['serial:/dev/ttyACM0'] = mpiDevice(clock, '17000001', { faults: [{ kind: 'silence', atCommand: 8 }] });
    const meeting = identify('mpi+serial:/dev/ttyACM0', { clock, report: () => {}, open });
    await expect(clock.until(meeting)).rejects.toMatchObject({ code: 'terminal.silent' });
    expect(left()).toEqual([]);
  });
});

describe('finding it again', () => {
  const clock = virtualClock();
  const device: PairedDevice = {
    deviceType: 'SIMULATEDM020',
    model: 'SIMULATED M020',
    serial: '17000007',
    firmware: '1-58',
    pairedAt: '2026-01-02 12:00:00',
  };
  const port = (path: string, serial?: string): PluggedDevice => ({ by: 'serial', path, vendorId: 0x1234, serial });
  const bench = (ports: Record<string, ReturnType<typeof mpiDevice>>, plugged: PluggedDevice[]) => {
    const terminals = pluggedTerminals(
      Object.fromEntries(Object.entries(ports).map(([path, device]) => [`serial:${path}`, device])),
    );
    const list = async () => ({ devices: plugged, problems: [] });
    return { terminals, tools: { clock, report: () => {}, open: terminals.open, listPlugged: list } };
  };
  const address = 'mpi+serial:/dev/ttyACM0';

  test('finds it at another port, past a silent one and one with another terminal', async () => {
    const ports = {
      '/dev/ttyACM1': mute,
      '/dev/ttyACM2': mpiDevice(clock, '17000008'),
      '/dev/ttyACM3': mpiDevice(clock, '17000007'),
    };
    const { terminals, tools } = bench(
      ports,
      Object.keys(ports).map((path) => port(path)),
    );
    expect(await clock.until(refind({ address, device }, tools))).toBe('mpi+serial:/dev/ttyACM3');
    expect(terminals.left()).toEqual([]);
  });

  test('asks the port with its USB serial number first, the missing port and the mainboard’s ports never', async () => {
    const ports = { '/dev/ttyACM1': mute, '/dev/ttyACM9': mpiDevice(clock, '17000007') };
    const plugged: PluggedDevice[] = [
      port('/dev/ttyACM0'),
      port('/dev/ttyACM1'),
      { by: 'serial', path: '/dev/ttyS0' },
      port('/dev/ttyACM9', device.serial),
    ];
    const { terminals, tools } = bench(ports, plugged);
    expect(await clock.until(refind({ address, device }, tools))).toBe('mpi+serial:/dev/ttyACM9');
    expect(terminals.opened).toEqual(['mpi+serial:/dev/ttyACM9']);
  });

  test('leaves alone the place of another terminal of this till, whatever answers there', async () => {
    const ports = { '/dev/ttyACM1': mpiDevice(clock, '17000007') };
    const { terminals, tools } = bench(ports, [port('/dev/ttyACM1')]);
    const taken = ['mpi+serial:/dev/ttyACM1'];
    expect(await clock.until(refind({ address, device, takenAddresses: taken }, tools))).toBeUndefined();
    expect(terminals.opened).toEqual([]);
  });

  test('guesses nothing when it is nowhere, in the network, or without a serial number', async () => {
    const ports = { '/dev/ttyACM1': mpiDevice(clock, '17000008') };
    const { terminals, tools } = bench(ports, [port('/dev/ttyACM1')]);
    expect(await clock.until(refind({ address, device }, tools))).toBeUndefined();
    terminals.opened.length = 0;
    expect(await refind({ address: 'mpi+tcp://10.0.0.7:1', device }, tools)).toBeUndefined();
    expect(await refind({ address, device: { ...device, serial: '' } }, tools)).toBeUndefined();
    expect(terminals.opened).toEqual([]);
  });
});
