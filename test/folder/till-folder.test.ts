/** Which till of a data folder is opened, and what its mode is without opening it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderOf } from '../../src/cli/till-folder.ts';
import { displayModeOf, isFolderBusy, modeOfFolder, tillFolder } from '../../src/folder/till-folder.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { journalOf, lay, newFolder, removeFolder, stateOf } from '../journal/older-journal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let data = '';
beforeEach(() => {
  data = newFolder();
});
afterEach(() => removeFolder(data));

const createFolder = (name: string): string => {
  mkdirSync(join(data, name));
  return join(data, name);
};
const begin = (folder: string, mode: 'test' | 'live') => {
  const journal = openJournal(journalOf(folder), virtualClock(), { plan: schemaPlan });
  modeOf(journal, mode);
  return journal;
};

test.each(['journal.db', 'till.json'])('the live till is opened once its folder has a %s', (name) => {
  expect(tillFolder(data)).toBe(data);
  const live = createFolder('live');
  expect(tillFolder(data)).toBe(data);
  writeFileSync(join(live, name), '');
  expect(tillFolder(data)).toBe(live);
  expect(tillFolder(data, { test: true })).toBe(data);
  // The live till's own folder can be named as well.
  expect(tillFolder(live)).toBe(live);
});

test('a live till whose journal is lost is not replaced by a test till', () => {
  writeFileSync(join(createFolder('live'), 'till.json'), '{}');
  expect(() => folderOf({ data })).toThrow(expect.objectContaining({ code: 'journal.gone' }));
  expect(folderOf({ data, test: true })).toBe(data);
});

test('--test never opens a live till', () => {
  begin(data, 'live').close();
  expect(folderOf({ data })).toBe(data);
  expect(() => folderOf({ data, test: true })).toThrow(expect.objectContaining({ code: 'command.malformed' }));
});

test('a folder’s mode is read without its till', () => {
  expect(modeOfFolder(data)).toBe('test');
  begin(data, 'test').close();
  expect(modeOfFolder(data)).toBe('test');
  const live = createFolder('live');
  begin(live, 'live').close();
  expect(modeOfFolder(live)).toBe('live');
});

test('a training till is recognised by its folder, and is never live', () => {
  const training = createFolder('training');
  begin(training, 'test').close();
  expect(modeOfFolder(training)).toBe('training');
  expect([displayModeOf('data/training', 'live'), displayModeOf('training/data', 'test')]).toEqual(['live', 'test']);
});

test.each([
  ['first-card-sale', 'test'],
  ['terminals', 'live'],
])('the folder %s from before modes were recorded is %s, and is not changed', (fixture, mode) => {
  lay(data, fixture);
  const before = stateOf(journalOf(data));
  expect(modeOfFolder(data)).toBe(mode);
  expect(stateOf(journalOf(data))).toEqual(before);
});

test('a folder is busy while a till works on it, and not after', () => {
  expect(isFolderBusy(data)).toBe(false);
  const journal = begin(data, 'test');
  expect(isFolderBusy(data)).toBe(true);
  journal.close();
  expect(isFolderBusy(data)).toBe(false);
});

test('the mode is unknown while a till works on the folder, and for a file that is not a journal', () => {
  const journal = begin(data, 'live');
  expect(modeOfFolder(data)).toBeUndefined();
  journal.close();
  writeFileSync(journalOf(data), 'no journal');
  expect(modeOfFolder(data)).toBeUndefined();
});
