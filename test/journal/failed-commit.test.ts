/** A commit fails after it has reached the disk: the chain continues from what the disk holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'failed-commit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openJournal(join(folder, 'journal.db'), virtualClock());
const entry = (subject: string) => [{ subject, kind: 'x', body: '{}' }];

/** Lets the next transaction commit, and then fails like a disk at its sync. */
const failAfterCommit = ({ sql }: Journal): void => {
  const { atomically } = sql;
  sql.atomically = (work) => {
    sql.atomically = atomically;
    atomically(work);
    throw new Fault('journal.unwritable', { why: 'input/output error' });
  };
};

test('the next entry follows the written one, and the journal opens intact', () => {
  const journal = open();
  journal.write(entry('a'));
  failAfterCommit(journal);
  expect(() => journal.write(entry('b'))).toThrow('input/output error');
  expect(journal.length).toBe(2);
  journal.write(entry('c'));
  journal.close();

  const next = open();
  expect([...next.entries()].map(({ entry, subject }) => `${entry} ${subject}`)).toEqual(['1 a', '2 b', '3 c']);
  next.close();
});
