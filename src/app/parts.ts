/**
 * What every service behind the local API is made of. A service is one area's port over a running till: selling, books,
 * devices, paper, the store's people. `src/app/serve.ts` makes them all, and makes them anew after a restart.
 */
import type { Events } from '../api/ports/events.ts';
import type { Random } from '../base/ids.ts';
import type { Machine } from '../folder/machine.ts';
import type { TerminalsParts } from '../terminals/port.ts';
import type { RunningTill } from './start-till.ts';

/** What the rooms ask for in their ports; the technician's area asks for nearly all of it. */
export type ServiceParts = Omit<TerminalsParts, 'running' | 'events'> & {
  running: RunningTill;
  random: Random;
  machine: Machine;
  /** What the screens are told, and where services hear of one another. It outlives a restart. */
  events: Events;
};

/** A service that holds timers or listeners lets go of them before the till under it is closed. */
export type Closing = { close?(): void | Promise<void> };
