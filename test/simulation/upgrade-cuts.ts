/**
 * The power is cut at one operation of the disk while an older till's journal is upgraded, or the disk is full or fails
 * from there on: afterwards the file is the old one or the new one, intact, and the next start ends with the new one
 * and everything that the till held.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText, isFault } from '../../src/base/fault.ts';
import { journalIn } from '../../src/journal/journal.ts';
import { versionOf } from '../../src/journal/migrate.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { dice } from '../support/chance/dice.ts';
import { type Disk, type Fate, simulatedDisk } from '../support/disk/disk.ts';
import type { Sector } from '../support/disk/medium.ts';
import { openSqlOnDisk } from '../support/disk/sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const FILE = 'journal.db';
const fixtures = join(import.meta.dirname, '../journal/fixtures');
const newest = schemaPlan.steps.at(-1)?.to;

export const fixtureNames = (): string[] =>
  readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

export type UpgradeCut = {
  fixture: string;
  at: number;
  moment: 'powerCut' | 'powerCutAfter' | 'full' | 'failed';
  seed: number;
  sector: Sector;
};

/** The fixture's journal on a simulated disk; its copies go to a real folder. */
const diskWith = (fixture: string, folder: string): Disk => {
  cpSync(join(fixtures, fixture), folder, { recursive: true });
  const disk = simulatedDisk();
  const file = disk.open(FILE);
  file.write(0, readFileSync(join(folder, FILE)));
  file.sync();
  file.close();
  return disk;
};

const upgrade = (disk: Disk, folder: string): void =>
  journalIn(openSqlOnDisk(disk, FILE), join(folder, FILE), { clock: virtualClock(), plan: schemaPlan }).close();

const stateOf = (disk: Disk) => {
  const sql = openSqlOnDisk(disk, FILE);
  const columns = sql.all('PRAGMA table_info(message)').map(({ name }) => name);
  const state = {
    version: versionOf(sql),
    isNew: columns.includes('after_sale'),
    holdings: schemaPlan.holdings(sql),
    check: String(sql.get('PRAGMA integrity_check')?.['integrity_check']),
  };
  sql.close();
  return state;
};

const inFolder = <T>(work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-cut-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The number of disk operations in the whole upgrade. */
export const operationsOfUpgrade = (fixture: string): number =>
  inFolder((folder) => {
    const disk = diskWith(fixture, folder);
    const firstOperation = disk.operations;
    upgrade(disk, folder);
    return disk.operations - firstOperation;
  });

/** The rules that were broken; empty if none was. */
export const playUpgradeCut = ({ fixture, at, moment, seed, sector }: UpgradeCut): string[] =>
  inFolder((folder) => {
    const disk = diskWith(fixture, folder);
    const { holdings: contents } = stateOf(disk);
    disk.sector = sector;
    let remaining = at;
    const isCut = moment === 'powerCut' || moment === 'powerCutAfter';
    disk.judge = ({ what: operationKind }): Fate => {
      remaining -= 1;
      // A full disk still performs operations that free space or sync existing data.
      if (moment === 'full') return remaining < 0 && operationKind === 'write' ? 'full' : 'done';
      return remaining === -1 || (remaining < 0 && moment === 'failed') ? moment : 'done';
    };
    const problems: string[] = [];
    try {
      upgrade(disk, folder);
    } catch (error) {
      if (!isFault(error, 'journal.unwritable')) problems.push(`the upgrade ends with: ${errorText(error)}`);
    }
    if (isCut && !disk.isDead) return [...problems, 'the power was not cut'];
    disk.judge = () => 'done';
    if (isCut) disk.powerOn(dice(seed));
    const after = stateOf(disk);
    const expectedVersion = after.isNew ? newest : 1;
    if (after.version !== expectedVersion)
      problems.push(`version ${after.version} with the tables of version ${expectedVersion}`);
    for (let start = 0; start < 2; start++) {
      upgrade(disk, folder);
      const state = stateOf(disk);
      if (state.version !== newest || !state.isNew) problems.push(`start ${start + 1} leaves version ${state.version}`);
      if (state.holdings !== contents) problems.push(`start ${start + 1} leaves other holdings`);
      if (state.check !== 'ok') problems.push(`start ${start + 1}: ${state.check}`);
    }
    const copies = readdirSync(folder).filter((file) => file.includes('bak'));
    if (copies.join() !== `${FILE}.v1.bak`) problems.push(`the copies ${copies.join(', ')} are left`);
    return problems;
  });
