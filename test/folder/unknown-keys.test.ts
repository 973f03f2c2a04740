/** Files of the till’s folder written by a newer version: used, reported by name, and written back unchanged. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countCards } from '../../src/app/serve-simulated.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { changeConfig, loadConfig, writeConfig } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { offlineLimitsOf } from '../../src/folder/offline-config.ts';
import { unknownIn } from '../../src/folder/unknown-keys.ts';
import { openPrintJobStore } from '../../src/printing/paper-queue.ts';
import { findUnknownKeys, unknownChecks } from '../../src/terminals/checks/unknown-keys-words.ts';
import { exportConfiguration, importConfiguration, previewImport } from '../../src/terminals/support/configuration.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unknown-keys-'));
  loadConfig(folder, systemIds);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Json = Record<string, unknown>;
const read = (name = 'till.json'): Json => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json;
const write = (value: Json, name = 'till.json'): void => writeFileSync(join(folder, name), JSON.stringify(value));
const load = () => loadConfig(folder, systemIds);

const printer = { name: 'Counter', address: 'escpos+tcp://127.0.0.1:9100', width: 80 };
const device = { deviceType: 'a', model: 'm', serial: 's', firmware: 'f', pairedAt: '2026-01-31 23:59:59' };

/** An unknown key on each level of the file. */
const writeFutureFiles = (): Json => {
  const { gateway, offline, merchant, ...config } = read() as Record<string, Json>;
  return {
    ...config,
    merchant: { ...merchant, loyalty: { club: 'A', tiers: [1, 2] } },
    gateway: { ...gateway, pinned: null },
    offline: { ...offline, chip: { ...(offline?.['chip'] as Json), brands: { VISA: { upTo: '1.00', perLane: 3 } } } },
    printers: [{ ...printer, cutter: 'half' }],
    terminals: [{ terminalId: '2', terminal: 'mpi+tcp://127.0.0.1:1', device: { ...device, kernel: 8 } }],
    businessDay: { cutOff: '04:00', timeZone: 'Europe/Vienna', weekends: false },
    kiosk: true,
    __proto: 1,
  };
};
const names = [
  ...['kiosk', '__proto', 'merchant.loyalty', 'gateway.pinned', 'offline.chip.brands.VISA.perLane'],
  ...['printers.0.cutter', 'terminals.0.device.kernel', 'businessDay.weekends'],
];

test('keys of a newer version are reported by name, hidden from other code, and always written back', () => {
  const future = writeFutureFiles();
  write(future);
  const config = load();
  expect(
    unknownIn(config)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...names].sort());
  expect(JSON.stringify(config)).not.toMatch(/loyalty|pinned|perLane|cutter|kernel|weekends|kiosk/);
  changeConfig(folder, systemIds, ({ terminalId: _, ...rest }) => ({ ...rest, terminalId: '70001234' }));
  expect(read()).toEqual({ ...future, terminalId: '70001234' });
  // Unknown keys stay with their own object.
  changeConfig(folder, systemIds, ({ terminals: _, ...rest }) => ({ ...rest, printers: [printer] as never }));
  const { terminals: _, ...less } = future;
  expect(read()).toEqual({ ...less, terminalId: '70001234', printers: [printer] });
});

test('a live till that begins with this configuration has them too', () => {
  write(writeFutureFiles());
  const live = join(folder, 'live');
  mkdirSync(live);
  writeConfig(live, { ...load(), terminalId: '5' });
  expect(read('live/till.json')).toEqual({ ...writeFutureFiles(), terminalId: '5' });
});

test('for a mistyped key the nearest known one is suggested', () => {
  write({ ...read(), keepCardDateDays: 5, paper: { fotter: ['x'] } });
  const [first, second] = unknownChecks(findUnknownKeys({ config: load() }));
  expect(first?.says).toMatch(/^till\.json contains keepCardDateDays, which .* Did you mean keepCardDataDays\?$/);
  expect(second?.says).toMatch(/Did you mean paper\.footer\?$/);
});

test.each<[string, Json, Json, string]>([
  ['a language', { paper: { language: 'x-new' } }, { paper: {} }, 'paper.language'],
  ['what is printed automatically', { paper: { print: 'mail' } }, { paper: {} }, 'paper.print'],
  ['a code page', { printers: [{ ...printer, codePage: 'cp9999' }] }, { printers: [printer] }, 'printers.0.codePage'],
  [
    'a paper',
    { printers: [{ ...printer, width: 112 }] },
    { printers: [{ ...printer, width: 58 }] },
    'printers.0.width',
  ],
  [
    'a printer',
    { printers: [printer, { ...printer, name: 'Kitchen', address: 'holo+tcp://127.0.0.1:1', hologram: 1 }] },
    { printers: [printer] },
    'printers',
  ],
])('an unknown value for %s is ignored and kept', (_, configured, used, path) => {
  const before = read();
  write({ ...before, ...configured });
  const config = load();
  expect(JSON.parse(JSON.stringify(config))).toEqual({ ...before, ...used });
  expect(unknownIn(config)).toEqual([{ path, what: 'value' }]);
  changeConfig(folder, systemIds, (now) => ({ ...now, terminalId: '5' }));
  expect(read()).toEqual({ ...before, ...configured, terminalId: '5' });
  // A new setting replaces it.
  if (path.endsWith('print')) {
    changeConfig(folder, systemIds, (now) => ({ ...now, paper: { ...now.paper, print: 'both' } }));
    expect(read()['paper']).toEqual({ print: 'both' });
  }
});

test.each<[string, Json, RegExp]>([
  ['a currency', { currency: 'MOON' }, /currency: must be/],
  ['the use of a simulated terminal', { simulatedTerminal: 'maybe' }, /simulatedTerminal/],
  ['a limit', { offline: { chip: { upTo: 'all' }, deferred: { upTo: '0.00' } } }, /offline\.chip\.upTo/],
  ['an upstream', { gateway: { entityId: 'x' } }, /gateway\.entityId/],
])('an unknown value for %s affects money or a terminal, and is refused by name', (_, configured, pattern) => {
  write({ ...read(), ...configured });
  expect(load).toThrow(pattern);
});

test.each<[string, Json, [chip: bigint, deferred: bigint]]>([
  ['known limits', {}, [5000n, 900n]],
  ['an unknown limit of chips', { chip: { upTo: '50.00', perCrad: { count: 1 } } }, [0n, 900n]],
  ['an unknown limit of a brand', { chip: { upTo: '50.00', brands: { MOONCARD: { upTo: '1.00' } } } }, [0n, 900n]],
  ['one of both', { perStore: { total: '5.00' } }, [0n, 0n]],
  ['an operation', { operations: ['sale', 'teleport'] }, [5000n, 900n]],
])('with %s, sales that it may limit are not taken offline', (_, configured, [chip, deferred]) => {
  const offline = { chip: { upTo: '50.00' }, deferred: { upTo: '9.00' }, ...configured };
  write({ ...read(), offline });
  const config = load();
  const limits = offlineLimitsOf(config.offline, 'EUR');
  expect([limits.chip.upToMinor, limits.deferred.upToMinor]).toEqual([chip, deferred]);
  if ('operations' in configured) expect(limits.operations).toEqual(['sale']);
  expect(unknownChecks(findUnknownKeys({ config })).length).toBe(Object.keys(configured).length);
  changeConfig(folder, systemIds, (now) => now);
  expect(read()['offline']).toEqual(offline);
});

test('the secrets file keeps unknown keys, and reports only their names', () => {
  loadSecrets(folder, { random: systemRandom, isNew: true });
  const { signingKey: _, ...withoutKey } = read('till.secrets.json');
  write({ ...withoutKey, pepper2: 'hush' }, 'till.secrets.json');
  // The missing key is created, so the file is written.
  const secrets = loadSecrets(folder, { random: systemRandom, isNew: false });
  expect(read('till.secrets.json')).toMatchObject({ ...withoutKey, signingKey: expect.anything(), pepper2: 'hush' });
  const checks = unknownChecks(findUnknownKeys({ config: load(), secrets }));
  expect(checks.map(({ says: texts }) => texts)).toEqual([
    expect.stringMatching(/^till\.secrets\.json contains pepper2/),
  ]);
  expect(JSON.stringify(checks)).not.toContain('hush');
  const sealKey = new Uint8Array(32).fill(7);
  loadSecrets(folder, { random: systemRandom, isNew: false, sealKey });
  expect(readFileSync(join(folder, 'till.secrets.json'), 'utf8')).not.toContain('pepper2');
  expect(loadSecrets(folder, { random: systemRandom, isNew: false, sealKey }).unknown).toMatchObject([
    { path: 'pepper2' },
  ]);
});

test('an imported configuration may have the same unknown keys as this till, and no others', () => {
  write({ ...read(), kiosk: true });
  const parts = { folder, ids: systemIds, clock: systemClock, openReceipts: () => [] };
  const { configuration } = JSON.parse(exportConfiguration(parts).text) as { configuration: Json };
  expect(configuration['kiosk']).toBe(true);
  const configurationWith = (value: Json) => JSON.stringify({ ...configuration, ...value });
  expect(previewImport(configurationWith({ kiosk: false }), parts).changes).toEqual([
    { field: 'kiosk', before: 'true', after: 'false', needs: 'changeGateway' },
  ]);
  importConfiguration(configurationWith({ kiosk: false, terminalId: '5' }), parts, () => {});
  expect(read()).toMatchObject({ kiosk: false, terminalId: '5' });
  expect(read('till.before-import.json')).toMatchObject({ kiosk: true });
  expect(() => previewImport(configurationWith({ kiosks: true }), parts)).toThrow(
    expect.objectContaining({ fields: [{ name: 'kiosks', says: 'is not known' }] }),
  );
  expect(() => previewImport(configurationWith({ terminalID: '5' }), parts)).toThrow(
    expect.objectContaining({ fields: [{ name: 'terminalID', says: 'is not known; did you mean terminalId?' }] }),
  );
});

test('print jobs of a newer version stay in the file as long as any job does', () => {
  let now = 1_000;
  const report = { printer: 'a', at: 900, again: false, paper: { of: 'report', lines: ['x'] } } as const;
  const future = { ...report, paper: { of: 'hologram', beam: 3 } };
  const open = () =>
    openPrintJobStore({ dataDir: folder, now: () => now, report: (error) => expect.unreachable(`${error}`) });
  writeFileSync(join(folder, 'papers.json'), JSON.stringify([future, report]));
  const stored = open();
  expect(stored.read()).toEqual([report]);
  stored.write([]);
  expect(JSON.parse(readFileSync(join(folder, 'papers.json'), 'utf8'))).toEqual([future]);
  expect(open().read()).toEqual([]);
  now += 25 * 3_600_000;
  stored.write([]);
  expect(existsSync(join(folder, 'papers.json'))).toBe(false);
});

test('the counter of simulated cards keeps unknown keys beside it', () => {
  write({ transactions: 7, wallets: [1] }, 'simulated-cards.json');
  const { cardholder, lastAtc } = countCards(folder, () => undefined as never);
  expect(lastAtc).toBe(7);
  cardholder();
  expect(read('simulated-cards.json')).toEqual({ transactions: 8, wallets: [1] });
});
