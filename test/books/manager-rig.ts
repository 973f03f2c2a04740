/** A running till between a simulated terminal and gateway on a virtual clock, with the manager's service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardData } from '../../drivers/terminal.ts';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import { permissions } from '../../src/api/contract/roles.ts';
import type { Actor } from '../../src/api/ports/session.ts';
import { openEvents } from '../../src/app/events.ts';
import { startTill, type TillOptions } from '../../src/app/start-till.ts';
import { systemIds } from '../../src/base/ids.ts';
import type { DisplayMode } from '../../src/base/mode.ts';
import { openBooksService } from '../../src/books/service.ts';
import { changeConfig } from '../../src/folder/config.ts';
import type { OfflineConfig } from '../../src/folder/offline-config.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import type { Operation } from '../../src/till/machine/facts.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { bookkeepingHost, type Fate } from '../support/till/bookkeeping-host.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { steadyMachine } from '../support/till/steady-machine.ts';
import { storeLimits } from '../support/till/store-limits.ts';
import { chipCard, LIFE_MS, TIMEOUT_MS } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

export const MERCHANT = 'e'.repeat(32);

export const max: Actor = {
  name: 'Max',
  role: 'manager',
  permissions: Object.keys(permissions) as Actor['permissions'],
};

export type Options = {
  startMs?: number;
  cutOff?: string;
  timeZone?: string;
  limits?: OfflineConfig;
  seed?: number;
  /** The pos.terminalId of a second terminal. */
  second?: string;
  /** How long each step takes at the terminal, ms. */
  takesMs?: number;
  /** Wraps the till's database. */
  around?(sql: Sql): Sql;
};

export type Rig = ReturnType<typeof booksRig>;
export type Life = Awaited<ReturnType<Rig['open']>>;

/** The folder and the gateway's payments survive each `open`. */
export const booksRig = ({
  startMs,
  cutOff = '04:00',
  timeZone = 'Europe/Vienna',
  limits,
  seed = 4711,
  second,
  takesMs = 10,
  around: aroundFile = (sql) => sql,
}: Options = {}) => {
  const clock = virtualClock(startMs);
  const chance = dice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'manager-'));
  const card: { data: CardData } = { data: chipCard };
  const line: { up: boolean; fates: Fate[] } = { up: true, fates: [] };
  const approvals: boolean[] = [];
  const host = bookkeepingHost({
    mode: 'test',
    clock,
    fate: () => line.fates.shift() ?? (line.up ? 'answered' : 'notReached'),
    approves: () => approvals.shift() ?? true,
    takesMs: () => 10,
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: LIFE_MS,
  });
  const terminal = scriptedTerminal(clock, {
    card: () => card.data,
    read: () => 'goOnline',
    complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
    takesMs: () => takesMs,
  });

  /** Advances virtual time until the work is done, and lets the real disk take its turns. */
  const waitFor = async <T>(work: Promise<T>): Promise<T> => {
    let isEnded = false;
    const end = () => {
      isEnded = true;
    };
    work.then(end, end);
    while (!isEnded) await clock.advance(10);
    return work;
  };

  const open = async (around: TillOptions['around'] = {}) => {
    changeConfig(folder, systemIds, (config) => ({
      ...config,
      offline: limits ?? storeLimits,
      businessDay: { cutOff, timeZone },
      ...(second !== undefined && { terminals: [{ terminalId: second, terminal: 'mpi+tcp://127.0.0.1:9' }] }),
      gateway: { ...config.gateway, timeoutMs: TIMEOUT_MS, requestLifeMs: LIFE_MS },
    }));
    limits = undefined;
    return opened(around);
  };

  const opened = async (around: TillOptions['around'] = {}) => {
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const machine = steadyMachine(clock);
    const running = await startTill({
      open: (path) => aroundFile(openSqlUnsynced(path)),
      ...{ dataDir: folder, clock, ids: chance.ids, random: chance.random, machine, report },
      gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: MERCHANT, token: 'token-token' },
      around: { host: () => host, terminals: () => ({ get: async () => terminal, drop: async () => {} }), ...around },
    });
    const events = openEvents(report);
    const reports: ApiEvent[] = [];
    events.listen((event) => void reports.push(event));
    const audit = openAudit(running.journal);
    const newService = (mode: DisplayMode = running.mode) =>
      openBooksService({
        ...{ running, dataDir: folder, clock, ids: chance.ids, events, report },
        ...{ note: audit.note, mode },
      });
    return {
      running,
      service: newService(),
      newService,
      audit,
      events,
      told: reports,
      reported,
      sell: (minor: bigint, counter = running.counters[0]): Promise<EndedSale> =>
        waitFor(counter.till.sell({ amount: { minor, currency: 'EUR' } }, () => {}).done),
      follow: (
        receipt: number,
        operation: Exclude<Operation, 'sale' | 'preauthorisation' | 'credit'>,
        minor?: bigint,
      ) =>
        waitFor(
          running.till.follow(
            { receipt, operation, amount: minor === undefined ? undefined : { minor, currency: 'EUR' } },
            () => {},
          ).done,
        ),
      drain: () => waitFor(running.forwarder.drain('all')),
      close: () => waitFor(running.close()),
    };
  };

  return {
    clock,
    chance,
    folder,
    host,
    line,
    approvals,
    card,
    done: waitFor,
    open,
    /** With the configuration as it is on the disk. */
    opened,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
