/** Folding reuses the log's space: steps overwrite old content, and a power cut among them loses no step. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalIn, openJournal } from '../../src/journal/journal.ts';
import { dice } from '../support/chance/dice.ts';
import { simulatedDisk } from '../support/disk/disk.ts';
import { openSqlOnDisk } from '../support/disk/sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const entry = (n: number) => ({ subject: `s${n}`, kind: 'x', body: 'y'.repeat(200 + ((n * 131) % 3_000)) });

test('later steps need no new space, and emptying the log frees its space', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fold-'));
  try {
    const journal = openJournal(join(folder, 'journal.db'), virtualClock());
    const walBytes = () => statSync(join(folder, 'journal.db-wal')).size;
    const write = (count: number) => {
      for (let n = 0; n < count; n++) journal.write([entry(n)]);
    };
    write(50);
    journal.fold();
    const capacity = walBytes();
    expect(capacity).toBeGreaterThan(50 * 4096);
    write(30);
    expect(walBytes()).toBe(capacity);
    expect(journal.steps - journal.tidiedAt).toBe(30);
    journal.tidy();
    expect(walBytes()).toBe(0);
    write(10);
    journal.noteKeysDestroyed();
    journal.fold();
    expect(walBytes()).toBe(0);
    write(10);
    journal.fold();
    expect(walBytes()).toBeGreaterThan(0);
    journal.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Folds after every fourth step, cuts the power at operation `at`, returns the acknowledged and present steps. */
const cutPower = (at: number, when: 'powerCut' | 'powerCutAfter', seed: number): { count: number; found: number } => {
  const disk = simulatedDisk();
  const open = () => journalIn(openSqlOnDisk(disk, 'journal.db'), 'journal.db', { clock: virtualClock(1000) });
  const first = open();
  const startedAt = disk.operations;
  disk.judge = () => (disk.operations - startedAt === at ? when : 'done');
  let count = 0;
  try {
    for (; count < 24; count++) {
      first.write([entry(count)]);
      if (count % 4 === 3) first.fold();
    }
  } catch {
    // The power is off.
  }
  disk.judge = () => 'done';
  if (!disk.isDead) return { count, found: count };
  disk.powerOn(dice(seed));
  const next = open();
  const found = [...next.entries()].length;
  next.write([entry(found)]);
  expect([...next.entries()].length).toBe(found + 1);
  next.close();
  return { count, found };
};

test('a power cut at any disk operation loses no acknowledged step, and the journal opens', () => {
  let cuts = 0;
  for (let index = 1; ; index += 3) {
    const when = index % 2 === 0 ? 'powerCut' : 'powerCutAfter';
    const { count, found } = cutPower(index, when, index);
    if (count === 24) break;
    cuts += 1;
    expect(found - count, `${when} at operation ${index}`).toBeOneOf([0, 1]);
  }
  expect(cuts).toBeGreaterThan(50);
});
