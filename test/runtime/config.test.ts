/** The till's two files: made on the first start, read after, refused with the field when they are wrong. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/runtime/config.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'config-')), 'till');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const load = () => loadConfig(folder, { ids: systemIds, random: systemRandom });
const file = (name: string) => join(folder, name);

test('the first start makes both files, for the owner only, and the second reads the same', () => {
  const first = load();
  expect(load()).toEqual(first);
  expect(first.secrets.tillKey).toHaveLength(32);
  expect(first.config.offline.deferredUpTo).toBe('0.00');
  for (const name of ['till.json', 'till.secrets.json']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(file('till.json'), 'utf8')).not.toContain(first.secrets.token);
});

const damages: [says: string, change: (config: Record<string, unknown>) => unknown, words: RegExp][] = [
  ['no JSON', () => '{', /till\.json cannot be used/],
  ['an unknown field', (config) => ({ ...config, terminals: 1 }), /terminals/],
  ['a currency that is none', (config) => ({ ...config, currency: 'EURO' }), /currency: must be an ISO 4217 code/],
  ['a terminal id with letters', (config) => ({ ...config, terminalId: 'T1' }), /terminalId: must be 1 to 32 digits/],
  [
    'an amount with a comma',
    (config) => ({ ...config, offline: { chipUpTo: '5,00', deferredUpTo: '0.00', total: '1.00', count: 1 } }),
    /offline\.chipUpTo: must be an amount/,
  ],
];

test.each(damages)('%s is refused by name', (_, change, words) => {
  load();
  const changed = change(JSON.parse(readFileSync(file('till.json'), 'utf8')) as Record<string, unknown>);
  writeFileSync(file('till.json'), typeof changed === 'string' ? changed : JSON.stringify(changed));
  try {
    load();
    expect.unreachable();
  } catch (error) {
    expect(isFault(error, 'config.malformed')).toBe(true);
    expect(String(error)).toMatch(words);
  }
});
