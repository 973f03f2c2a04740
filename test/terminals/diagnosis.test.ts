/**
 * Diagnosis: each problem of port, device, keys, health and connection in a sentence with its remedy, and never a
 * payment.
 */
import { describe, expect, test } from 'vitest';
import type { KeyState, TerminalHealth } from '../../drivers/terminal.ts';
import { Fault } from '../../src/base/fault.ts';
import type { PairedDevice } from '../../src/folder/config.ts';
import { terminalChecks } from '../../src/terminals/checks/device-checks.ts';
import { type Diagnosis, type DiagnosisTools, diagnose } from '../../src/terminals/checks/diagnosis.ts';
import { histogram, runLoopback } from '../../src/terminals/checks/loopback.ts';
import { checkPort, type Ports } from '../../src/terminals/checks/port-check.ts';
import { babble, type Device, mpiDevice, mute, pluggedTerminals } from '../support/devices/plugged-terminals.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const ports: Ports = {
  platform: 'linux',
  listPlugged: async () => ({ devices: [], problems: [] }),
  isThere: async () => true,
  isOurs: async () => true,
  holders: async () => [],
  permissionCure: async () => 'run the script',
};
const address = 'mpi+serial:/dev/ttyACM0';

describe('the port before it is opened', () => {
  const hid = { by: 'hid', vendorId: 0x0801, productId: 0x2020, serial: 'B5', path: '/dev/hidraw0' } as const;
  const listPlugged = async () => ({ devices: [hid], problems: [] });
  const rows: [says: string, at: string, Partial<Ports>, verdict: string, words: RegExp, cure: RegExp | undefined][] = [
    ['free', address, {}, 'good', /\/dev\/ttyACM0 exists and is free/, undefined],
    ['missing', address, { isThere: async () => false }, 'bad', /no port \/dev\/ttyACM0/, /in this order/],
    ['not ours', address, { isOurs: async () => false }, 'bad', /use \/dev\/ttyACM0/, /^Run the script\.$/],
    [
      'held',
      address,
      { holders: async () => [{ program: 'chromium', pid: 7, seen: 'open' }] },
      'bad',
      /Another program has/,
      /chromium \(process 7\) holds it; close that program/i,
    ],
    [
      'ModemManager runs',
      address,
      { holders: async () => [{ program: 'ModemManager', pid: 8, seen: 'running' }] },
      'attention',
      /opens such ports/,
      /ModemManager \(process 8\) runs.*install-udev-rules/,
    ],
    [
      'ModemManager runs, and does not care for HID',
      'mms+hid:0801:2020',
      { listPlugged, holders: async () => [{ program: 'ModemManager', pid: 8, seen: 'running' }] },
      'good',
      /hidraw0/,
      undefined,
    ],
    ['a HID device with its serial number', 'mms+hid:0801:2020:B5', { listPlugged }, 'good', /hidraw0/, undefined],
    ['another one', 'mms+hid:0801:2020:B6', { listPlugged }, 'bad', /not connected/, /in this order/],
    ['in the network', 'mpi+tcp://10.0.0.7:6543', {}, 'good', /10\.0\.0\.7 port 6543/, undefined],
    ['Windows', 'mpi+serial:COM7', { platform: 'win32', isThere: async () => false }, 'good', /COM7/, undefined],
  ];
  test.each(rows)('%s', async (_, at, machine, verdict, pattern, cure) => {
    const check = await checkPort(at, { ...ports, ...machine });
    expect(check).toMatchObject({ what: 'Port', verdict, says: expect.stringMatching(pattern) });
    expect(check.cure).toEqual(cure === undefined ? undefined : expect.stringMatching(cure));
  });

  test.each(['linux', 'win32', 'darwin', 'aix'])('the advice for %s comes in order, in sentences', async (platform) => {
    const { inOrder = [] } = await checkPort(address, { ...ports, platform, listPlugged, isThere: async () => false });
    if (platform === 'win32') return expect(inOrder).toEqual([]);
    expect(inOrder.length).toBeGreaterThan(4);
    expect(inOrder[0]).toMatch(/switched on/);
    for (const text of inOrder) expect(text).toMatch(/[.?*]$|tells\.$/);
  });
});

describe('what the terminal reports about itself', () => {
  const info = { model: 'M020', serial: '17000001', firmware: '1-58' };
  const device: PairedDevice = { ...info, deviceType: 'M020', pairedAt: '2026-01-02 12:00:00' };
  const worstVerdict = (checks: readonly { verdict: string }[]) =>
    ['bad', 'attention', 'good'].find((rank) => checks.some(({ verdict }) => verdict === rank));
  const key = (more: Partial<KeyState>): KeyState => ({ use: 'sred', ready: true, ...more });
  const keys: [says: string, key: KeyState, verdict: string, words: RegExp][] = [
    ['ready', key({}), 'good', /key for card data is ready/],
    ['many uses left', key({ usesLeft: 1_048_570, ksn: 'FF01' }), 'good', /FF01\) has 1,048,570 uses left/],
    ['few uses left', key({ use: 'pin', usesLeft: 99, slot: '2' }), 'attention', /PINs \(slot 2\) has 99 uses left/],
    ['none left', key({ usesLeft: 0 }), 'bad', /used up/],
    ['missing', key({ ready: false }), 'bad', /missing/],
    ['no PIN key', key({ use: 'pin', ready: false }), 'attention', /PINs is missing/],
  ];
  test.each(keys)('a key: %s', (_, one, verdict, pattern) => {
    const checks = terminalChecks({ kind: 'reader', info, keys: [one], problems: [] });
    expect(worstVerdict(checks)).toBe(verdict);
    expect(checks.map(({ says }) => says).join('\n')).toMatch(pattern);
  });

  const healths: [says: string, health: TerminalHealth, verdict: string, words: RegExp][] = [
    ['well', { ok: true, problems: [], batteryPercent: 80 }, 'good', /No problems\. Battery 80 %/],
    ['the clock is right', { ok: true, problems: [], clockDifferenceMs: 200 }, 'good', /Clock correct/],
    ['the clock is a little off', { ok: true, problems: [], clockDifferenceMs: -9_000 }, 'good', /9 s behind/],
    [
      'the clock is wrong',
      { ok: true, problems: [], clockDifferenceMs: 840_000 },
      'attention',
      /clock is 14 min ahead/,
    ],
    ['the battery is low', { ok: false, problems: ['The battery is at 3 %'] }, 'attention', /The battery is at 3 %\./],
    ['opened', { ok: false, problems: [], tampered: true }, 'bad', /someone opened it/],
  ];
  test.each(healths)('health: %s', (_, health, verdict, pattern) => {
    const checks = terminalChecks({ kind: 'reader', info, health, problems: [] });
    expect(worstVerdict(checks)).toBe(verdict);
    expect(checks.map(({ says }) => says).join('\n')).toMatch(pattern);
  });

  test('says whether it is the paired one', () => {
    const deviceMessage = (other: Partial<PairedDevice>) =>
      terminalChecks({ kind: 'reader', info, problems: [] }, { ...device, ...other });
    const [paired] = deviceMessage({ pairedAt: '2026-11-02 08:14:00' });
    expect(paired).toMatchObject({ verdict: 'good' });
    expect(paired?.says).toMatch(/ This is the paired terminal, since 2026-11-02 08:14:00 UTC\.$/);
    // A screen formats the moment for its reader.
    expect(paired?.told?.says.facts).toMatchObject({ since: { at: Date.UTC(2026, 10, 2, 8, 14) } });
    // New firmware in the same device.
    expect(deviceMessage({ firmware: '1-57' })).toMatchObject([{ verdict: 'good' }]);
    expect(deviceMessage({ serial: '17000002' })).toMatchObject([
      { verdict: 'attention', cure: expect.stringContaining('pair') },
    ]);
  });

  test('an integrated terminal reports no keys', () => {
    const checks = terminalChecks({ kind: 'integrated', info, problems: ['It does not tell how it is.'] });
    expect(checks.map(({ what, verdict }) => `${what} ${verdict}`)).toEqual([
      'Device good',
      'Keys good',
      'Device attention',
    ]);
  });
});

const examine = async (device: Device | undefined, more: Partial<DiagnosisTools> = {}) => {
  const clock = virtualClock();
  const terminals = pluggedTerminals(device === undefined ? {} : { 'serial:/dev/ttyACM0': device });
  const tools = { clock, report: () => {}, open: terminals.open, ports, echoes: 5, ...more };
  const diagnosis = await clock.until(diagnose(address, tools));
  expect(terminals.left()).toEqual([]);
  expect(clock.waiting()).toBe(0);
  return diagnosis;
};
const outline = ({ checks }: Diagnosis) => checks.map(({ what, verdict }) => `${what} ${verdict}`);

describe('a whole diagnosis', () => {
  test('finds a good terminal good', async () => {
    const news: string[] = [];
    const diagnosis = await examine(mpiDevice(virtualClock()), {
      notify: (one) => news.push('check' in one ? one.check.what : `${one.echo}/${one.of}`),
    });
    expect(diagnosis).toMatchObject({ verdict: 'good', loopback: { answered: 5 } });
    expect(diagnosis.says).toBe('The terminal works without problems.');
    expect(outline(diagnosis)).toEqual(
      ['Port', 'Answers', 'Device', 'Keys', 'Keys', 'Health', 'Dialect', 'Way'].map((w) => `${w} good`),
    );
    expect(news.join(' ')).toBe('Port Answers Device Keys Keys Health Dialect 1/5 2/5 3/5 4/5 5/5 Way');
  });

  test('lists the keys in the till’s files that this version does not know', async () => {
    const unknown = [
      { file: 'till.json', path: 'offline.chip.perCrad', what: 'key', nearest: 'offline.chip.perCard' },
    ] as const;
    const { checks, verdict } = await examine(mpiDevice(virtualClock()), { unknown });
    expect(verdict).toBe('attention');
    expect(checks[0]).toMatchObject({
      ...{ what: 'Configuration', verdict: 'attention' },
      says: expect.stringMatching(
        /^till\.json contains the limit offline\.chip\.perCrad, .* nothing that it may limit is taken offline/,
      ),
      cure: expect.stringMatching(/^If you meant offline\.chip\.perCard/),
    });
  });

  const cure = 'icacls "C:\\till"';
  test.each<[DiagnosisTools['rights'], string | undefined, Diagnosis['verdict'], RegExp]>([
    [{ state: 'own' }, undefined, 'good', /./],
    [
      { state: 'open', who: ['Users', 'S-1-1-0'], cure },
      'Folder attention',
      'attention',
      /^Users who do not sell here .*: Users and S-1-1-0\.$/,
    ],
    [{ state: 'narrow', cure }, 'Folder attention', 'attention', /cannot sell on this till\.$/],
    [{ state: 'unsaid', said: 'icacls (0)', cure }, 'Folder notAsked', 'good', /does not show .*: icacls \(0\)\.$/],
  ])('says who can open the till’s folder: %o', async (rights, line, verdict, pattern) => {
    const diagnosis = await examine(mpiDevice(virtualClock()), { rights });
    expect(diagnosis.verdict).toBe(verdict);
    if (line === undefined) return expect(outline(diagnosis).join()).not.toContain('Folder');
    expect(outline(diagnosis)[0]).toBe(line);
    expect(diagnosis.checks[0]?.says).toMatch(pattern);
    expect(diagnosis.checks[0]?.cure).toContain(cure);
  });

  test('explains a disk without permissions, and names no command', async () => {
    const rights = { state: 'rightless', fileSystem: 'exFAT' } as const;
    const [check, ...rest] = (await examine(mpiDevice(virtualClock()), { rights })).checks;
    expect(check).toMatchObject({
      what: 'Folder',
      verdict: 'attention',
      cure: expect.stringMatching(/move the folder to a disk with permissions/),
    });
    expect([check?.says, rest.some(({ what }) => what === 'Folder')]).toEqual([
      expect.stringContaining('exFAT, which has no permissions'),
      false,
    ]);
  });

  test('does not open a port that does not exist', async () => {
    const diagnosis = await examine(mute, { ports: { ...ports, isThere: async () => false } });
    expect(outline(diagnosis)).toEqual(['Port bad', 'Answers notAsked']);
    expect(diagnosis.says).toMatch(/cannot be used in this state\. There is no port/);
  });

  const troubles: [says: string, device: Device | undefined, outline: string[], words: RegExp][] = [
    ['nothing behind the port', undefined, ['Port good', 'Answers bad'], /nothing is plugged in/],
    ['a mute one', mute, ['Port good', 'Answers bad'], /did not answer/],
    ['something else', babble, ['Port good', 'Answers bad'], /bytes that are not a valid answer/],
    [
      'a terminal that falls silent during the echoes',
      mpiDevice(virtualClock(), '1', { faults: [{ kind: 'silence', atCommand: 20 }] }),
      ['Port', 'Answers', 'Device', 'Keys', 'Keys', 'Health', 'Dialect'].map((w) => `${w} good`).concat('Way bad'),
      /^1 of \d+ questions got no answer/,
    ],
  ];
  test.each(troubles)('of %s', async (_, device, lines, pattern) => {
    const diagnosis = await examine(device, { echoes: 50 });
    expect(outline(diagnosis)).toEqual(lines);
    expect(diagnosis.verdict).toBe('bad');
    const last = diagnosis.checks.at(-1);
    expect(last?.says).toMatch(pattern);
    // Nothing was sold, so no advice may mention the gateway.
    expect(last?.cure).not.toMatch(/gateway|charge/);
  });
});

describe('the connection time', () => {
  test('uses nearest-rank percentiles', async () => {
    const clock = virtualClock();
    let n = 0;
    const echo = () => new Promise<void>((resolve) => clock.after(++n, resolve));
    const row = await clock.until(runLoopback(echo, { clock, echoes: 100 }));
    expect(row).toMatchObject({ asked: 100, answered: 100, minMs: 1, medianMs: 50, p95Ms: 95, maxMs: 100 });
  });

  test('a refused request counts as unanswered and the measurement continues; a lost link ends it', async () => {
    const clock = virtualClock();
    const refused = new Fault('terminal.refused', { command: 'echo', status: '1', why: 'no' });
    const lost = new Fault('link.lost', { port: 'x', why: 'gone' });
    const script = [undefined, refused, undefined, lost];
    let n = 0;
    const echo = async () => {
      const fault = script[n++];
      if (fault !== undefined) throw fault;
    };
    const row = await runLoopback(echo, { clock, echoes: 9 });
    expect(row).toMatchObject({ asked: 4, answered: 2, why: refused.message });
    const nothing = await runLoopback(echo, { clock, echoes: 0 });
    expect(nothing).toEqual({ asked: 0, answered: 0, tookMs: [] });
  });

  test('the histogram has a bar for each range from the fastest to the slowest, none without answers', () => {
    const lines = histogram([3, 3.5, 4, 4, 25, 60_000]);
    expect(lines).toHaveLength(12 - 1);
    expect(lines[0]).toMatch(/^ +2 to 5 ms {2}█{40} {2}4$/);
    expect(lines[1]).toMatch(/^ +5 to 10 ms +0$/);
    expect(lines.at(-1)).toMatch(/^ +5000 ms or more {2}█{10} +1$/);
    expect(histogram([])).toEqual([]);
  });

  test('a slow connection is reported, with what to do', async () => {
    const clock = virtualClock();
    const slow = 'serial:/dev/ttyACM0';
    const terminals = pluggedTerminals({ [slow]: mpiDevice(clock) });
    const openLate: typeof terminals.open = async (at, tools) => {
      const device = await terminals.open(at, tools);
      if (device.kind === 'reader')
        device.terminal.echo = () => new Promise<void>((resolve) => clock.after(400, resolve));
      return device;
    };
    const tools = { clock, report: () => {}, open: openLate, ports, echoes: 3 };
    const { verdict, checks } = await clock.until(diagnose(address, tools));
    expect(verdict).toBe('attention');
    expect(checks.at(-1)?.says).toBe('The connection is slow: half of the answers within 400 ms, all within 400 ms.');
  });
});
