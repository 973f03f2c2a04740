/**
 * One simulated day of a store: two real tills, each with its journal, queue and ledger on a simulated disk, between
 * terminals and a gateway that fail as the rows of the day say. Every rule is checked after each row. At the end all
 * works again, and nothing may be stuck.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault, wordsOf } from '../../src/base/fault.ts';
import { checkJournal, checkLimits, checkSales, standing } from './account.ts';
import { PowerCut, REQUEST_LIFE_MS } from './life.ts';
import type { Plant } from './plants.ts';
import { openStation, type Station } from './station.ts';
import { openStore, type Store } from './store.ts';
import { deedOf, type Row, storyOf } from './story.ts';
import { marksIn } from './watch.ts';

export type Day = {
  readonly seed: number;
  readonly sales: number;
  readonly crashes: number;
  /** Operations of all disks that changed something. */
  readonly diskOperations: number;
  /** How often each ending came. */
  readonly endings: Readonly<Record<string, number>>;
  /** Rules that did not hold; empty on a good day. */
  readonly broken: readonly string[];
};

export type DayOptions = {
  rows?: readonly Row[];
  plant?: Plant | undefined;
  /** Before a till is started for the first time. */
  prepare?: (station: Station) => void;
};

/** Plays the rows, by default those of the seed. The same seed and rows give the same day. */
export const playDay = async (
  seed: number,
  { rows = storyOf(seed), plant, prepare = () => {} }: DayOptions = {},
): Promise<Day> => {
  const store = openStore(seed, plant);
  const parent = mkdtempSync(join(tmpdir(), 'simulated-store-'));
  const tills = [...new Set(rows.map(({ till }) => till))].sort();
  const stations = tills.map((till) => openStation(store, till + 1, parent));
  try {
    for (const station of stations) prepare(station);
    // What a first start loads from the real disk takes real time: none of the store's passes meanwhile.
    for (const station of stations) await station.start();
    const lanes = stations.map((station, n) =>
      lane(
        station,
        rows.filter(({ till }) => till === tills[n]),
      ),
    );
    await store.clock.until(Promise.all(lanes), DAY_MOST_MS);
    await store.clock.until(evening(store, stations), DAY_MOST_MS);
  } catch (error) {
    store.broken.push(`the day could not be brought to its end: ${wordsOf(error)}`);
  } finally {
    for (const station of stations) if (station.stands) station.life.die('crash');
    rmSync(parent, { recursive: true, force: true });
  }
  const endings: Record<string, number> = {};
  for (const each of stations.flatMap(({ endings: of }) => of)) endings[each] = (endings[each] ?? 0) + 1;
  const sales = Object.values(endings).reduce((all, each) => all + each, 0);
  const crashes = stations.reduce((all, station) => all + station.crashes, 0);
  const diskOperations = stations.reduce((all, { disk }) => all + disk.operations, 0);
  return { seed, sales, crashes, diskOperations, endings, broken: store.broken };
};

/** A month: lines that are down, and clocks that are waited for. */
const DAY_MOST_MS = 30 * 24 * 3_600_000;

/** The first rule that breaks ends the lane: what follows from it says nothing. */
const lane = async (station: Station, rows: readonly Row[]): Promise<void> => {
  for (const row of rows) {
    if (station.store.broken.length > 0) return;
    await playRow(station, row);
    check(station);
  }
};

const playRow = async (station: Station, row: Row): Promise<void> => {
  try {
    await Promise.race([deedOf(row).play(station, row), station.life.cut]);
  } catch (error) {
    // A till whose journal refused a write lives on: it has to come to terms with it by itself.
    if (!(error instanceof PowerCut) && !isFault(error, 'journal.unwritable', 'till.unrecorded')) throw error;
  }
  if (station.stands) return;
  // The power is back after a while.
  await new Promise<void>((resolve) => station.store.clock.after((row.b % 60) * 1_000, resolve));
  await station.start();
  checkJournal(station);
  for (const sale of station.acknowledged.keys()) station.touches(sale);
};

const check = (station: Station): void => {
  if (!station.stands) return;
  try {
    checkSales(station, station.touched);
    checkLimits(station);
    station.touched.clear();
  } catch (error) {
    if (!isFault(error, 'journal.unwritable')) throw error;
  }
};

/** Everything works again, and whatever was open must come to an end by itself. */
const evening = async (store: Store, stations: readonly Station[]): Promise<void> => {
  if (store.broken.length > 0) return;
  store.heal();
  await new Promise<void>((resolve) => store.clock.after(REQUEST_LIFE_MS, resolve));
  for (const station of stations) {
    if (station.stands) await station.stop();
    await station.start();
    await settle(station);
    checkJournal(station);
    checkSales(station, station.acknowledged.keys(), true);
    await closeBooks(station);
    const { running } = station.life;
    for (const { kind, note } of [...running.outbox.waiting(), ...running.outbox.parked()])
      station.breaks(`a ${kind} was left in the queue: ${note}`);
    for (const sale of running.ledger.all()) station.endings.push(standing(sale));
    running.journal.tidy();
    checkDisk(station);
  }
  strangers(store, stations);
};

/** All was answered: neither card data nor what was sealed, nor a key of it, may be left anywhere on the disk. */
const checkDisk = (station: Station): void => {
  for (const [file, bytes] of station.disk.files()) {
    for (const mark of marksIn(bytes)) station.breaks(`${mark} is in ${file}`);
    const left = station.sealed.filter((sealed) => Buffer.from(bytes).includes(Buffer.from(sealed))).length;
    if (left > 0) station.breaks(`${left} sealed records or keys of answered sales are still in ${file}`);
  }
};

/** The day's batch closes without anybody's word for open money. */
const closeBooks = async (station: Station): Promise<void> => {
  try {
    await station.life.running.books.close();
  } catch (error) {
    if (!isFault(error, 'books.nothingToClose')) station.breaks(`the batch does not close: ${wordsOf(error)}`);
  }
};

const PASSES_MOST = 20;

const settle = async ({ life, store }: Station): Promise<void> => {
  const { outbox, forwarder } = life.running;
  // What a person would do about what was answered in a way nobody understood.
  outbox.unpark(life.clock.now());
  for (let n = 0; n < PASSES_MOST && outbox.waiting().length > 0; n++) {
    await forwarder.drain('all');
    await new Promise<void>((resolve) => store.clock.after(REQUEST_LIFE_MS, resolve));
  }
};

/** Nothing is in the issuer's books that no till knows of. */
const strangers = (store: Store, stations: readonly Station[]): void => {
  const known = new Set(stations.flatMap(({ acknowledged }) => [...acknowledged.keys()]));
  for (const { id, paymentType, merchantTransactionId } of store.issuer.books)
    if (!known.has(merchantTransactionId))
      store.broken.push(`the issuer has ${paymentType} ${id} of ${merchantTransactionId}, of which no till knows`);
};
