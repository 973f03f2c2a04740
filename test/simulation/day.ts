/**
 * One simulated day of a store: two real tills, each with its journal, queue and ledger on a simulated disk, between
 * terminals and a gateway that fail as the day's rows say. Every rule is checked after each row. At the end everything
 * works again, and nothing may be stuck.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText, isFault } from '../../src/base/fault.ts';
import { removeCutShort } from '../support/platform/platform.ts';
import { actionOf, type Row, rowsOfDay } from './day-rows.ts';
import { endDay } from './end-of-day.ts';
import { checkJournal, checkSales } from './ledger-check.ts';
import { checkLimits } from './limits.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { openStation, type Station } from './station.ts';
import { openStore } from './store.ts';
import { PowerCut } from './till-run.ts';

export type Day = {
  readonly seed: number;
  readonly sales: number;
  readonly crashes: number;
  /** The write operations of all disks until the evening, when nothing fails any more. */
  readonly diskOperations: number;
  /** How often each ending occurred. */
  readonly endings: Readonly<Record<string, number>>;
  /** The rules that were broken; empty on a good day. */
  readonly problems: readonly string[];
};

export type DayOptions = {
  rows?: readonly Row[];
  plantedBug?: PlantedBug | undefined;
  /** Runs before a till starts for the first time. */
  prepare?: (station: Station) => void;
};

/** Plays the rows, by default those of the seed. The same seed and rows give the same day. */
export const playDay = async (
  seed: number,
  { rows = rowsOfDay(seed), plantedBug, prepare = () => {} }: DayOptions = {},
): Promise<Day> => {
  const store = openStore(seed, plantedBug);
  const parent = mkdtempSync(join(tmpdir(), 'simulated-store-'));
  const tills = [...new Set(rows.map(({ till }) => till))].sort();
  const stations = tills.map((till) => openStation(store, till + 1, parent));
  let diskOperations = 0;
  try {
    for (const station of stations) prepare(station);
    // A first start loads files from the real disk, which takes real time; the store's time does not advance meanwhile.
    for (const station of stations) await station.start();
    const runs = stations.map((station, n) =>
      playRows(
        station,
        rows.filter(({ till }) => till === tills[n]),
      ),
    );
    await store.clock.until(Promise.all(runs), DAY_MOST_MS, TIMERS_MOST);
    diskOperations = stations.reduce((all, { disk }) => all + disk.operations, 0);
    await store.clock.until(endDay(store, stations), DAY_MOST_MS, TIMERS_MOST);
  } catch (error) {
    store.problems.push(`the day did not end: ${errorText(error)}`, ...stations.flatMap(workInProgress));
  } finally {
    for (const station of stations) if (station.isUp) station.run.die('crash');
    removeCutShort(parent);
  }
  const endings: Record<string, number> = {};
  for (const each of stations.flatMap(({ endings: outcomes }) => outcomes)) endings[each] = (endings[each] ?? 0) + 1;
  const sales = Object.values(endings).reduce((all, each) => all + each, 0);
  const crashes = stations.reduce((all, station) => all + station.crashes, 0);
  return { seed, sales, crashes, diskOperations, endings, problems: store.problems };
};

/** A month, which is longer than any dead line and any wait for a clock. */
const DAY_MOST_MS = 30 * 24 * 3_600_000;
/** Several times the number of timers that the busiest days need. */
const TIMERS_MOST = 60_000;

/** What is stuck when a day does not end, for whoever looks for the cause. */
const workInProgress = (station: Station): string[] => {
  const { name, at: row } = station;
  const place = row === undefined ? 'in the evening' : `in row ${row.n}, ${actionOf(row).describe(row)}`;
  if (!station.isUp) return [`${name} does not stand, ${place}`];
  const { ledger, outbox } = station.run.running;
  const now = station.run.clock.now();
  const messages = [...outbox.waiting(), ...outbox.parked()].map(
    ({ kind, sale, attempts, dueAt, note }) =>
      `a ${kind} of ${sale} after ${attempts} tries, due in ${Math.round((dueAt - now) / 1000)} s: ${note}`,
  );
  return [
    `${name} is ${place}; open sales: ${ledger.openSales().length}; waiting: ${messages.join('; ') || 'nothing'}`,
  ];
};

/** The first broken rule ends this till's rows: later ones would only follow from it. */
const playRows = async (station: Station, rows: readonly Row[]): Promise<void> => {
  for (const row of rows) {
    if (station.store.problems.length > 0) return;
    station.at = row;
    await playRow(station, row);
    checkStation(station);
    check(station);
  }
  station.at = undefined;
};

/** Drains every two seconds as a running till does, so that new messages are sent by themselves. */
const checkStation = (station: Station): void => {
  if (station.isUp) station.run.running.forwarder.look();
};

const playRow = async (station: Station, row: Row): Promise<void> => {
  try {
    await Promise.race([actionOf(row).play(station, row), station.run.cut]);
  } catch (error) {
    // A till whose journal refused a write keeps running and has to recover by itself.
    if (!(error instanceof PowerCut) && !isFault(error, 'journal.unwritable', 'till.unrecorded')) throw error;
  }
  if (station.isUp) return;
  // The power returns after a while.
  await new Promise<void>((resolve) => station.store.clock.after((row.b % 60) * 1_000, resolve));
  await station.start();
  checkJournal(station);
  for (const sale of station.acknowledged.keys()) station.touchSale(sale);
};

const check = (station: Station): void => {
  if (!station.isUp) return;
  try {
    checkSales(station, station.touchedSales);
    checkLimits(station);
    station.touchedSales.clear();
  } catch (error) {
    if (!isFault(error, 'journal.unwritable')) throw error;
  }
};
