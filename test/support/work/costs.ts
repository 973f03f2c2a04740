/** What the files of a test run cost, added up by folder and compared with each folder's budget. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { START_MS, YARDSTICK_MS } from './yardstick.ts';

/** `path` below `test`; all times are processor time, so that waiting costs nothing. */
export type FileCost = {
  readonly path: string;
  /** The file and its imports, unless an earlier file in the same process loaded them. */
  readonly loadMs: number;
  readonly takenMs: number;
  readonly yardstickMs: number;
  /** The part of `takenMs` that was used by processes which the file started, and what a bare process took to start. */
  readonly children?: { readonly takenMs: number; readonly startMs: number };
};

/** A separate row for loading: which file pays for a shared module is chance. */
export const LOADING = 'loading';

export type FolderCost = { folder: string; seconds: number; files: { path: string; seconds: number }[] };

export const readCosts = (folder: string): FileCost[] =>
  readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as FileCost),
  );

const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '.');

const sorted = <T extends { seconds: number }>(all: readonly T[]): T[] =>
  all.toSorted((left, right) => right.seconds - left.seconds);

const total = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

/**
 * How much slower this machine is than the reference machine of the budgets; it never counts as more than four times as
 * fast.
 */
const slownessOf = (measuredMs: readonly number[], referenceMs: number): number =>
  Math.max(total(measuredMs) / measuredMs.length / referenceMs, 0.25);

/**
 * Seconds on the reference machine, highest first: a busy or slow machine also takes longer for the yardsticks. Started
 * processes have their own, since a machine can be slow at giving them memory and not at computing.
 */
export const costsByFolder = (costs: readonly FileCost[]): FolderCost[] => {
  const slowness = slownessOf(
    costs.map(({ yardstickMs }) => yardstickMs),
    YARDSTICK_MS,
  );
  const starts = costs.flatMap(({ children }) => children?.startMs ?? []);
  const startSlowness = starts.length === 0 ? slowness : slownessOf(starts, START_MS);
  const seconds = (ms: number): number => ms / 1_000 / slowness;
  const groups = Map.groupBy(
    costs.flatMap(({ path, loadMs, takenMs, children: { takenMs: childrenMs } = { takenMs: 0 } }) => [
      { path, folder: folderOf(path), seconds: seconds(takenMs - childrenMs) + childrenMs / 1_000 / startSlowness },
      { path, folder: LOADING, seconds: seconds(loadMs) },
    ]),
    ({ folder }) => folder,
  );
  return sorted(
    [...groups].map(([folder, all]) => ({
      folder,
      seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
      files: sorted(all.map(({ path, seconds }) => ({ path, seconds }))),
    })),
  );
};

/** The folder's name as a person finds it. */
export const nameOf = (folder: string): string => (folder === LOADING ? folder : `test/${folder}`);

const FILES_NAMED = 5;

/**
 * Runs of the same commit differ by a third between machines. A folder with a single file took 4.8 s of work on one and
 * 10.4 s on another, because nothing averages it out.
 */
const ALLOWED = { folder: 1.6, least: 6, all: 1.35 } as const;

/** The seconds that a folder with a budget of `seconds` may take. */
export const mayTake = (seconds: number): number => Math.max(seconds * ALLOWED.folder, seconds + ALLOWED.least);

/** Folders far over their budget, or without one, with their most expensive files; and the total, which varies less. */
export const overBudget = (folders: readonly FolderCost[], budgets: Readonly<Record<string, number>>): string[] => {
  const totalSeconds = total(folders.map(({ seconds }) => seconds));
  const rows = total(folders.map(({ folder }) => budgets[folder] ?? 0));
  const isOver = totalSeconds > Math.max(rows * ALLOWED.all, rows + ALLOWED.least);
  return [
    ...folders.flatMap((folder) => overRow(folder, budgets[folder.folder])),
    ...(isOver
      ? [`all of them took ${totalSeconds.toFixed(1)} s of work, and by their rows ${rows.toFixed(1)} s`]
      : []),
  ];
};

const overRow = ({ folder, seconds, files }: FolderCost, row: number | undefined): string[] => {
  if (row === undefined) return [`${nameOf(folder)} has no budget: give it a row in test/house/budgets.ts`];
  if (seconds <= mayTake(row)) return [];
  const names = files.slice(0, FILES_NAMED).map((file) => `${file.path} ${file.seconds.toFixed(1)}`);
  const may = mayTake(row).toFixed(1);
  return [`${nameOf(folder)} took ${seconds.toFixed(1)} s of work and may take ${may}: ${names.join(', ')}`];
};
