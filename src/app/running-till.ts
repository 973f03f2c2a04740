/** A till that was started: what the services over it, and the commands, work with. */
import type { Mode } from '../base/mode.ts';
import type { ClosingGate } from '../books/closing/gate.ts';
import type { TerminalBooks } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { SecondCopy } from '../journal/second-copy.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { LineWatch } from '../line/host.ts';
import type { OfflinePolicy } from '../offline/decision.ts';
import type { UnpaidSales } from '../offline/unpaid-sales.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { CardTries } from '../queue/retry-rules.ts';
import type { AuditRow } from '../recovery/audit.ts';
import type { Resolver } from '../recovery/resolver.ts';
import type { Staff } from '../staff/running.ts';
import type { PlacedTill } from '../takeover/placed-till.ts';
import type { TakenOverTills } from '../takeover/taken-over-tills.ts';
import type { UnknownInFile } from '../terminals/checks/unknown-keys-words.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { Till } from '../till/till.ts';
import type { Several, TillCounter } from './counters.ts';

export type RunningTill = {
  /** Whether it moves money. */
  mode: Mode;
  /** At the first counter; what terminals left open it asks for at every one. */
  till: Till;
  /** Each with a terminal, a till and one sale at a time of its own: at least the first. */
  counters: Several<TillCounter>;
  /** Whether the gateway was there when it was last asked. */
  line: LineWatch;
  ledger: FullLedger;
  journal: Journal;
  outbox: Outbox;
  forwarder: Forwarder;
  /** How often each card was asked about without a yes. */
  tries: CardTries;
  /** Brings what is unknown to an end, and shows the evidence. */
  resolver: Resolver;
  /** Open business of other tills, forwarded from here. */
  takenOver: TakenOverTills;
  /** Where the configuration names a place for one. */
  secondCopy: SecondCopy | undefined;
  config: Config;
  /** What this version does not know of till.json and of the secrets: told at the start, and in each diagnosis. */
  unknownKeys: readonly UnknownInFile[];
  /** Address of its gateway; undefined where it is the one in the box. */
  gatewayUrl: string | undefined;
  staff: Staff;
  /** Stored sales whose money did not come. */
  unpaid: UnpaidSales;
  /** Batches, X and Z reports. */
  books: TerminalBooks;
  /** The sales in progress, and what a close keeps back. */
  gate: ClosingGate;
  offline: OfflinePolicy;
  /** Whether it may move money where it is. */
  place: PlacedTill;
  /** Opens the terminal if it is not open. Throws the fault of the link or device, or `terminal.unpaired`. */
  terminalReady(): Promise<void>;
  /** Asks the gateway about a sale that nobody made: whether it answers. Never rejects. */
  hearsGateway(): Promise<boolean>;
  /** Asks the gateway about every sale: whether both sides tell the same of the money. */
  audit(): AsyncGenerator<AuditRow>;
  /** Sales that the start found unfinished, as it ended them. */
  recovered: readonly Sale[];
  /** Stored sales whose card data was older than it may be: it was destroyed on this start. */
  expired: readonly Sale[];
  /** For a till that stays: the queue is sent as it falls due, and what is unknown is asked about by itself. */
  attend(): void;
  close(): Promise<void>;
};
