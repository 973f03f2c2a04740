/** A database whose opening fails half-way is closed: on Windows, an open handle blocks the next try. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSql, openSqlCopy } from '../../src/journal/sql.ts';
import { isWindows } from '../support/platform/platform.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'half-open-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The files in the folder that this process holds open. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(join('/proc/self/fd', fd));
      return file.startsWith(root) ? [file] : [];
    } catch {
      return [];
    }
  });

test.each(Object.entries({ openSql, openSqlCopy }))('%s keeps no file open that is not a database', (_, open) => {
  const path = join(root, 'journal.db');
  writeFileSync(path, 'no database'.repeat(1_000));
  expect(() => open(path)).toThrowError(expect.objectContaining({ code: 'journal.unreadable' }));
  // On Windows an open file fails the test's own cleanup: the folder cannot be removed.
  if (!isWindows) expect(openFiles()).toEqual([]);
});
