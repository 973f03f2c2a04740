/** A commit that fails after it has reached the disk: what stands there is what the chain goes on from. */
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

/** Lets the next transaction be committed, and then fails as a disk does at the sync. */
const failAfterCommit = ({ sql }: Journal): void => {
  const { atomically } = sql;
  sql.atomically = (work) => {
    sql.atomically = atomically;
    atomically(work);
    throw new Fault('journal.unwritable', { why: 'input/output error' });
  };
};

test('the next entry follows the one that was written, and the journal opens whole', () => {
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
