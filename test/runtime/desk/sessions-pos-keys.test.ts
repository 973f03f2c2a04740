/** Keys of programs: told once, kept as a hash, and known again after a start. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../../src/base/fault.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openPosKeys, type PosKeys } from '../../../src/runtime/desk/pos-keys.ts';
import { dice } from '../../support/chance/dice.ts';
import { openJournalUnsynced } from '../../support/disk/unsynced-sql.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const { random } = dice(7);
const clock = virtualClock();
let folder: string;
let journal: Journal;
let keys: PosKeys;

const open = (): void => {
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  keys = openPosKeys({ journal, clock, random });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pos-keys-'));
  open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
};

test('a key is told once, opens what a cashier may, and is known after a start', async () => {
  const { key } = keys.make({ name: 'Till POS', origins: ['https://pos.example'] }, 'Ana');
  expect(key).toMatch(/^tillgate_[\w-]{43}$/);
  const at = clock.now();
  await clock.advance(5_000);
  for (const _ of ['before', 'after a start']) {
    expect(keys.program(key)).toMatchObject({ program: 'Till POS', origins: ['https://pos.example'] });
    expect(keys.program(key)?.permissions).toEqual(['sell', 'refund', 'void', 'tip', 'preauthorise']);
    expect(keys.rows()).toEqual([
      { name: 'Till POS', by: 'Ana', madeAt: at, lastUsedAt: at + 5_000, origins: ['https://pos.example'] },
    ]);
    expect(keys.isOrigin('https://pos.example')).toBe(true);
    journal.close();
    expect(readFileSync(join(folder, 'journal.db')).includes(key.slice(9))).toBe(false);
    open();
  }
});

test('a removed key opens nothing, and its name is free again', () => {
  const { key } = keys.make({ name: 'POS', origins: ['http://localhost:3000'] });
  expect(refusal(() => keys.make({ name: 'pos' }))).toBe('posKey.known');
  keys.remove('pos', 'Ana');
  expect(keys.program(key)).toBeUndefined();
  expect(keys.isOrigin('http://localhost:3000')).toBe(false);
  expect(refusal(() => keys.remove('POS'))).toBe('posKey.unknown');
  expect(keys.make({ name: 'POS' }).key).not.toBe(key);
});

test.each<[name: string, origins: string[]]>([
  ['', []],
  ['  ', []],
  ['<script>', []],
  ['4111111111111111', []],
  ['x'.repeat(41), []],
  ['POS', ['*']],
  ['POS', ['null']],
  ['POS', ['https://pos.example/']],
  ['POS', ['https://pos.example/page']],
  ['POS', ['HTTPS://POS.EXAMPLE']],
  ['POS', ['https://pos.example:443']],
  ['POS', ['pos.example']],
  ['POS', ['file://x']],
  ['POS', ['https://fine.example', 'javascript:alert(1)']],
])('no key for %j from %j', (name, origins) => {
  expect(refusal(() => keys.make({ name, origins }))).toBe('posKey.malformed');
  expect(keys.rows()).toEqual([]);
});

test('what is no key is nobody’s', () => {
  for (const key of ['', 'tillgate_', 'tillgate_0', 'x'.repeat(500)]) expect(keys.program(key)).toBeUndefined();
});
