/** What is behind the local API: a running till and its services. A restart replaces it. */
import type { Env } from '../api/actor.ts';
import type { AnswerCheck } from '../api/answers.ts';
import { localApi } from '../api/app.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import type { Events } from '../api/ports/events.ts';
import type { SellingPort } from '../api/ports/selling.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import { type Machine, systemMachine } from '../folder/machine.ts';
import type { SessionManager } from '../staff/sessions/sessions.ts';
import { openMachine } from '../takeover/machine.ts';
import type { TerminalWatch } from '../terminals/terminal-watch.ts';
import { openGoingLive } from './going-live/service.ts';
import type { SimulatedTerminal, SimulateOptions } from './serve-simulated.ts';
import { type Factories, type OpenServices, openServices } from './services.ts';
import { type RunningTill, startTill, type TillOptions } from './start-till.ts';

type InstanceOptions = TillOptions &
  SimulateOptions & {
    version: string;
    /** Checks each answer of the local API against its contract: for tests. */
    answerCheck?: AnswerCheck;
  };

/** What survives a restart. */
export type ServerContext = {
  /** The options as given, with the folder in use: read at each opening, since the till may have gone live. */
  options(): InstanceOptions;
  clock: Clock;
  ids: Ids;
  random: Random;
  machine?: Machine | undefined;
  report(error: unknown): void;
  training: boolean;
  /** A single command opened it for itself: it sends, asks and prints only what the command requires. */
  unattended?: true;
  events: Events;
  terminalWatch: TerminalWatch;
  sessions: SessionManager;
  factories: Factories;
  standIn: SimulatedTerminal;
  hosts(): readonly string[];
  origins(): readonly string[];
  /** Aborted when the till is stopped: streams then end, after everything was sent. */
  stopping: AbortController;
};

/** How a request came, and when it must end. */
type Bindings = Env['Bindings'];

export type TillInstance = {
  /** The folder that was opened. */
  dataDir: string;
  running: RunningTill;
  open: OpenServices;
  fetch(request: Request, bindings?: Bindings): Response | Promise<Response>;
  close(): Promise<void>;
};

/**
 * Opens the till and its services; `restart` is for services that request one. Throws as `startTill` does; then nothing
 * is left open.
 */
export const openTillInstance = async (context: ServerContext, restart: () => Promise<void>): Promise<TillInstance> => {
  const { factories, sessions, standIn, machine = systemMachine, hosts, origins, stopping, ...more } = context;
  const { options: optionsNow, ...rest } = more;
  const { clock, ids, random, report, terminalWatch } = rest;
  const options = optionsNow();
  const { dataDir, version } = options;
  let simulated: string | undefined;
  const running = await startTill({
    ...options,
    clock,
    ids,
    random,
    report,
    terminalWatch,
    machine,
    async standIn(mode) {
      simulated = await standIn.address(mode);
      return simulated;
    },
  });
  try {
    const open = openServices(factories, {
      ...rest,
      restart,
      mode: rest.training ? 'training' : running.mode,
      running,
      dataDir,
      machine,
      version,
      simulated,
      offersSimulated: standIn.isOffered(running.mode),
    });
    const goingLive = openGoingLive({
      running,
      dataDir,
      clock,
      ids,
      random,
      report,
      sealKey: options.sealKey,
      open: options.open,
      mode: rest.training ? 'training' : running.mode,
      restart,
      isSelling: () => salesInProgress(open.services.selling).length > 0,
    });
    const machineService = openMachine({
      running,
      clock,
      report,
      restart,
      isSelling: () => salesInProgress(open.services.selling).length > 0,
      changed() {
        for (const what of ['sales', 'batches', 'openItems', 'machine'] as const)
          rest.events.tell({ on: 'changed', what });
      },
    });
    const api = localApi(
      { ...open.services, goingLive, machine: machineService, sessions },
      { hosts, origins, clock, over: stopping.signal, answerCheck: options.answerCheck },
    );
    running.place.comparison?.changed(() => rest.events.tell({ on: 'changed', what: 'machine' }));
    if (context.unattended !== true) running.runInBackground();
    return {
      running,
      open,
      dataDir,
      fetch: (request, bindings) => api.fetch(request, bindings),
      async close() {
        try {
          await open.close();
        } finally {
          await running.close();
        }
      },
    };
  } catch (error) {
    await running.close();
    throw error;
  }
};

// When a till stops, the cancellation of its sales is requested, and each ending is waited for, because only the ending
// tells what happened.

const isOpen = ({ result }: LiveSale): boolean => result === undefined;

export const salesInProgress = (selling: Pick<SellingPort, 'live'>): LiveSale[] => selling.live().filter(isOpen);

/**
 * Resolves when every sale has its ending, however long that takes: an interrupted sale would be inquired about for
 * days.
 */
export const endSales = async (
  selling: Pick<SellingPort, 'live' | 'cancel' | 'endWaits'>,
  events: Pick<Events, 'listen'>,
): Promise<void> => {
  selling.endWaits?.();
  for (const sale of salesInProgress(selling)) selling.cancel(sale.id);
  const lastSaleEnded = Promise.withResolvers<void>();
  const checkSales = (): void => {
    if (salesInProgress(selling).length === 0) lastSaleEnded.resolve();
  };
  const stop = events.listen(checkSales);
  checkSales();
  await lastSaleEnded.promise;
  stop();
};
