/**
 * The till's two files: created on the first start, read afterwards, and refused with the field when they are wrong.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { changeConfig, loadConfig, locationOf } from '../../src/folder/config.ts';
import { loadSecrets, refuseLostJournal } from '../../src/folder/keys/secrets.ts';
import { isWindows, modeHere } from '../support/platform/platform.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'config-')), 'till');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const load = () => loadConfig(folder, systemIds);
const secrets = (isNew: boolean) => loadSecrets(folder, { random: systemRandom, isNew });
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
};
const file = (name: string) => join(folder, name);

test('the first start makes both files, for the owner only, and the second reads the same', () => {
  const first = load();
  const created = secrets(true);
  expect(load()).toEqual(first);
  expect(secrets(false)).toEqual(created);
  expect(created.tillKey).toHaveLength(32);
  expect(first.offline).toEqual({ chip: { upTo: '0.00' }, deferred: { upTo: '0.00' } });
  for (const name of ['till.json', 'till.secrets.json'])
    expect(statSync(file(name)).mode & 0o777).toBe(modeHere(0o600));
  expect(readFileSync(file('till.json'), 'utf8')).not.toContain(created.token);
});

test('a till with a journal is never silently replaced by a new one', () => {
  load();
  secrets(true);
  writeFileSync(file('journal.db'), 'x');
  rmSync(file('till.json'));
  expect(codeOf(load)).toBe('config.malformed');
  rmSync(file('till.secrets.json'));
  expect(codeOf(() => secrets(false))).toBe('secrets.gone');
});

test('a journal that is missing or empty is not created again', () => {
  load();
  expect(codeOf(() => refuseLostJournal(folder))).toBeUndefined();
  secrets(true);
  expect(codeOf(() => refuseLostJournal(folder))).toBe('journal.gone');
  writeFileSync(file('journal.db'), '');
  expect(codeOf(() => refuseLostJournal(folder))).toBe('journal.gone');
  writeFileSync(file('journal.db'), 'x');
  expect(codeOf(() => refuseLostJournal(folder))).toBeUndefined();
});

test('a folder that cannot be created is refused by name at once', () => {
  expect(codeOf(() => loadConfig(isWindows ? 'Q:\\nothing\\here' : '/proc/nothing/here', systemIds))).toBe(
    'folder.unusable',
  );
  writeFileSync(join(folder, '..', 'file'), '');
  expect(codeOf(() => loadConfig(join(folder, '..', 'file'), systemIds))).toBe('folder.unusable');
});

const vienna = { latitude: '48.2082', longitude: '16.3738' };
const inPlace = (location: object) => (config: Record<string, unknown>) => ({ ...config, location });

const damages: [says: string, change: (config: Record<string, unknown>) => unknown, words: RegExp][] = [
  ['no JSON', () => '{', /till\.json cannot be used/],
  ['an unknown field', (config) => ({ ...config, terminals: 1 }), /terminals/],
  ['tips that are too high', (config) => ({ ...config, screens: { tipPercents: [10, 200] } }), /screens\.tipPercents/],
  [
    'one tip twice',
    (config) => ({ ...config, screens: { tipPercents: [10, 10] } }),
    /tipPercents: must all be different/,
  ],
  ['too many tips', (config) => ({ ...config, screens: { tipPercents: [1, 2, 3, 4, 5] } }), /Percents/],
  ['an invalid currency', (config) => ({ ...config, currency: 'EURO' }), /currency: must be an ISO 4217 code/],
  [
    'a request life shorter than the answer timeout',
    (config) => ({ ...config, gateway: { ...(config['gateway'] as object), requestLifeMs: 0 } }),
    /requestLifeMs: must not be less than timeoutMs/,
  ],
  [
    'an amount with cents in a currency without',
    (config) => ({
      ...config,
      currency: 'JPY',
      offline: { chipUpTo: '50.50', deferredUpTo: '0.00', total: '50.00', count: 1 },
    }),
    /offline: must be amounts in the till/,
  ],
  ['a location as a number', inPlace({ latitude: 48.2, longitude: '16.3738' }), /location\.latitude/],
  [
    'a location without decimals',
    inPlace({ latitude: '48', longitude: '16.3738' }),
    /location\.latitude: must be degrees/,
  ],
  [
    'a location beyond the pole',
    inPlace({ latitude: '90.1', longitude: '16.3738' }),
    /location\.latitude: must be between -90 and 90/,
  ],
  [
    'a location beyond the date line',
    inPlace({ latitude: '48.2082', longitude: '-180.5' }),
    /location\.longitude: must be between -180 and 180/,
  ],
  ['half a place', inPlace({ latitude: '48.2082' }), /location\.longitude/],
  ['an accuracy with a fraction', inPlace({ ...vienna, accuracy: 2.5 }), /location\.accuracy/],
  ['a terminal id with letters', (config) => ({ ...config, terminalId: 'T1' }), /terminalId: must be 1 to 32 digits/],
  [
    'an amount with a comma',
    (config) => ({ ...config, offline: { chipUpTo: '5,00', deferredUpTo: '0.00', total: '1.00', count: 1 } }),
    /offline\.chipUpTo: must be an amount/,
  ],
];

test.each(damages)('%s is refused by name', (_, change, pattern) => {
  load();
  const changed = change(JSON.parse(readFileSync(file('till.json'), 'utf8')) as Record<string, unknown>);
  writeFileSync(file('till.json'), typeof changed === 'string' ? changed : JSON.stringify(changed));
  try {
    load();
    expect.unreachable();
  } catch (error) {
    expect(isFault(error, 'config.malformed')).toBe(true);
    expect(String(error)).toMatch(pattern);
  }
});

test.each<[string, (text: string) => Uint8Array]>([
  ['with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['in UTF-16, which an old Notepad calls Unicode', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['in UTF-16, big end first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['in UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['with Windows line ends', (text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
])('a file %s is read', (_, saved) => {
  const before = load();
  const text = readFileSync(file('till.json'), 'utf8');
  writeFileSync(file('till.json'), saved(text.replace('MY SHOP', 'Café 東京')));
  expect(load()).toEqual({ ...before, merchant: { ...before.merchant, name: 'Café 東京' } });
});

test('a file in a Windows code page is refused with its line and what to do, and is not read', () => {
  load();
  const text = readFileSync(file('till.json'), 'utf8').replace(/\{.*MY SHOP/s, '{\n "merchant": { "name": "Café');
  writeFileSync(file('till.json'), text, 'latin1');
  expect(load).toThrow(/till\.json.*line 2: the byte E9 is not UTF-8; save the file as UTF-8/s);
});

test.each([
  [vienna, vienna],
  [
    { latitude: '-90.0', longitude: '180.0', accuracy: 0 },
    { latitude: '-90.0', longitude: '180.0', accuracy: '0' },
  ],
])('the location %j is sent as %j', (location, goesOn) => {
  load();
  expect(locationOf(changeConfig(folder, systemIds, (config) => ({ ...config, location })))).toEqual({
    location: goesOn,
  });
  expect(locationOf(load())).toEqual({ location: goesOn });
});

test('a change is written completely or not at all', () => {
  const before = load();
  const changed = changeConfig(folder, systemIds, (config) => ({ ...config, terminalId: '70001234' }));
  expect(changed).toEqual({ ...before, terminalId: '70001234' });
  expect(load()).toEqual(changed);
  expect(statSync(file('till.json')).mode & 0o777).toBe(modeHere(0o600));
  for (const wrong of ['', 'T1', '1'.repeat(33)]) {
    expect(codeOf(() => changeConfig(folder, systemIds, (config) => ({ ...config, terminalId: wrong })))).toBe(
      'config.malformed',
    );
  }
  expect(load()).toEqual(changed);
});

test('a paired device is read back, and an invalid one is refused by name', () => {
  const device = { deviceType: 'M020', model: 'M020', serial: '1', firmware: '2', pairedAt: '2026-01-02 12:00:00' };
  expect(changeConfig(folder, systemIds, (config) => ({ ...config, device })).device).toEqual(device);
  expect(load().device).toEqual(device);
  writeFileSync(
    file('till.json'),
    JSON.stringify({ ...load(), device: { ...device, deviceId: 'A1', pairedAt: 'today' } }),
  );
  expect(load).toThrow(/device\.deviceId: must be 1 to 32 digits; device\.pairedAt: must be a time/);
});
