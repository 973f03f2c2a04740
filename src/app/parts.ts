/**
 * What every desk behind the local API is made of. A desk is one area's port over a running till: selling, books,
 * devices, paper, the store's people. `src/app/serve.ts` makes them all, and makes them anew after a restart.
 */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { ShownMode } from '../base/mode.ts';
import type { Machine } from '../folder/machine.ts';
import type { Noted } from '../staff/audit/noted.ts';
import type { TerminalWatch } from '../terminals/terminal-watch.ts';
import type { RunningTill } from './start-till.ts';

export type DeskParts = {
  running: RunningTill;
  /** Folder of the till's journal, `till.json` and whatever else a desk keeps beside them. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  machine: Machine;
  /** The till was started with it: its terminals’ conversations, and their loans. It outlives a restart. */
  terminalWatch: TerminalWatch;
  /** What the screens are told, and where desks hear of one another. It outlives a restart. */
  events: Events;
  /** Writes down who did what; it stands in the audit list. Throws `journal.unwritable`. */
  note: Noted;
  /** What failed in passing: for the technician. */
  report(error: unknown): void;
  /** Of this program. */
  version: string;
  /** Address of the simulated terminal that stands in because none is paired; screens say SIMULATED. */
  simulated?: string | undefined;
  /** A simulated terminal would stand in here once somebody asked for it. */
  offersSimulated?: boolean | undefined;
  /** Whether money moves here; `training` for a training till. */
  mode: ShownMode;
  /**
   * Closes the till and opens it again with the configuration as it is then; sessions and listeners stay. For what
   * takes effect at a start: a terminal that was paired, an imported configuration. Waits for the requests that are
   * under way, the one that asks included: do not await it inside a request. Throws `terminal.busy` during a sale, and
   * `till.occupied` where a request does not end in time.
   */
  restart(): Promise<void>;
};

/** A desk that holds timers or listeners lets go of them before the till under it is closed. */
export type Closing = { close?(): void | Promise<void> };
