/** One life of a till, from its start until it is closed, dies or loses power. */
import { basename } from 'node:path';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import type { Machine } from '../../src/folder/machine.ts';
import type { Sql } from '../../src/journal/sql.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import type { Host, Terminals } from '../../src/till/ports.ts';
import { openSqlOnDisk } from '../support/disk/sql.ts';
import { lineTo } from '../support/till/bookkeeping-host.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { nextRequestFate, takeNext } from './armed-faults.ts';
import { cards, PAN_MARK, TRACK_MARK } from './cards.ts';
import { integratedOf, type WhileAlive } from './integrated-terminal.ts';
import { hostWithBug } from './planted-bugs.ts';
import type { Station } from './station.ts';
import { watchWrites } from './watched-writes.ts';

export const TIMEOUT_MS = 15_000;
/** After this time a request has certainly been taken or lost. */
export const REQUEST_LIFE_MS = 40_000;

/** Nothing of this till runs any more; only its disk and the gateway continue. */
export class PowerCut extends Error {}

export type Death = 'crash' | 'powerCut';

export type TillRun = {
  readonly running: RunningTill;
  /** Stops when the life ends. */
  readonly clock: Clock;
  /** Rejects with `PowerCut`. */
  readonly cut: Promise<never>;
  readonly isDead: boolean;
  die(death: Death): void;
  close(): Promise<void>;
};

const createLifeline = () => {
  const pendingForever = new Promise<never>(() => {});
  let fail: (cut: PowerCut) => void = () => {};
  const state = {
    dead: false,
    cut: new Promise<never>((_, reject) => {
      fail = reject;
    }),
  };
  state.cut.catch(() => undefined);
  const guard: WhileAlive = (work) =>
    state.dead
      ? pendingForever
      : work().then(
          (value) => (state.dead ? pendingForever : value),
          (error) => (state.dead ? pendingForever : Promise.reject(error)),
        );
  const stop = (): void => {
    state.dead = true;
    fail(new PowerCut());
  };
  return { state, alive: guard, stop };
};

/** Throws `PowerCut` if the start ends the life, and whatever `startTill` throws. */
export const startRun = async (station: Station): Promise<TillRun> => {
  const { disk, folder, store, clockShift: wall } = station;
  const { state, alive: guard, stop } = createLifeline();
  const clock: Clock = {
    now: () => store.clock.now() + wall.jumpMs,
    // Since the start of the machine: a power cut restarts it.
    monotonic: () => store.clock.monotonic() - station.bootedAt,
    after: (ms, then) => store.clock.after(ms, () => state.dead || then()),
  };
  let file: Sql | undefined;
  const die = (death: Death): void => {
    if (state.dead) return;
    station.onDeath(death);
    disk.kill();
    stop();
    file?.close();
  };
  disk.judge = station.judgeWith(() => queueMicrotask(() => die('powerCut')));
  const open = (path: string): Sql => {
    const synchronous = store.plantedBug === 'normalSync' ? 'NORMAL' : 'FULL';
    file = openSqlOnDisk(disk, basename(path), { synchronous });
    return watchWrites({
      ...{ sql: file, clock, plantedBug: store.plantedBug, report: station.report, onSealed: station.onSealed },
      isHurried: () => store.isHealed || station.hurried.size > 0,
    });
  };
  try {
    const running = await startTill({
      dataDir: folder,
      clock,
      ids: station.ids,
      random: station.random,
      stretchCost: cheapStretchCost,
      report: () => {},
      gateway: { baseUrl: 'https://gateway.test/', entityId: 'e'.repeat(32), token: 'simulation' },
      open,
      machine: machineOf(station, clock),
      around: {
        ledger: (ledger) => recordingLedger(station, ledger),
        host: () => hostOf(station, guard),
        terminals: () => terminalsOf(station, clock, guard),
        integrated: (terminals) => (station.device === undefined ? terminals : integratedOf(station.device, guard)),
      },
    });
    if (disk.isDead) throw new PowerCut();
    running.forwarder.start();
    const close = async (): Promise<void> => {
      await running.close();
      state.dead = true;
    };
    return {
      running,
      clock,
      cut: state.cut,
      die,
      close,
      get isDead() {
        return state.dead;
      },
    };
  } catch (error) {
    const isCut = disk.isDead;
    die('powerCut');
    throw isCut ? new PowerCut() : error;
  }
};

const machineOf = ({ bootCount: boots }: Station, clock: Clock): Machine => ({
  boot: `start ${boots}`,
  upMs: () => Math.round(clock.monotonic()),
  freeBytes: () => 2 ** 34,
});

/** Records which steps the till acknowledged as written: these must be present whatever happens. */
const recordingLedger = (station: Station, ledger: FullLedger): FullLedger => ({
  ...ledger,
  record(sale, event, message) {
    station.touchSale(sale);
    ledger.record(sale, event, message);
    station.recordAcknowledged(sale);
  },
  recordAll(entries) {
    for (const { sale } of entries) station.touchSale(sale);
    ledger.recordAll(entries);
    for (const { sale } of entries) station.recordAcknowledged(sale);
  },
  settle(message, sale, event) {
    station.touchSale(sale);
    ledger.settle(message, sale, event);
    station.recordAcknowledged(sale);
  },
});

const hostOf = ({ store, faults }: Station, guard: WhileAlive): Host => {
  let requests = 0;
  const line = lineTo(store.issuer, {
    clock: store.clock,
    fate: () => (store.isHealed ? 'answered' : store.isLineDown ? 'notReached' : nextRequestFate(faults)),
    takesMs: () => 150 + ((requests++ * 397) % 2_500),
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: REQUEST_LIFE_MS,
  });
  const withPower = async (work: () => ReturnType<Host['find']>) => {
    const reply = await guard(work);
    if (reply.kind !== 'answered') return reply;
    const datedReply = { ...reply, date: store.clock.now() };
    // A gateway's free text can contain anything.
    return reply.means === 'unknown'
      ? { ...datedReply, description: `${reply.description}, card ${PAN_MARK}` }
      : datedReply;
  };
  return hostWithBug(store.plantedBug, {
    pay: (parameters, key) => withPower(() => line.pay(parameters, key)),
    refer: (payment, parameters, key) => withPower(() => line.refer(payment, parameters, key)),
    find: (reference, linked) => withPower(() => line.find(reference, linked)),
    list: (period) => withPower(() => line.list(period)),
    meaningOf: line.meaningOf,
  });
};

const terminalsOf = ({ faults, store }: Station, clock: Clock, guard: WhileAlive): Terminals => {
  const linkFault = () => new Fault('link.lost', { port: 'twin', why: `read error after ${TRACK_MARK}` });
  const terminal = scriptedTerminal(clock, {
    card: () => cards[faults.card],
    read: () => takeNext(faults.reads, 'goOnline'),
    complete(reportedKind) {
      if (cards[faults.card].entryMode !== 'ICC') return 'none';
      // A chip that gets a decline never approves: it can only decline or not answer.
      return takeNext(faults.chipVerdicts, reportedKind === 'declined' ? 'declined' : 'approved');
    },
    takesMs: () => 1_200,
  });
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await guard(work);
    } catch {
      throw linkFault();
    }
  };
  return {
    get: async () => {
      if (store.clock.monotonic() < faults.noTerminalUntil) throw linkFault();
      return {
        ...terminal,
        read: (request, notify) => attempt(() => terminal.read(request, notify)),
        complete: (verdict) => attempt(() => terminal.complete(verdict)),
      };
    },
    drop: async () => {},
  };
};
