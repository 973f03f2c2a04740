/**
 * A till with its screens: the till itself, its services, the local API, and the page. One process owns a till's
 * folder. It runs until it is closed, and sends waiting messages and inquires about unresolved sales automatically.
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
import { type ListeningServer, listenAt, type ServeAddress, type ServedOwner, serveOwner } from './serve-listen.ts';
import { commonHeaders, openPage, type ServedPage } from './serve-page.ts';
import { openSimulatedTerminal } from './serve-simulated.ts';
import type { Factories } from './services.ts';
import type { RunningTill } from './start-till.ts';
import { openTillHealth } from './till-health.ts';
import { endSales, openTillInstance, type ServerContext, salesInProgress, type TillInstance } from './till-instance.ts';
import { openTraining, type Training } from './training.ts';

export type ServeOptions = ReturnType<ServerContext['options']> & {
  at: ServeAddress;
  /** The folder of the built screens; this program's own if absent. */
  page?: string;
  /** Runs everything in a separate folder with a simulated terminal; the screens say so. */
  training?: boolean;
  /** Opens the test till even if a live till was begun beside it. */
  test?: boolean;
  /** Idle time before the screens lock, ms; from till.json if absent. */
  lockAfterMs?: number;
  /** Opens a session while there are no people; random if absent. */
  startCode?: string;
  services: Factories;
};

export type ServedTill = {
  /** Where the screens are: `http://127.0.0.1:8800/`, or the socket's path. */
  address: string;
  /** Opens the screens while there are no people. Undefined once there are. */
  startCode(): string | undefined;
  /** The socket for its owner's commands; `why` if there is none. */
  ownerSocket(): { path: string | undefined; why?: string };
  /** Resolves when its owner has asked it to stop; whoever serves it then closes it. */
  stopAsked: Promise<void>;
  /** The till that is running now; a restart replaces it. */
  running(): RunningTill;
  /**
   * Closes it and opens it again with its present configuration. Throws `terminal.busy` during a sale, and
   * `till.occupied` when a request in progress does not end in time.
   */
  restart(): Promise<void>;
  /** The number of sales in progress. */
  underWay(): number;
  /** Resolves with the reason if the till could not be reopened; never while it is running. */
  failed: Promise<unknown>;
  /**
   * Begins nothing more, requests the cancellation of running sales, waits for their endings, and closes everything. No
   * sale is interrupted.
   */
  close(): Promise<void>;
};

/** What a restart, or the stop, replaces. */
type CurrentServer = {
  /** Absent while it is reopened. */
  instance?: TillInstance | undefined;
  listening?: ListeningServer;
  owner?: ServedOwner;
  isStopping?: true;
};

/** What is opened before the till and closed after it. */
type TillServer = {
  now: CurrentServer;
  context: ServerContext;
  page: ServedPage;
  gate: RequestGate;
  /** Absent when this is itself a training till. */
  practice: Training | undefined;
  /** Resolved with the reason if the till could not be reopened. */
  failed: PromiseWithResolvers<unknown>;
};

/** Starts the till and serves it. Throws as `startTill`, and `screens.missing`, `screens.port`. */
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
  const handleRequest = async (request: Request) => health(request) ?? answer(server, request);
  const listening = await listenAt(options.at, context.clock, handleRequest);
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
    // No sale is in progress while the till is reopened.
    underWay: () => (now.instance === undefined ? 0 : salesInProgress(now.instance.open.services.selling).length),
    failed: server.failed.promise,
    close() {
      closed ??= closeGracefully(server);
      return closed;
    },
  };
};

const instanceOf = ({ instance }: CurrentServer): TillInstance => {
  if (instance === undefined) throw new Fault('till.stopping');
  return instance;
};

const LOCK_AFTER_MINUTES = 5;
const builtPage = join(import.meta.dirname, '../../dist/ui');

const openServer = (input: ServeOptions): TillServer => {
  const { clock = systemClock, ids = systemIds, random = systemRandom, report = () => {}, training = false } = input;
  const { version, machine, services: factories } = input;
  const now: CurrentServer = {};
  const till = (): TillInstance => instanceOf(now);
  const options = optionsFor(input);
  const events = openEvents(report);
  const sessions = openSessions({
    events,
    clock,
    random,
    report,
    startCode: input.startCode,
    staff: () => till().running.staff,
    posKeys: () => till().open.posKeys,
    shop() {
      const { config, mode, place } = till().running;
      return shopFacts(config, { version, mode: training ? 'training' : mode, ...placeFacts(place) });
    },
    lockAfterMs: () =>
      input.lockAfterMs ?? (till().running.config.screens?.lockAfterMinutes ?? LOCK_AFTER_MINUTES) * MINUTE_MS,
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
    stopping: new AbortController(),
    standIn: openSimulatedTerminal({ options, clock, ids, random }),
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
    page: openPage(input.page ?? builtPage, random),
    gate: openRequestGate(clock),
    failed: Promise.withResolvers(),
  };
};

/**
 * The options of each opening. Once a live till exists beside the test till it is opened instead; a terminal, gateway
 * and simulated terminal named for the test till do not apply to it.
 */
const optionsFor = (input: ServeOptions): ServerContext['options'] => {
  const { test = false, training = false, simulate = training ? 'mpi' : undefined } = input;
  // Whoever asked for the test till beside a live till stays with it; only a test till on its own can go live.
  const staysTest = test && tillFolder(input.dataDir) !== input.dataDir;
  const folder = (): string => tillFolder(input.dataDir, { test: staysTest });
  const initialFolder = folder();
  return () => {
    const dataDir = folder();
    if (training) {
      // A training till moves no money, so its folder may be copied to any machine.
      const { boundTo: _, ...rest } = input;
      return { ...rest, dataDir: join(initialFolder, 'training'), simulate };
    }
    if (dataDir === initialFolder) return { ...input, dataDir, simulate };
    const { terminal: _, gateway: __, simulate: ___, ...rest } = input;
    return { ...rest, dataDir };
  };
};

/** Answers without waiting: while the till is reopened it says so. */
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

/** `owner`: the request came over the owner's socket. */
const answerApi = (server: TillServer, request: Request, source: { owner?: true } = {}): Promise<Response> => {
  const { now, gate, practice } = server;
  const till = () => practice?.tillOf(request) ?? now.instance;
  // Uses the till that exists once the request is let through: it may have waited for a reopening.
  const handle = (ends: AbortSignal) =>
    till()?.fetch(request, { ...source, ends }) ?? problemResponse(new Fault('till.stopping'));
  return gate.run(request, handle).catch(problemResponse);
};

const refuseDuringSale = (now: CurrentServer): void => {
  const { selling } = instanceOf(now).open.services;
  if (salesInProgress(selling).length > 0) throw new Fault('terminal.busy', { command: 'a sale' });
};

const reopen = async (server: TillServer): Promise<void> => {
  const { now, context, gate, failed } = server;
  const check = (): void => refuseDuringSale(now);
  const work = async (): Promise<void> => {
    check();
    const before = instanceOf(now);
    // A half-closed till answers nobody, whatever the outcome.
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

/** People signed in at the test till must sign in again, and training begins anew in the live till's folder. */
const leaveTestTill = async ({ context, practice }: TillServer): Promise<void> => {
  context.sessions.endAll();
  await practice?.close();
};

const closeGracefully = async (server: TillServer): Promise<void> => {
  const { now, context, gate } = server;
  now.isStopping = true;
  gate.shut();
  if (now.instance !== undefined) await endSales(now.instance.open.services.selling, context.events);
  context.stopping.abort();
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
  // Last of all, since it reports that everything else is closed.
  await now.owner?.close();
};
