/** A till with one or more terminals and its selling service, between simulated terminals and a simulated gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../../drivers/terminal.ts';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { openEvents } from '../../src/app/events.ts';
import { startTill, type TillOptions } from '../../src/app/start-till.ts';
import { type Clock, pause } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { openSellingService } from '../../src/selling/service.ts';
import { openAudit } from '../../src/staff/audit/audit.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { bookkeepingHost, type Fate } from '../support/till/bookkeeping-host.ts';
import { type Behaviour, scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { steadyMachine } from '../support/till/steady-machine.ts';
import { storeLimits } from '../support/till/store-limits.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { chipCard, LIFE_MS, TIMEOUT_MS } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

export const eur = (amount: string) => ({ amount, currency: 'EUR' });
export const anna = { name: 'Anna', role: 'cashier', permissions: ['sell'] } as const;

type Protocol = 'mms' | 'neo2' | 'mpi' | 'zvt';

export type Options = {
  /** The number of terminals; 1 if absent. */
  counters?: number;
  /** The protocol of the terminals after the first; with several, one for each. */
  protocol?: Protocol | readonly Protocol[];
  behaviour?: Partial<Behaviour>;
  around?: TillOptions['around'];
  /** Wraps the simulated terminal with this terminalId; '' is the first. */
  terminal?: (terminal: Terminal, of: string) => Terminal;
};

export type Rig = ReturnType<typeof counterRig>;

const setTerminals = (folder: string, { counters = 1, protocol = 'mpi' }: Options): void => {
  const terminals = Array.from({ length: counters - 1 }, (_, index) => ({
    terminalId: `2000000${index}`,
    terminal: `${typeof protocol === 'string' ? protocol : protocol[index]}+tcp://127.0.0.1:${9 + index}`,
  }));
  changeConfig(folder, systemIds, ({ terminals: _, ...config }) => ({
    ...config,
    offline: storeLimits,
    terminals: terminals.length > 0 ? terminals : undefined,
    gateway: { ...config.gateway, timeoutMs: TIMEOUT_MS, requestLifeMs: LIFE_MS },
  }));
};

const twinOf = (clock: Clock, behaviour: Partial<Behaviour>): Terminal => ({
  ...scriptedTerminal(clock, {
    card: () => chipCard,
    read: () => 'goOnline',
    complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
    takesMs: () => 1_000,
    ...behaviour,
  }),
  async waitForRemoval() {
    await pause(clock, 500);
    return true;
  },
});

/** The folder and the gateway's payments survive each `open`. */
export const counterRig = (seed = 4711) => {
  const clock = virtualClock();
  const chance = dice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'counter-'));
  const fates: Fate[] = [];
  const approvals: (boolean | { part: string })[] = [];
  const host = bookkeepingHost({
    mode: 'test',
    clock,
    fate: () => fates.shift() ?? 'answered',
    approves: () => (approvals.shift() ?? true) as boolean,
    takesMs: () => 100,
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: LIFE_MS,
  });

  /** The terminals of the running till by terminalId; '' is the first. */
  const twins = new Map<string, Terminal>();
  const twin = (of: string, { behaviour = {}, terminal = (one) => one }: Options = {}): Terminal => {
    const known = twins.get(of) ?? terminal(twinOf(clock, behaviour), of);
    twins.set(of, known);
    return known;
  };

  const open = async (request: Options = {}) => {
    const { around = {} } = request;
    setTerminals(folder, request);
    twins.clear();
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const running = await startTill({
      open: openSqlUnsynced,
      stretchCost: cheapStretchCost,
      ...{ dataDir: folder, clock, machine: steadyMachine(clock), ids: chance.ids, random: chance.random, report },
      gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
      around: {
        host: () => host,
        terminals: (_, of = '') => ({ get: async () => twin(of, request), drop: async () => {} }),
        ...around,
      },
    });
    const events = openEvents(report);
    const reports: ApiEvent[] = [];
    events.listen((event) => void reports.push(event));
    const { note } = openAudit(running.journal);
    const service = openSellingService({ running, clock, ids: chance.ids, events, report, note, mode: 'test' });
    return {
      running,
      service,
      events,
      told: reports,
      reported,
      /** Waits until the sale has ended and its terminal is free again. */
      async ended(sale: LiveSale): Promise<LiveSale> {
        await clock.until(
          new Promise<void>((resolve) => {
            const isOver = () =>
              service.counters().every((one) => one.sale !== sale.id) && service.liveSale(sale.id).phase === 'ended';
            if (isOver()) return resolve();
            const stop = events.listen(() => {
              if (!isOver()) return;
              stop();
              resolve();
            });
          }),
        );
        return service.liveSale(sale.id);
      },
      async close() {
        await clock.until(Promise.resolve(service.close()));
        await clock.until(running.close());
      },
      /** Stops the till like a killed process: nothing ends by itself. */
      async kill() {
        await clock.until(Promise.resolve(service.close()));
        running.journal.close();
      },
    };
  };
  return {
    clock,
    chance,
    twin,
    folder,
    fates,
    approvals,
    host,
    open,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
