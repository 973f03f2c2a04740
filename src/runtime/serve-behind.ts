/** What stands behind the local API: a running till and the desks over it. A restart puts another one in its place. */
import { localApi } from '../api/app.ts';
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import { loadConfig } from './config.ts';
import { type Factories, type OpenDesks, openDesks } from './desk/desks.ts';
import type { KeptSessions } from './desk/sessions.ts';
import type { TerminalWatch } from './desk/terminal-watch.ts';
import { type Machine, systemMachine } from './machine.ts';
import { type Simulated, simulateTerminal } from './serve-simulated.ts';
import { type RunningTill, startTill, type TillOptions } from './start-till.ts';

/** What outlives a restart. */
export type Ground = {
  /** As they were given; the folder is the one that is used. */
  options: TillOptions & { version: string; simulate?: string | undefined; simulatedClock?: Clock };
  clock: Clock;
  ids: Ids;
  random: Random;
  machine?: Machine | undefined;
  report(error: unknown): void;
  training: boolean;
  events: Events;
  terminalWatch: TerminalWatch;
  sessions: KeptSessions;
  factories: Factories;
  standIn: StandIn;
  hosts(): readonly string[];
  origins(): readonly string[];
  restart(): Promise<void>;
  /** Aborted when the till is stopped: streams end then, with all that was told. */
  over: AbortController;
};

export type Behind = {
  running: RunningTill;
  open: OpenDesks;
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
};

/** Opens the till and the desks over it. Throws what `startTill` throws; then nothing is left open. */
export const openBehind = async (ground: Ground): Promise<Behind> => {
  const { options, factories, sessions, standIn, machine = systemMachine, hosts, origins, over, ...rest } = ground;
  const { clock, ids, random, report, terminalWatch } = rest;
  const { dataDir, version } = options;
  const simulated = await standIn.address();
  const running = await startTill({
    ...options,
    ...{ clock, ids, random, report, terminalWatch, machine },
    ...(simulated !== undefined && { terminal: simulated }),
  });
  try {
    const open = openDesks(factories, {
      ...rest,
      mode: rest.training ? 'training' : running.mode,
      running,
      dataDir,
      machine,
      version,
      simulated,
    });
    const api = localApi({ ...open.desks, sessions }, { hosts, origins, clock, over: over.signal });
    running.attend();
    return {
      running,
      open,
      fetch: (request) => api.fetch(request),
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

/** The simulated terminal, as long as none is paired and none was named. */
export type StandIn = { address(): Promise<string | undefined>; close(): Promise<void> };

type StandInParts = Pick<Ground, 'options' | 'clock' | 'ids' | 'random'>;

export const openStandIn = ({ options, clock, ids, random }: StandInParts): StandIn => {
  const { dataDir, simulate: protocol, simulatedClock = clock, terminal } = options;
  let standing: Simulated | undefined;
  return {
    async address() {
      if (protocol === undefined || terminal !== undefined) return undefined;
      if (loadConfig(dataDir, ids).terminal !== undefined) return undefined;
      standing ??= await simulateTerminal({ protocol, dataDir, clock: simulatedClock, random });
      return standing.address;
    },
    close: async () => standing?.close(),
  };
};
