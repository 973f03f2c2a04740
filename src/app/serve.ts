/**
 * A till with its screens: the till itself, the services over it, the local API before them, and the page. One process
 * has a till's folder; it stays until it is closed, sends what waits and asks about what is unknown by itself.
 */
import { join } from 'node:path';
import { healthApi } from '../api/health.ts';
import { problemResponse } from '../api/problems.ts';
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { systemMachine } from '../folder/machine.ts';
import { tillFolder } from '../folder/till-folder.ts';
import { placeFacts, shopFacts } from '../selling/shop.ts';
import { openSessions } from '../staff/sessions/sessions.ts';
import { openTerminalWatch } from '../terminals/terminal-watch.ts';
import { openEvents } from './events.ts';
import { type Behind, type Ground, openBehind } from './serve-behind.ts';
import { type Listening, listenAt, type ServeAddress } from './serve-listen.ts';
import { type ServedOwner, serveOwner } from './serve-owner.ts';
import { commonHeaders, openPage, type ServedPage } from './serve-page.ts';
import { endSales, underWay } from './serve-sales.ts';
import { openStandIn, type SimulateOptions } from './serve-simulated.ts';
import { openTurnstile, type Turnstile } from './serve-turnstile.ts';
import type { Factories } from './services.ts';
import type { RunningTill, TillOptions } from './start-till.ts';
import { openTillHealth } from './till-health.ts';
import { openTraining, type Training } from './training.ts';

export type ServeOptions = TillOptions &
  SimulateOptions & {
    at: ServeAddress;
    version: string;
    /** Folder of the built screens; those of this program if left out. */
    page?: string;
    /** Everything in a folder of its own, on a simulated terminal; the screens say so. */
    training?: boolean;
    /** The test till, where a live till was begun beside it. */
    test?: boolean;
    /** Without a touch for so long the screens lock themselves, ms; as till.json has it if left out. */
    lockAfterMs?: number;
    /** Lets its bringer in while nobody is known; a random one if left out. */
    startCode?: string;
    services: Factories;
  };

export type ServedTill = {
  /** Where the screens are: `http://127.0.0.1:8800/`, or the socket's path. */
  address: string;
  /** Opens the screens while nobody is known; undefined once anybody is. */
  startCode(): string | undefined;
  /** Where the commands of its owner reach it; `why` where they cannot. */
  ownerSocket(): { path: string | undefined; why?: string };
  /** Resolves when its owner has asked it to end: whoever serves it closes it then. */
  stopAsked: Promise<void>;
  /** The till as it runs now: a restart makes another one. */
  running(): RunningTill;
  /**
   * Closes and opens it with its configuration as it is then. Throws `terminal.busy` during a sale, and `till.occupied`
   * where a request that is under way does not end in time.
   */
  restart(): Promise<void>;
  /** How many sales are under way. */
  underWay(): number;
  /** Resolves with why the till could not be opened anew; of one that runs it never does. */
  failed: Promise<unknown>;
  /** Begins nothing more, asks sales under way for a cancel, waits for their endings, and closes all: none is cut. */
  close(): Promise<void>;
};

/** What is opened before the till and closed after it. */
type Front = {
  ground: Ground;
  page: ServedPage;
  turnstile: Turnstile;
  /** Of a till that is no training till itself. */
  practice: Training | undefined;
  listening?: Listening;
  behind?: Behind;
  owner?: ServedOwner;
  isStopping?: true;
};

/** Starts the till and serves it. Throws what `startTill` throws, `screens.missing`, `screens.port`. */
export const serveTill = async (options: ServeOptions): Promise<ServedTill> => {
  const failed = Promise.withResolvers<unknown>();
  const restart = (): Promise<void> => reopen(front, failed.resolve);
  const front: Front = openFront(options, { till: () => behindOf(front), listening: () => front.listening, restart });
  try {
    front.behind = await openBehind(front.ground);
    const health = healthOf(front, options);
    const all = async (request: Request) => health(request) ?? answer(front, request);
    front.listening = await listenAt(options.at, front.ground.clock, all);
    const { address } = front.listening;
    front.owner = await serveOwner({ ground: front.ground, behind: () => front.behind, address }, front.behind);
  } catch (error) {
    await closeFront(front);
    throw error;
  }
  let closed: Promise<void> | undefined;
  const { owner, listening } = front;
  return {
    address: listening.address,
    ownerSocket: owner.socket,
    stopAsked: owner.stopAsked,
    startCode: front.ground.sessions.startCode,
    running: () => behindOf(front).running,
    restart,
    // While it is opened anew there is none.
    underWay: () => (front.behind === undefined ? 0 : underWay(front.behind.open.services.selling).length),
    failed: failed.promise,
    close() {
      closed ??= closeInPeace(front);
      return closed;
    },
  };
};

const behindOf = ({ behind }: Front): Behind => {
  if (behind === undefined) throw new Fault('till.stopping');
  return behind;
};

type Late = { till(): Behind; listening(): Listening | undefined; restart(): Promise<void> };

const MINUTE_MS = 60_000;
const LOCK_AFTER_MINUTES = 5;
const builtPage = join(import.meta.dirname, '../../dist/ui');

const openFront = (given: ServeOptions, { till, listening, restart }: Late): Front => {
  const { clock = systemClock, ids = systemIds, random = systemRandom, report = () => {}, training = false } = given;
  const { version, machine } = given;
  const options = optionsFor(given);
  const events = openEvents(report);
  const sessions = openSessions({
    ...{ events, clock, random, report, startCode: given.startCode },
    staff: () => till().running.staff,
    posKeys: () => till().open.posKeys,
    shop() {
      const { config, mode, place } = till().running;
      return shopFacts(config, { version, mode: training ? 'training' : mode, ...placeFacts(place) });
    },
    lockAfterMs: () =>
      given.lockAfterMs ?? (till().running.config.screens?.lockAfterMinutes ?? LOCK_AFTER_MINUTES) * MINUTE_MS,
  });
  const practice = training ? undefined : openTraining({ ground: () => ground, real: till, open: openBehind });
  const ground: Ground = {
    get options() {
      return options();
    },
    ...{ clock, ids, random, machine, report, training, events, sessions, restart },
    terminalWatch: openTerminalWatch(clock),
    over: new AbortController(),
    factories: practice?.factories(given.services) ?? given.services,
    standIn: openStandIn({
      get options() {
        return options();
      },
      ...{ clock, ids, random },
    }),
    hosts: () => listening()?.hosts ?? [],
    origins: () => listening()?.origins ?? [],
  };
  return { ground, practice, page: openPage(given.page ?? builtPage, random), turnstile: openTurnstile(clock) };
};

/**
 * The options of each opening. Once the live till stands beside the test till it is the one that is opened; a terminal,
 * a gateway and a simulated terminal that were named when the test till was started are not for it.
 */
const optionsFor = (given: ServeOptions): (() => Ground['options']) => {
  const { test = false, training = false, simulate = training ? 'mpi' : undefined } = given;
  // Who asked for the test till beside a live till keeps it; a test till alone may go live.
  const staysTest = test && tillFolder(given.dataDir) !== given.dataDir;
  const folder = (): string => tillFolder(given.dataDir, { test: staysTest });
  const begun = folder();
  return () => {
    const dataDir = folder();
    if (training) {
      // Nothing of it is money: it may be copied to anywhere.
      const { boundTo: _, ...rest } = given;
      return { ...rest, dataDir: join(begun, 'training'), simulate };
    }
    if (dataDir === begun) return { ...given, dataDir, simulate };
    const { terminal: _, gateway: __, simulate: ___, ...rest } = given;
    return { ...rest, dataDir };
  };
};

/** It waits for nothing: while the till is opened anew it says so. */
const healthOf = (front: Front, { version, training = false, machine = systemMachine }: ServeOptions) => {
  const { clock, hosts } = front.ground;
  const till = () => front.behind;
  const isStopping = () => front.isStopping === true;
  const health = openTillHealth({ version, clock, machine, training, till, isStopping });
  return healthApi(health, { hosts, headers: commonHeaders });
};

const answer = async (front: Front, request: Request): Promise<Response> => {
  const { page, turnstile, practice } = front;
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/api/') && pathname !== '/api') return page(request);
  // Whichever till stands once it is let through: it may have waited while the till was opened anew.
  const go = (ends: AbortSignal) =>
    (practice?.of(request) ?? front.behind)?.fetch(request, ends) ?? problemResponse(new Fault('till.stopping'));
  const response = await turnstile.pass(request, go).catch(problemResponse);
  for (const [name, value] of Object.entries(commonHeaders))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
};

const refuseDuringSale = (front: Front): void => {
  const { selling } = behindOf(front).open.services;
  if (underWay(selling).length > 0) throw new Fault('terminal.busy', { command: 'a sale' });
};

const reopen = async (front: Front, failed: (error: unknown) => void): Promise<void> => {
  const check = (): void => refuseDuringSale(front);
  const work = async (): Promise<void> => {
    check();
    const before = behindOf(front);
    // What is half closed answers nobody, whatever comes of it.
    delete front.behind;
    try {
      await before.close();
      if (front.ground.options.dataDir !== before.dataDir) await leaveTestTill(front);
      front.behind = await openBehind(front.ground);
      await front.owner?.follow(front.behind);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  await front.turnstile.whenQuiet({ check, work });
  for (const what of ['devices', 'sales', 'limits', 'printers', 'machine'] as const)
    front.ground.events.tell({ on: 'changed', what });
};

/** Whoever was let in at the test till signs in again, and training begins anew in the live till's folder. */
const leaveTestTill = async ({ ground, practice }: Front): Promise<void> => {
  ground.sessions.endAll();
  await practice?.close();
};

const closeInPeace = async (front: Front): Promise<void> => {
  front.isStopping = true;
  front.turnstile.shut();
  if (front.behind !== undefined) await endSales(front.behind.open.services.selling, front.ground.events);
  front.ground.over.abort();
  await front.listening?.close();
  await front.turnstile.left();
  await closeFront(front);
};

const closeFront = async ({ ground, listening, behind, practice, owner }: Front): Promise<void> => {
  await listening?.close();
  await practice?.close();
  await behind?.close();
  ground.sessions.close();
  await ground.standIn.close();
  // Last of all: it says that everything else is closed.
  await owner?.close();
};
