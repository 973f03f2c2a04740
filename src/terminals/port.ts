/** What the technician's area needs of a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { PairedDevice } from '../folder/config.ts';
import type { Binding } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { PlainGateway } from '../line/plain-gateway.ts';
import type { Noted } from '../staff/audit/noted.ts';
import type { UnknownInFile } from './checks/unknown-keys-words.ts';
import type { Presence } from './presence.ts';
import type { TerminalWatch } from './terminal-watch.ts';

/** A counter with its terminal. */
export type TerminalCounter = {
  /** `T1`, `T2` … in the order of till.json. */
  readonly name: string;
  /** pos.terminalId: sequence numbers and batches go by it. */
  readonly terminalId: string;
  /** What was paired here; absent for a terminal that was named on the command line, or none. */
  readonly device?: PairedDevice;
  /** The terminal authorises by itself. */
  readonly integrated: boolean;
  readonly till: { isSelling(): boolean };
  presence(): Presence;
  /** Opens the terminal if it is not open. Throws the fault of the link or device, or `terminal.unpaired`. */
  ready(): Promise<void>;
};

export type TerminalsTill = {
  readonly journal: Journal;
  readonly ledger: FullLedger;
  readonly counters: readonly TerminalCounter[];
  /** Whether it may move money where it is. `comparison` is undefined where the till was not told its machine. */
  readonly place: {
    readonly binding: Binding;
    readonly comparison: unknown;
    readonly plain: Pick<PlainGateway, 'refusal'>;
  };
  /** What this version does not know of till.json and of the secrets. */
  readonly unknownKeys: readonly UnknownInFile[];
  /** Address of its gateway; undefined where it is the one in the box. */
  readonly gatewayUrl: string | undefined;
  /** Asks the gateway about a sale that nobody made: whether it answers. Never rejects. */
  hearsGateway(): Promise<boolean>;
};

export type TerminalsParts = {
  running: TerminalsTill;
  /** Folder of the till's journal, `till.json` and whatever else a room keeps beside them. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  /** The terminals’ conversations, and their loans. It outlives a restart. */
  terminalWatch: TerminalWatch;
  events: Pick<Events, 'tell'>;
  /** Writes down who did what; it stands in the audit list. Throws `journal.unwritable`. */
  note: Noted;
  /** What failed in passing: for the technician. */
  report(error: unknown): void;
  /** Of this program. */
  version: string;
  /** Address of the simulated terminal that stands in because none is paired. */
  simulated?: string | undefined;
  /** A simulated terminal would stand in here once somebody asked for it. */
  offersSimulated?: boolean | undefined;
  /** Whether money moves here; `training` for a training till. */
  mode: DisplayMode;
  /**
   * Closes the till and opens it again with the configuration as it is then; sessions and listeners stay. For what
   * takes effect at a start: a terminal that was paired, an imported configuration. Waits for the requests that are
   * under way, the one that asks included: do not await it inside a request. Throws `terminal.busy` during a sale, and
   * `till.occupied` where a request does not end in time.
   */
  restart(): Promise<void>;
};
