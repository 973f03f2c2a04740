/** One till of the simulated store with everything that outlives it: its disk, its clock, and what cashiers saw. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../src/base/clock.ts';
import { isFault } from '../../src/base/fault.ts';
import type { Ids, Random } from '../../src/base/ids.ts';
import type { EndedSale, Ending } from '../../src/till/machine/sale.ts';
import { dice } from '../support/chance/dice.ts';
import { type Disk, type Fate, type Operation, simulatedDisk } from '../support/disk/disk.ts';
import { SECTORS } from '../support/disk/medium.ts';
import { openSqlOnDisk } from '../support/disk/sql.ts';
import { type ArmedFaults, disarm, nextDiskFate, noFaults } from './armed-faults.ts';
import type { Row } from './day-rows.ts';
import { type Device, deviceOf } from './integrated-terminal.ts';
import { toFirstVersion } from './older-version.ts';
import { fateWithBug } from './planted-bugs.ts';
import { configOf, secretsOf } from './shop-config.ts';
import type { Store } from './store.ts';
import { type Death, PowerCut, startRun, type TillRun } from './till-run.ts';
import { secretsIn } from './watched-writes.ts';

export type Station = {
  readonly name: string;
  readonly store: Store;
  readonly folder: string;
  readonly disk: Disk;
  readonly clockShift: { jumpMs: number };
  readonly faults: ArmedFaults;
  /** The row that is being played here. */
  at: Row | undefined;
  readonly ids: Ids;
  readonly random: Random;
  /** Throws when the till is not running. */
  readonly run: TillRun;
  readonly isUp: boolean;
  /** The result for each sale that the cashier saw and handed over goods on. */
  readonly replies: ReadonlyMap<string, Ending>;
  /** The number of steps of each sale that were acknowledged as written. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** Sales that may have changed since the last check. */
  readonly touchedSales: Set<string>;
  readonly crashes: number;
  /** How often its machine was started, and its last start, in the store's monotonic time. */
  readonly bootCount: number;
  readonly bootedAt: number;
  /** Passes that a person requested and that are under way: they do not wait for a message's turn. */
  readonly hurried: Set<unknown>;
  /** An integrated terminal that this till uses instead of a reader. */
  readonly device: Device | undefined;
  /** The cashier who is signed in. */
  readonly cashier: string | undefined;
  setCashier(name: string | undefined): void;
  /** The people whose journal entry was acknowledged. */
  readonly people: Set<string>;
  /** The split bills and the amount of each, in minor units. */
  readonly bills: Map<string, number>;
  /** How its sales ended, filled in the evening. */
  readonly endings: string[];
  /** Everything that the queue ever sealed, and its keys, each with its message. */
  readonly sealed: { message: string; bytes: Buffer }[];
  onEnded(sale: string, endedSale: EndedSale): void;
  touchSale(sale: string): void;
  onSealed(message: string, bytes: Uint8Array): void;
  recordAcknowledged(sale: string): void;
  report(text: string): void;
  onDeath(causeOfDeath: Death): void;
  judgeWith(cut: () => void): (operation: Operation) => Fate;
  wait(ms: number): Promise<void>;
  /** Closes the till, drops its derived tables or turns the file into one of the first version, and opens it again. */
  upgrade(from: 'today' | 'firstVersion'): Promise<void>;
  /** Starts the till, as often as necessary if it dies. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export const openStation = (store: Store, number: number, parent: string): Station => {
  const chance = dice(store.seed * 16 + number);
  const folder = join(parent, `till-${number}`);
  const isIntegrated = number === 2 && store.seed % 4 === 3;
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'till.json'),
    JSON.stringify(configOf({ seed: store.seed, terminalId: `1000000${number}`, isIntegrated })),
  );
  // A till with secrets refuses to start without its journal: on the real disk a file takes its place.
  writeFileSync(join(folder, 'journal.db'), 'on the simulated disk');
  writeFileSync(join(folder, 'till.secrets.json'), JSON.stringify(secretsOf(number)));
  const disk = simulatedDisk();
  disk.sector = chance.one(SECTORS);
  const faults = noFaults();
  const replies = new Map<string, Ending>();
  const acknowledged = new Map<string, number>();
  const touchedSales = new Set<string>();
  const name = `till ${number}`;
  let run: TillRun | undefined;
  let cashier: string | undefined;
  let crashes = 0;
  let syncs = 0;
  let bootCount = 1;
  let bootedAt = 0;
  let death: Death = 'powerCut';

  const runningTill = (): TillRun => {
    if (run === undefined) throw new Error(`${name} does not stand`);
    return run;
  };

  const station: Station = {
    name,
    store,
    folder,
    disk,
    clockShift: { jumpMs: 0 },
    faults,
    at: undefined,
    ids: chance.ids,
    random: chance.random,
    replies,
    acknowledged,
    touchedSales,
    endings: [],
    sealed: [],
    people: new Set(),
    hurried: new Set(),
    bills: new Map(),
    device: isIntegrated ? deviceOf(store, faults) : undefined,
    get cashier() {
      return cashier;
    },
    setCashier(name) {
      cashier = name;
    },
    onSealed: (message, bytes) => void station.sealed.push({ message, bytes: Buffer.from(bytes) }),
    get run() {
      return runningTill();
    },
    get isUp() {
      return run !== undefined && !run.isDead;
    },
    get bootCount() {
      return bootCount;
    },
    get bootedAt() {
      return bootedAt;
    },
    get crashes() {
      return crashes;
    },
    onEnded: (sale, { ending }) => void replies.set(sale, ending),
    touchSale: (sale) => void touchedSales.add(sale),
    recordAcknowledged: (sale) => void acknowledged.set(sale, (acknowledged.get(sale) ?? 0) + 1),
    report: (text) => void store.problems.push(`${name}: ${text}`),
    onDeath(causeOfDeath) {
      death = causeOfDeath;
    },
    judgeWith: (cut) => (operation) => {
      for (const mark of operation.bytes === undefined ? [] : secretsIn(operation.bytes))
        station.report(`${mark} was written to ${operation.file}`);
      if (store.isHealed) return 'done';
      if (faults.slow.times-- > 0) store.clock.lag(faults.slow.ms);
      if (operation.what === 'sync') syncs += 1;
      const planted = fateWithBug(store.plantedBug, operation, syncs);
      const fate = nextDiskFate(faults);
      if (fate === 'powerCut' || fate === 'powerCutAfter') cut();
      return fate === 'done' ? planted : fate;
    },
    wait: (ms) => pause(runningTill().clock, ms),
    async upgrade(from) {
      await runningTill().close();
      run = undefined;
      const sql = openSqlOnDisk(disk, 'journal.db');
      try {
        for (const table of ['sale', 'ledger_index']) sql.run(`DROP TABLE IF EXISTS ${table}`);
        if (from === 'firstVersion') toFirstVersion(sql);
      } finally {
        sql.close();
      }
      await station.start();
    },
    async start() {
      for (let attempt = 0; attempt < STARTS_MOST; attempt++) {
        try {
          if (disk.isDead) startAgain();
          run = await startRun(station);
          return;
        } catch (error) {
          if (!(error instanceof PowerCut) && !isFault(error, 'journal.unwritable', 'till.unrecorded')) throw error;
        }
      }
      throw new Error(`${name} could not be started`);
    },
    async stop() {
      await runningTill().close();
      run = undefined;
    },
  };

  const startAgain = (): void => {
    run = undefined;
    cashier = undefined;
    crashes += 1;
    if (death === 'crash') disk.restart();
    else {
      disk.powerOn(dice(store.seed * 1_000 + crashes * 2 + number));
      bootCount += 1;
      bootedAt = store.clock.monotonic();
    }
    // Operations that were on their way to the disk ended with the till, and so do the faults armed for them.
    disarm(faults);
    station.hurried.clear();
  };

  return station;
};

const STARTS_MOST = 20;
