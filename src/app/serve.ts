/**
 * A till with its screens: the till itself, the services over it, the local API before them, and the page. One process
 * has a till's folder; it stays until it is closed, sends what waits and asks about what is unknown by itself.
 */
import { join } from 'node:path';
import { healthApi } from '../api/health.ts';
import { problemResponse } from '../api/problems.ts';
import { MINUTE_MS, systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { systemMachine } from '../folder/machine.ts';
import { tillFolder } from '../folder/till-folder.ts';
import { placeFacts, shopFacts } from '../selling/shop.ts';
import { openSessions } from '../staff/sessions/sessions.ts';
import { openTerminalWatch } from '../terminals/terminal-watch.ts';
import { openEvents } from './events.ts';
import { openRequestGate, type RequestGate } from './request-gate.ts';
import { type Listening, listenAt, type ServeAddress, type ServedOwner, serveOwner } from './serve-listen.ts';
import { commonHeaders, openPage, type ServedPage } from './serve-page.ts';
import { openStandIn, type SimulateOptions } from './serve-simulated.ts';
import type { Factories } from './services.ts';
import type { RunningTill, TillOptions } from './start-till.ts';
import { openTillHealth } from './till-health.ts';
import { endSales, openTillInstance, type ServerContext, type TillInstance, underWay } from './till-instance.ts';
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

/** What a restart, or the end, changes. */
type Now = {
  /** None while it is opened anew. */
  instance?: TillInstance | undefined;
  listening?: Listening;
  owner?: ServedOwner;
  isStopping?: true;
};

/** What is opened before the till and closed after it. */
type TillServer = {
  now: Now;
  context: ServerContext;
  page: ServedPage;
  gate: RequestGate;
  /** Of a till that is no training till itself. */
  practice: Training | undefined;
  /** Resolved with why the till could not be opened anew. */
  failed: PromiseWithResolvers<unknown>;
};

/** Starts the till and serves it. Throws what `startTill` throws, `screens.missing`, `screens.port`. */
export const serveTill = async (options: ServeOptions): Promise<ServedTill> => {
  const server = openServer(options);
  try {
    return await serve(server, options);
  } catch (error) {
    await closeServer(server);
    throw error;
  }
};

const serve = async (server: TillServer, options: ServeOptions): Promise<ServedTill> => {
  const { now, context } = server;
  const restart = (): Promise<void> => reopen(server);
  const first = await openTillInstance(context, restart);
  now.instance = first;
  const health = healthOf(server, options);
  const all = async (request: Request) => health(request) ?? answer(server, request);
  const listening = await listenAt(options.at, context.clock, all);
  now.listening = listening;
  const { address } = listening;
  const api = (request: Request) => answerApi(server, request, { owner: true });
  const owner = await serveOwner({ context, instance: () => now.instance, address, api }, first);
  now.owner = owner;
  let closed: Promise<void> | undefined;
  return {
    address,
    ownerSocket: owner.socket,
    stopAsked: owner.stopAsked,
    startCode: context.sessions.startCode,
    running: () => instanceOf(now).running,
    restart,
    // While it is opened anew there is none.
    underWay: () => (now.instance === undefined ? 0 : underWay(now.instance.open.services.selling).length),
    failed: server.failed.promise,
    close() {
      closed ??= closeInPeace(server);
      return closed;
    },
  };
};

const instanceOf = ({ instance }: Now): TillInstance => {
  if (instance === undefined) throw new Fault('till.stopping');
  return instance;
};

const LOCK_AFTER_MINUTES = 5;
const builtPage = join(import.meta.dirname, '../../dist/ui');

const openServer = (given: ServeOptions): TillServer => {
  const { clock = systemClock, ids = systemIds, random = systemRandom, report = () => {}, training = false } = given;
  const { version, machine, services: factories } = given;
  const now: Now = {};
  const till = (): TillInstance => instanceOf(now);
  const options = optionsFor(given);
  const events = openEvents(report);
  const sessions = openSessions({
    events,
    clock,
    random,
    report,
    startCode: given.startCode,
    staff: () => till().running.staff,
    posKeys: () => till().open.posKeys,
    shop() {
      const { config, mode, place } = till().running;
      return shopFacts(config, { version, mode: training ? 'training' : mode, ...placeFacts(place) });
    },
    lockAfterMs: () =>
      given.lockAfterMs ?? (till().running.config.screens?.lockAfterMinutes ?? LOCK_AFTER_MINUTES) * MINUTE_MS,
  });
  const shared = {
    options,
    clock,
    ids,
    random,
    machine,
    report,
    training,
    events,
    sessions,
    terminalWatch: openTerminalWatch(clock),
    over: new AbortController(),
    standIn: openStandIn({ options, clock, ids, random }),
    hosts: () => now.listening?.hosts ?? [],
    origins: () => now.listening?.origins ?? [],
  };
  const practice = training
    ? undefined
    : openTraining({ context: shared, factories, real: till, open: openTillInstance });
  return {
    now,
    context: { ...shared, factories: practice?.factories ?? factories },
    practice,
    page: openPage(given.page ?? builtPage, random),
    gate: openRequestGate(clock),
    failed: Promise.withResolvers(),
  };
};

/**
 * The options of each opening. Once the live till stands beside the test till it is the one that is opened; a terminal,
 * a gateway and a simulated terminal that were named when the test till was started are not for it.
 */
const optionsFor = (given: ServeOptions): ServerContext['options'] => {
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
const healthOf = (
  { now, context }: TillServer,
  { version, training = false, machine = systemMachine }: ServeOptions,
) => {
  const { clock, hosts } = context;
  const till = () => now.instance;
  const isStopping = () => now.isStopping === true;
  const health = openTillHealth({ version, clock, machine, training, till, isStopping });
  return healthApi(health, { hosts, headers: commonHeaders });
};

const answer = async (server: TillServer, request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/api/') && pathname !== '/api') return server.page(request);
  const response = await answerApi(server, request);
  for (const [name, value] of Object.entries(commonHeaders))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
};

/** `owner`: it came over the owner's socket. */
const answerApi = (server: TillServer, request: Request, way: { owner?: true } = {}): Promise<Response> => {
  const { now, gate, practice } = server;
  const till = () => practice?.of(request) ?? now.instance;
  // Whichever till stands once it is let through: it may have waited while the till was opened anew.
  const go = (ends: AbortSignal) =>
    till()?.fetch(request, { ...way, ends }) ?? problemResponse(new Fault('till.stopping'));
  return gate.run(request, go).catch(problemResponse);
};

const refuseDuringSale = (now: Now): void => {
  const { selling } = instanceOf(now).open.services;
  if (underWay(selling).length > 0) throw new Fault('terminal.busy', { command: 'a sale' });
};

const reopen = async (server: TillServer): Promise<void> => {
  const { now, context, gate, failed } = server;
  const check = (): void => refuseDuringSale(now);
  const work = async (): Promise<void> => {
    check();
    const before = instanceOf(now);
    // What is half closed answers nobody, whatever comes of it.
    now.instance = undefined;
    try {
      await before.close();
      if (context.options().dataDir !== before.dataDir) await leaveTestTill(server);
      now.instance = await openTillInstance(context, () => reopen(server));
      await now.owner?.follow(now.instance);
    } catch (error) {
      failed.resolve(error);
      throw error;
    }
  };
  await gate.whenIdle({ check, work });
  for (const what of ['devices', 'sales', 'limits', 'printers', 'machine'] as const)
    context.events.tell({ on: 'changed', what });
};

/** Whoever was let in at the test till signs in again, and training begins anew in the live till's folder. */
const leaveTestTill = async ({ context, practice }: TillServer): Promise<void> => {
  context.sessions.endAll();
  await practice?.close();
};

const closeInPeace = async (server: TillServer): Promise<void> => {
  const { now, context, gate } = server;
  now.isStopping = true;
  gate.shut();
  if (now.instance !== undefined) await endSales(now.instance.open.services.selling, context.events);
  context.over.abort();
  await now.listening?.close();
  await gate.drained();
  await closeServer(server);
};

const closeServer = async ({ now, context, practice }: TillServer): Promise<void> => {
  await now.listening?.close();
  await practice?.close();
  await now.instance?.close();
  context.sessions.close();
  await context.standIn.close();
  // Last of all: it says that everything else is closed.
  await now.owner?.close();
};
