/** A started till, as its services and the commands use it. */
import type { Mode } from '../base/mode.ts';
import type { ClosingGate } from '../books/closing/gate.ts';
import type { TerminalBooks } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { SecondCopy } from '../journal/second-copy.ts';
import type { Signer } from '../journal/signing.ts';
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
import type { TakenOverTills } from '../takeover/taken-over-tills.ts';
import type { PlacedTill } from '../takeover/till-on-machine.ts';
import type { UnknownInFile } from '../terminals/checks/unknown-keys-words.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { Till } from '../till/till.ts';
import type { NonEmpty, TillCounter } from './counters.ts';

export type RunningTill = {
  /** Whether it moves real money. */
  mode: Mode;
  /** The till at the first counter; its recovery asks every terminal about unfinished sales. */
  till: Till;
  /** Each counter has a terminal, a till and one sale at a time. Contains at least the first. */
  counters: NonEmpty<TillCounter>;
  /** Whether the gateway answered when it was last asked. */
  line: LineWatch;
  ledger: FullLedger;
  journal: Journal;
  outbox: Outbox;
  forwarder: Forwarder;
  /** How often each card was tried without an approval. */
  tries: CardTries;
  /** Ends unresolved sales, and shows the evidence. */
  resolver: Resolver;
  /** Unfinished sales of other tills that this till took over and sends. */
  takenOver: TakenOverTills;
  /** Present when the configuration names a folder for it. */
  secondCopy: SecondCopy | undefined;
  config: Config;
  /** Keys in till.json and the secrets that this version does not know: reported at the start and in each diagnosis. */
  unknownKeys: readonly UnknownInFile[];
  /** The gateway's address. Undefined for the bundled gateway. */
  gatewayUrl: string | undefined;
  staff: Staff;
  /** Signs what leaves the till for another one. */
  signer: Signer;
  /** Ids of the sales in progress. */
  underWay: ReadonlySet<string>;
  /** Stored sales whose money did not come. */
  unpaid: UnpaidSales;
  /** Batches, X and Z reports. */
  books: TerminalBooks;
  /** The sales in progress, and the new sales that wait for a close. */
  gate: ClosingGate;
  offline: OfflinePolicy;
  /** Whether the till may move money on this machine. */
  place: PlacedTill;
  /** Opens the terminal if it is not open. Throws the link's or device's fault, or `terminal.unpaired`. */
  terminalReady(): Promise<void>;
  /** Asks the gateway about a sale that does not exist, to see whether it answers. Never rejects. */
  isGatewayReachable(): Promise<boolean>;
  /** Asks the gateway about every sale, to see whether both sides agree about the money. */
  audit(): AsyncGenerator<AuditRow>;
  /** Sales that the start found unfinished, with the endings it gave them. */
  recovered: readonly Sale[];
  /** Stored sales whose card data was too old and was destroyed at this start. */
  expired: readonly Sale[];
  /** For a running till: sends the queue as messages fall due, and inquires about unresolved sales automatically. */
  runInBackground(): void;
  close(): Promise<void>;
};
