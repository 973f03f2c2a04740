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
  weather: GatewayCondition;
  /** The process is killed before or after this many durable steps; undefined means never. */
  killIn: number | undefined;
  /** A bug that proves that the check works: each payment is sent a second time under its own key. */
  doubles: boolean;
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
  const turn = (): DeviceTurn =>
    chance.percent(85) ? 'works' : chance.one(['declined', 'notBegun', 'lostBefore', 'lostDuring', 'lostAfter']);
  return {
    ...{
      clock,
      chance,
      folder,
      issuer: issuerBooks(approves, () => 'test', clock),
      device: integratedDevice({ clock, turn }),
    },
    ...{ weather: 'fair', killIn: undefined, doubles: false },
  };
};

export type Answer = { status: number; body: unknown };

export type StormRun = {
  behind: TillInstance;
  isDead(): boolean;
  /** Undefined if the process died before its answer or the answer was lost. */
  ask(method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

/** Ends when the process is killed, and nothing of it runs after that. */
export const openRun = async (world: World): Promise<StormRun> => {
  const { clock: real, chance, folder } = world;
  const { state, alive, stop } = simulatedProcess();
  // Timers of a dead process never fire.
  const clock: Clock = { ...real, after: (ms, then) => real.after(ms, () => state.dead || then()) };
  const report = (): void => {};
  const events = openEvents(report);
  let behind: TillInstance | undefined;
  const till = (): TillInstance => {
    if (behind === undefined) throw new Error('the till is not open yet');
    return behind;
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
        host: () => hostOf(world, alive),
        terminals: () => terminalOf(world, clock, alive),
        integrated: () => integratedOf(world.device, alive),
        ledger: (ledger) => mortal(world, ledger, stop, state),
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
  behind = await openTillInstance(context, async () => {});
  const asking = signedIn(behind, state);
  return {
    behind,
    isDead: () => state.dead,
    ask: (method, path, body, key) =>
      Promise.race([alive(() => asking(method, path, { body, key })), state.died.then(() => undefined)]),
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
const signedIn = (behind: TillInstance, state: { dead: boolean }) => {
  let headers: Record<string, string> = { host: HOST };
  const send = async (method: string, path: string, { body, key }: { body?: unknown; key?: string | undefined }) => {
    const answer = await behind.fetch(
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
  return async (...[method, path, what]: Parameters<typeof send>): Promise<Answer> => {
    if (state.dead) return new Promise<never>(() => {});
    if (headers['cookie'] === undefined) await send('POST', 'session/code', { body: { code: START_CODE } });
    return send(method, path, what);
  };
};

const hostOf = (world: World, alive: WhileAlive): Host => {
  const { chance, issuer } = world;
  const line = lineTo(issuer, {
    clock: world.clock,
    fate: () => chance.one(fates[world.weather]),
    takesMs: () => chance.between(20, 3_000),
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: LIFE_MS,
  });
  return {
    ...line,
    pay(parameters, key) {
      if (world.doubles) void line.pay(parameters, `${key}-twice`);
      return alive(() => line.pay(parameters, key));
    },
    refer: (...asked) => alive(() => line.refer(...asked)),
    find: (...asked) => alive(() => line.find(...asked)),
  };
};

const terminalOf = ({ chance }: World, clock: Clock, alive: WhileAlive) => {
  const twin = scriptedTerminal(clock, {
    card: () => cards[cardOf(chance.between(0, 8))],
    read: () => (chance.percent(90) ? 'goOnline' : chance.one(['notRead', 'fault'])),
    complete: (kind) =>
      kind === 'declined' ? kind : chance.percent(85) ? 'approved' : chance.one(['declined', 'gone', 'fault']),
    takesMs: () => chance.between(50, 4_000),
  });
  const terminal = {
    ...twin,
    read: (...asked: Parameters<typeof twin.read>) => alive(() => twin.read(...asked)),
    complete: (...asked: Parameters<typeof twin.complete>) => alive(() => twin.complete(...asked)),
    async removed() {
      await pause(clock, 300);
      return true;
    },
  };
  return { get: async () => terminal, drop: async () => {} };
};

/** Whether a killed process had written its last step cannot be known beforehand. */
const mortal = (world: World, ledger: FullLedger, stop: () => void, state: { dead: boolean }): FullLedger => {
  const dying = (write: () => void): void => {
    const isNow = world.killIn === 0;
    if (world.killIn !== undefined) world.killIn = isNow ? undefined : world.killIn - 1;
    const isWritten = world.chance.percent(50);
    if (!state.dead && (!isNow || isWritten)) write();
    if (isNow) stop();
    if (state.dead) throw new Error('the process was killed');
  };
  return {
    ...ledger,
    record: (...step) => dying(() => ledger.record(...step)),
    recordAll: (entries) => dying(() => ledger.recordAll(entries)),
    settle: (...step) => dying(() => ledger.settle(...step)),
  };
};
