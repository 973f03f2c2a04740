/** On a full disk each write fails as a whole with a named fault, and the chain continues when there is space again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openJournal(join(folder, 'journal.db'), virtualClock());

test('a full disk gives a named fault, and the chain continues when there is space again', () => {
  const journal = open();
  const pages = Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
  journal.sql.all(`PRAGMA max_page_count = ${pages}`);
  const stored: string[] = [];
  for (let n = 0; n < 50; n++) {
    try {
      journal.write([{ subject: `s${n}`, kind: 'x', body: 'y'.repeat(3_000) }]);
      stored.push(`s${n}`);
    } catch (error) {
      expect(error).toMatchObject({ code: 'journal.unwritable', money: 'Nothing was charged.' });
    }
  }
  expect(stored.length).toBeLessThan(50);
  expect(journal.length).toBe(stored.length);
  journal.sql.all('PRAGMA max_page_count = 100000');
  journal.write([{ subject: 'last', kind: 'x', body: '{}' }]);
  journal.close();

  const next = open();
  expect([...next.entries()].map(({ subject }) => subject)).toEqual([...stored, 'last']);
  next.close();
});

test('a step with several entries keeps none if the last does not fit', () => {
  const journal = open();
  journal.write([{ subject: 'first', kind: 'x', body: '{}' }]);
  const pages = Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
  journal.sql.all(`PRAGMA max_page_count = ${pages}`);
  const big = { subject: 'big', kind: 'x', body: 'y'.repeat(100_000) };
  expect(() => journal.write([{ subject: 'small', kind: 'x', body: '{}' }, big])).toThrow('cannot be written');
  expect([...journal.entries()].map(({ subject }) => subject)).toEqual(['first']);
  expect(journal.length).toBe(1);
  journal.close();
});
