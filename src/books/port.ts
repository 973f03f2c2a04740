/** What the manager's area needs from a running till. */
import type { DisplayMode } from '../base/mode.ts';
import type { OfflinePolicy } from '../offline/decision.ts';
import type { LimitsParts } from '../offline/port.ts';
import type { DrainCounts, Forwarder } from '../queue/forwarder.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { CardTries } from '../queue/retry-rules.ts';
import type { Resolver } from '../recovery/resolver.ts';
import type { RecordAudit } from '../staff/audit/audit-notes.ts';
import type { Till } from '../till/till.ts';
import type { ClosingGate } from './closing/gate.ts';
import type { SaleRowParts } from './sale-rows.ts';
import type { TerminalBooks } from './till-books.ts';

export type BooksCounter = {
  readonly name: string;
  readonly terminalId: string;
  readonly books: TerminalBooks;
  /** Opens the terminal if it is not open. Throws the link's or device's fault, or `terminal.unpaired`. */
  ready(): Promise<void>;
};

export type BooksTill = Omit<SaleRowParts, 'counters'> & {
  readonly till: Till;
  /** Contains at least the first counter. */
  readonly counters: readonly [BooksCounter, ...BooksCounter[]];
  readonly books: TerminalBooks;
  readonly gate: Pick<ClosingGate, 'salesInProgress'>;
  readonly offline: OfflinePolicy;
  /** Asks the gateway about a sale that nobody made, to see whether it answers. Never rejects. */
  isGatewayReachable(): Promise<boolean>;
  readonly outbox: Outbox;
  readonly forwarder: Pick<Forwarder, 'drain'>;
  readonly tries: CardTries;
  readonly resolver: Resolver;
  /** `compared` waits a few seconds at most, until the gateway has said what it knows about this till. */
  readonly place: { compared(): Promise<void> | undefined };
  /** Open business of other tills that is forwarded from here. */
  readonly takenOver: { sales(): readonly { readonly waiting: boolean }[]; drain(): Promise<DrainCounts> };
};

export type ManagerParts = Omit<LimitsParts, 'running'> & {
  running: BooksTill;
  mode: DisplayMode;
  note: RecordAudit;
  report(error: unknown): void;
};
