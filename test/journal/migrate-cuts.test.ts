/** The upgrade of an older journal breaks off at each statement: the file is the old one or the new one, and works. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { journalIn } from '../../src/journal/journal.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { byNight } from '../support/night/night.ts';
import { isWindows } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { countedSql, toldSql } from './counted-sql.ts';
import {
  contentOf,
  expectWhole,
  fixtures,
  journalOf,
  lay,
  newFolder,
  openAndClose,
  removeFolder,
  stateOf,
} from './older-journal.ts';

const child = join(import.meta.dirname, 'migrating-child.ts');

let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

/** What the fixture's till holds, in a newly created folder. */
const heldIn = (fixture: string): string => {
  lay(folder, fixture);
  return stateOf(journalOf(folder)).holdings;
};

const upgradeOver = (sql: Sql, plan = schemaPlan): void =>
  journalIn(sql, journalOf(folder), { clock: virtualClock(), plan }).close();

/** The number of statements in the whole upgrade. */
const statementsOf = (fixture: string): number => {
  lay(folder, fixture);
  const reported = toldSql(openSqlUnsynced(journalOf(folder)), () => {});
  upgradeOver(reported.sql);
  return reported.count;
};

const fails = (): never => {
  throw new Fault('journal.unwritable', { why: 'as told' });
};

describe('an error at every statement', () => {
  /** By day, each statement fails in the upgrade of one of the journals, in turn, either before it or after it. */
  const stride = byNight({ day: fixtures.length * 2, night: 1 });

  test.each([...fixtures.entries()])(
    '%i, %s',
    (turn, fixture) => {
      const statements = statementsOf(fixture);
      const held = heldIn(fixture);
      for (const after of [false, true]) {
        const first = 1 + ((turn + (after ? fixtures.length : 0)) % stride);
        for (let index = first; index <= statements; index += stride) {
          lay(folder, fixture);
          const { sql } = countedSql(openSqlUnsynced(journalOf(folder)), { at: index, after, how: fails });
          expect(() => upgradeOver(sql)).toThrow('as told');
          expectWhole(folder, held, `${after ? 'after' : 'before'} statement ${index}`);
        }
      }
    },
    120_000,
  );

  test('while the keys are removed from the copy', () => {
    const held = heldIn('terminals');
    expect(() => openAndClose(folder, { ...schemaPlan, withoutKeys: fails })).toThrow('as told');
    expectWhole(folder, held, 'while the copy loses its keys');
  });
});

describe('a process end at every statement', () => {
  /** The folder at one moment: a process that is killed then leaves the same content. */
  const listMoments = (fixture: string): Map<string, string> => {
    lay(folder, fixture);
    const seenStates = new Set<string>();
    const stored = new Map<string, string>();
    const keep = (what: string): void => {
      const content = contentOf(folder);
      // Most statements only read, so the folder is the same as before.
      if (seenStates.has(content)) return;
      seenStates.add(content);
      const copy = newFolder();
      stored.set(what, copy);
      cpSync(folder, copy, { recursive: true });
    };
    const withoutKeys: typeof schemaPlan.withoutKeys = (copy) => {
      keep('before the copy loses its keys');
      schemaPlan.withoutKeys(copy);
      keep('while the copy loses its keys');
    };
    const reported = toldSql(openSqlUnsynced(journalOf(folder)), (at, after) =>
      keep(`${after ? 'after' : 'before'} ${at}`),
    );
    upgradeOver(reported.sql, { ...schemaPlan, withoutKeys });
    return stored;
  };

  test.each(fixtures)('%s', (fixture) => {
    const held = heldIn(fixture);
    const stored = listMoments(fixture);
    try {
      expect(stored.size).toBeGreaterThan(5);
      for (const [what, copy] of stored) expectWhole(copy, held, what);
    } finally {
      for (const copy of stored.values()) removeFolder(copy);
    }
  });
});

/** Windows has no signals: whoever ends a process gives it an exit code. A process that fails by itself prints why. */
const KILLED = isWindows ? { status: 1, signal: null, err: '' } : { status: null, signal: 'SIGKILL', err: '' };
const ENDED = { status: 0, signal: null, err: '' };

test('a process that is killed, by day at three statements and while the keys are removed from the copy', () => {
  const statements = statementsOf('terminals');
  const held = heldIn('terminals');
  const killAt = (at: number, when: string): unknown => {
    lay(folder, 'terminals');
    const { status, signal, stderr } = spawnSync(process.execPath, [child, journalOf(folder), String(at), when]);
    expectWhole(folder, held, `${when} statement ${at}`);
    return { status, signal, err: stderr.toString() };
  };
  const every = Array.from({ length: statements }, (_, n) => n + 1);
  const third = Math.ceil(statements / 3);
  for (const at of byNight({ day: [third, 2 * third], night: every })) expect(killAt(at, 'before')).toEqual(KILLED);
  for (const at of byNight({ day: [statements], night: every })) expect(killAt(at, 'after')).toEqual(KILLED);
  expect(killAt(statements + 1, 'before')).toEqual(ENDED);
  for (const when of ['beforeCopy', 'afterCopy']) expect(killAt(0, when)).toEqual(KILLED);
}, 120_000);

test.skipIf(process.platform === 'win32')(
  'a disk that limits files to a number of kilobytes',
  () => {
    const held = heldIn('terminals');
    const refused = new Set<boolean>();
    // By day one disk that takes nothing, one that fills up half-way, and one with enough space.
    for (const kilobytes of byNight({
      day: [1, 76, 512],
      night: [1, 4, 16, 32, 48, 64, 72, 76, 80, 88, 96, 128, 512],
    })) {
      lay(folder, 'terminals');
      const { status } = spawnSync('bash', [
        '-c',
        `ulimit -f ${kilobytes} && exec "$0" "$@"`,
        process.execPath,
        child,
        journalOf(folder),
      ]);
      refused.add(status !== 0);
      expectWhole(folder, held, `${kilobytes} KB`);
    }
    expect([...refused]).toEqual([true, false]);
  },
  120_000,
);
