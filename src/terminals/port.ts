/** What the technician's area needs from a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { PairedDevice } from '../folder/config.ts';
import type { Binding } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { PlainGateway } from '../line/plain-gateway.ts';
import type { RecordAudit } from '../staff/audit/audit-notes.ts';
import type { UnknownInFile } from './checks/unknown-keys-words.ts';
import type { Presence } from './presence.ts';
import type { TerminalWatch } from './terminal-watch.ts';

export type TerminalCounter = {
  /** `T1`, `T2` and so on, in the order of till.json. */
  readonly name: string;
  /** The pos.terminalId that sequence numbers and batches use. */
  readonly terminalId: string;
  /** The device paired here. Absent for a terminal named on the command line, or none. */
  readonly device?: PairedDevice;
  /** Whether the terminal authorises by itself. */
  readonly integrated: boolean;
  readonly till: { isSelling(): boolean };
  presence(): Presence;
  /** Opens the terminal if it is not open. Throws the link's or device's fault, or `terminal.unpaired`. */
  ready(): Promise<void>;
};

export type TerminalsTill = {
  readonly journal: Journal;
  readonly ledger: FullLedger;
  readonly counters: readonly TerminalCounter[];
  /** Whether the till may move money on this machine. `comparison` is undefined if the machine is unknown. */
  readonly place: {
    readonly binding: Binding;
    readonly comparison: unknown;
    readonly plain: Pick<PlainGateway, 'refusalFault'>;
  };
  /** Keys in till.json and the secrets that this version does not know. */
  readonly unknownKeys: readonly UnknownInFile[];
  /** The address of its gateway. Undefined for the bundled gateway. */
  readonly gatewayUrl: string | undefined;
  /** Asks the gateway about a sale that does not exist, to see whether it answers. Never rejects. */
  isGatewayReachable(): Promise<boolean>;
};

export type TerminalsParts = {
  running: TerminalsTill;
  /** The folder of the till's journal, `till.json` and other files. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  /** The traces of the terminals, and their loans. Survives a restart of the till. */
  terminalWatch: TerminalWatch;
  events: Pick<Events, 'tell'>;
  /** Records who did what, for the audit list. Throws `journal.unwritable`. */
  note: RecordAudit;
  /** Reports incidental failures to the technician. */
  report(error: unknown): void;
  version: string;
  /** The address of the simulated terminal used because none is paired. */
  simulated?: string | undefined;
  /** A simulated terminal could be used here if somebody asked for it. */
  offersSimulated?: boolean | undefined;
  /** Whether money moves here; `training` for a training till. */
  mode: DisplayMode;
  /**
   * Closes the till and opens it again with its present configuration; sessions and listeners stay. For changes that
   * apply at a start, such as a paired terminal or an imported configuration. Waits for the requests in progress,
   * including the one that calls it: do not await it inside a request. Throws `terminal.busy` during a sale, and
   * `till.occupied` when a request does not end in time.
   */
  restart(): Promise<void>;
};
