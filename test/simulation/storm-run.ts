/**
 * One life of a served till in a storm: two readers and an integrated terminal, a digital twin of the gateway that
 * loses and doubles answers, the whole local API in front, and a ledger that may be the last thing a killed process
 * touches.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedIn } from '../../src/api/contract/session.ts';
import { openEvents } from '../../src/app/events.ts';
import { tillServices } from '../../src/app/services.ts';
import { openTillInstance, type ServerContext, type TillInstance } from '../../src/app/till-instance.ts';
import { type Clock, pause } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig } from '../../src/folder/config.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import { shopFacts } from '../../src/selling/shop.ts';
import { openSessions } from '../../src/staff/sessions/sessions.ts';
import { openTerminalWatch } from '../../src/terminals/terminal-watch.ts';
import type { Host } from '../../src/till/ports.ts';
import { type Dice, dice } from '../support/chance/dice.ts';
import { type Fate, lineTo } from '../support/till/bookkeeping-host.ts';
import { type IssuerBooks, issuerBooks } from '../support/till/issuer-books.ts';
import { type Device, type DeviceTurn, integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { steadyMachine } from '../support/till/steady-machine.ts';
import { storeLimits } from '../support/till/store-limits.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { cardOf, cards } from './cards.ts';
import { integratedOf } from './integrated-terminal.ts';
import { simulatedProcess, type WhileAlive } from './simulated-process.ts';

export const HOST = 'till.test';
const TIMEOUT_MS = 15_000;
const LIFE_MS = 40_000;

export type GatewayCondition = 'fair' | 'rough' | 'down';
const fates: Readonly<Record<GatewayCondition, readonly [Fate, ...Fate[]]>> = {
  fair: ['answered'],
  rough: [
    ...(['answered', 'answered', 'notReached', 'requestLost', 'answerLost', 'answerLate'] as const),
    ...(['takenLate', 'doubled', 'throttled', 'nonsense'] as const),
  ],
  down: ['notReached', 'notReached', 'requestLost'],
};

/** What outlives each life of the till: its folder, the gateway's books and the time. */
export type World = {
  clock: VirtualClock;
  chance: Dice;
  folder: string;
  issuer: IssuerBooks;
  /** The integrated terminal at the third counter continues whatever happens to the till. */
  device: Device;
  condition: GatewayCondition;
  /** The process is killed before or after this many durable steps; undefined means never. */
  killAfterWrites: number | undefined;
  /** A bug that proves that the check works: each payment is sent a second time under its own key. */
  sendsTwice: boolean;
};

export const newWorld = (seed: number): World => {
  const chance = dice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'storm-'));
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    offline: { ...storeLimits, total: '120.00', count: 6, refunds: { upTo: '20.00', total: '60.00' } },
    terminals: [
      { terminalId: '20000001', terminal: 'mpi+tcp://127.0.0.1:9' },
      { terminalId: '20000002', terminal: 'zvt+tcp://127.0.0.1:10' },
    ],
    gateway: { ...config.gateway, timeoutMs: TIMEOUT_MS, requestLifeMs: LIFE_MS },
  }));
  const approves = (amount: string) =>
    amount.endsWith('.13') ? false : amount.endsWith('.50') ? { part: '1.00' } : true;
  const clock = virtualClock();
  const deviceTurn = (): DeviceTurn =>
    chance.percent(85) ? 'works' : chance.one(['declined', 'notBegun', 'lostBefore', 'lostDuring', 'lostAfter']);
  return {
    ...{
      clock,
      chance,
      folder,
      issuer: issuerBooks(approves, () => 'test', clock),
      device: integratedDevice({ clock, nextTurn: deviceTurn }),
    },
    ...{ condition: 'fair', killAfterWrites: undefined, sendsTwice: false },
  };
};

export type Answer = { status: number; body: unknown };

export type StormRun = {
  instance: TillInstance;
  isDead(): boolean;
  /** Undefined if the process died before its answer or the answer was lost. */
  request(method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a run that ends when the process is killed; nothing of the till runs after that. */
export const openRun = async (world: World): Promise<StormRun> => {
  const { clock: real, chance, folder } = world;
  const { state, alive: guard, stop } = simulatedProcess();
  // Timers of a dead process never fire.
  const clock: Clock = { ...real, after: (ms, then) => real.after(ms, () => state.dead || then()) };
  const report = (): void => {};
  const events = openEvents(report);
  let instance: TillInstance | undefined;
  const till = (): TillInstance => {
    if (instance === undefined) throw new Error('the till is not open yet');
    return instance;
  };
  const sessions = openSessions({
    ...{ events, clock, random: chance.random, report, lockAfterMs: () => 60_000 },
    startCode: START_CODE,
    staff: () => till().running.staff,
    posKeys: () => till().open.posKeys,
    shop: () => shopFacts(till().running.config, { version: '1', mode: 'test' }),
  });
  const context: ServerContext = {
    ...{ clock, ids: chance.ids, random: chance.random, report, events, sessions, training: false },
    options: () => ({
      dataDir: folder,
      version: '1',
      gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
      around: {
        host: () => hostOf(world, guard),
        terminals: () => terminalOf(world, clock, guard),
        integrated: () => integratedOf(world.device, guard),
        ledger: (ledger) => killableLedger(world, ledger, stop, state),
      },
    }),
    machine: steadyMachine(clock),
    terminalWatch: openTerminalWatch(clock),
    factories: tillServices,
    standIn: { address: async () => undefined, isOffered: () => false, close: async () => {} },
    hosts: () => [HOST],
    origins: () => [`http://${HOST}`],
    stopping: new AbortController(),
  };
  instance = await openTillInstance(context, async () => {});
  const sendInSession = openBrowserSession(instance, state);
  return {
    instance,
    isDead: () => state.dead,
    request: (method, path, body, key) =>
      Promise.race([guard(() => sendInSession(method, path, { body, key })), state.died.then(() => undefined)]),
    async kill() {
      stop();
      await real.settle();
      till().running.journal.close();
    },
    close: () => real.until(till().close()),
  };
};

/** The same in every life, so that its browser can connect. */
const START_CODE = 'code-of-the-storm';

/** Requests of a browser that needs no sign-in. */
const openBrowserSession = (instance: TillInstance, state: { dead: boolean }) => {
  let headers: Record<string, string> = { host: HOST };
  const send = async (method: string, path: string, { body, key }: { body?: unknown; key?: string | undefined }) => {
    const answer = await instance.fetch(
      new Request(`http://${HOST}/api/${path}`, {
        method,
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const cookie = answer.headers.get('set-cookie')?.split(';')[0];
    const received: unknown = answer.status === 204 ? undefined : await answer.json();
    if (cookie !== undefined) {
      const { csrf } = received as SignedIn;
      headers = { host: HOST, cookie, 'x-csrf-token': csrf };
    }
    return { status: answer.status, body: received };
  };
  return async (...[method, path, content]: Parameters<typeof send>): Promise<Answer> => {
    if (state.dead) return new Promise<never>(() => {});
    if (headers['cookie'] === undefined) await send('POST', 'session/code', { body: { code: START_CODE } });
    return send(method, path, content);
  };
};

const hostOf = (world: World, guard: WhileAlive): Host => {
  const { chance, issuer } = world;
  const line = lineTo(issuer, {
    clock: world.clock,
    fate: () => chance.one(fates[world.condition]),
    takesMs: () => chance.between(20, 3_000),
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: LIFE_MS,
  });
  return {
    ...line,
    pay(parameters, key) {
      if (world.sendsTwice) void line.pay(parameters, `${key}-twice`);
      return guard(() => line.pay(parameters, key));
    },
    refer: (...args) => guard(() => line.refer(...args)),
    find: (...args) => guard(() => line.find(...args)),
  };
};

const terminalOf = ({ chance }: World, clock: Clock, guard: WhileAlive) => {
  const testTerminal = scriptedTerminal(clock, {
    card: () => cards[cardOf(chance.between(0, 8))],
    read: () => (chance.percent(90) ? 'goOnline' : chance.one(['notRead', 'fault'])),
    complete: (kind) =>
      kind === 'declined' ? kind : chance.percent(85) ? 'approved' : chance.one(['declined', 'gone', 'fault']),
    takesMs: () => chance.between(50, 4_000),
  });
  const terminal = {
    ...testTerminal,
    read: (...args: Parameters<typeof testTerminal.read>) => guard(() => testTerminal.read(...args)),
    complete: (...args: Parameters<typeof testTerminal.complete>) => guard(() => testTerminal.complete(...args)),
    async removed() {
      await pause(clock, 300);
      return true;
    },
  };
  return { get: async () => terminal, drop: async () => {} };
};

/** Whether a killed process had written its last step cannot be known beforehand. */
const killableLedger = (world: World, ledger: FullLedger, stop: () => void, state: { dead: boolean }): FullLedger => {
  const killDuring = (write: () => void): void => {
    const isNow = world.killAfterWrites === 0;
    if (world.killAfterWrites !== undefined) world.killAfterWrites = isNow ? undefined : world.killAfterWrites - 1;
    const isWritten = world.chance.percent(50);
    if (!state.dead && (!isNow || isWritten)) write();
    if (isNow) stop();
    if (state.dead) throw new Error('the process was killed');
  };
  return {
    ...ledger,
    record: (...step) => killDuring(() => ledger.record(...step)),
    recordAll: (entries) => killDuring(() => ledger.recordAll(entries)),
    settle: (...step) => killDuring(() => ledger.settle(...step)),
  };
};
