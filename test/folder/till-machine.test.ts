/**
 * A folder is bound to its machine: what is stored about it, what another machine finds, and what is due after each
 * opening.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  bindingOf,
  bindTo,
  comparedIn,
  leaveTerminals,
  noteCompared,
  readBinding,
  terminalsLeft,
} from '../../src/folder/till-machine.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const ID = `id:${'0123456789abcdef'.repeat(2)}` as const;
const OTHER = `id:${'fedcba9876543210'.repeat(2)}` as const;
const { random } = dice(1);

let folder = '';
let journal: Journal;
const clock = virtualClock();
const open = (dir = folder): Journal => openTillJournal(dir, { clock, open: openSqlUnsynced });
const reopen = (): void => {
  journal.close();
  journal = open();
};
const write = (): void => journal.write([{ subject: 's', kind: 'x', body: '{}' }]);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bound-'));
  journal = open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the first machine with an identity is the one it is bound to, across starts', () => {
  expect(bindingOf(journal, undefined, random)).toBe('unbound');
  expect(bindingOf(journal, ID, random)).toBe('here');
  reopen();
  expect(bindingOf(journal, ID, random)).toBe('here');
  expect(bindingOf(journal, OTHER, random)).toBe('elsewhere');
  expect(bindingOf(journal, `name:${ID}`, random)).toBe('elsewhere');
  expect(bindingOf(journal, undefined, random)).toBe('elsewhere');
  expect(bindingOf(journal, ID, random)).toBe('here');
});

test('reading the binding binds nothing', () => {
  expect(readBinding(journal.sql, ID)).toBe('unbound');
  expect(bindingOf(journal, OTHER, random)).toBe('here');
  expect(readBinding(journal.sql, ID)).toBe('elsewhere');
  expect(readBinding(journal.sql, OTHER)).toBe('here');
});

test('a folder can be bound to another machine, or to none', () => {
  bindingOf(journal, ID, random);
  bindTo(journal.sql, OTHER, random);
  expect([bindingOf(journal, OTHER, random), bindingOf(journal, ID, random)]).toEqual(['here', 'elsewhere']);
  bindTo(journal.sql, undefined, random);
  expect(bindingOf(journal, undefined, random)).toBe('unbound');
});

test('the id is not in the file, and two folders of one machine store different hashes', () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'bound-'));
  const other = open(otherFolder);
  try {
    bindingOf(journal, ID, random);
    bindingOf(other, ID, random);
    const storedBinding = ({ sql }: Journal) => sql.get('SELECT salt, hash FROM till_machine');
    expect(storedBinding(journal)?.['hash']).not.toEqual(storedBinding(other)?.['hash']);
    journal.tidy();
    const bytes = readFileSync(join(folder, 'journal.db'));
    expect(bytes.includes(ID.slice(3))).toBe(false);
    expect(bytes.includes(Buffer.from(ID.slice(3), 'hex'))).toBe(false);
  } finally {
    other.close();
    rmSync(otherFolder, { recursive: true, force: true });
  }
});

test('a comparison is due after each opening, from the last entry before the first opening without one', async () => {
  const openedAt = clock.now();
  expect(comparedIn(journal)).toEqual({ uncomparedSince: openedAt, behind: 0 });
  noteCompared(journal, 0);
  expect(comparedIn(journal)).toEqual({ behind: 0 });
  await clock.advance(1_000);
  write();
  const last = clock.now();
  await clock.advance(60_000);
  reopen();
  expect(comparedIn(journal)).toEqual({ uncomparedSince: last, behind: 0 });
  // This entry may be written to an older copy, so the beginning of the comparison does not move.
  write();
  await clock.advance(60_000);
  reopen();
  expect(comparedIn(journal)).toEqual({ uncomparedSince: last, behind: 0 });
  noteCompared(journal, 3);
  reopen();
  expect(comparedIn(journal)).toEqual({ uncomparedSince: last, behind: 3 });
});

test('a comparison at an older copy begins at that copy’s last entry', async () => {
  await clock.advance(1_000);
  write();
  const ends = clock.now();
  noteCompared(journal, 0);
  journal.tidy();
  journal.close();
  const file = join(folder, 'journal.db');
  copyFileSync(file, `${file}.yesterday`);
  journal = open();
  await clock.advance(86_400_000);
  write();
  noteCompared(journal, 0);
  journal.tidy();
  journal.close();
  copyFileSync(`${file}.yesterday`, file);
  journal = open();
  expect(comparedIn(journal)).toEqual({ uncomparedSince: ends, behind: 0 });
});

test('a copy leaves the terminals to the other till', () => {
  expect(terminalsLeft(journal.sql)).toEqual(new Set());
  leaveTerminals(journal.sql, ['70001', '70002']);
  leaveTerminals(journal.sql, ['70001']);
  reopen();
  expect(terminalsLeft(journal.sql)).toEqual(new Set(['70001', '70002']));
});
