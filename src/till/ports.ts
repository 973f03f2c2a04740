/** What the till needs of the world, in its own words. The runtime fits the real parts to these; tests fit twins. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import type { Clock } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import type { ReadEvent, SaleEvent } from './machine/events.ts';
import type { ShopLocation } from './machine/facts.ts';
import type { OfflineVerdict } from './machine/offline-facts.ts';
import type { Sale } from './machine/states.ts';
import type { OfflineAsk } from './offline/limits.ts';
import type { DevicePlace, DeviceSale } from './terminal/device-numbers.ts';

/** Flat parameters under their wire names, host API spec section 2. */
export type Parameters = Readonly<Record<string, string>>;

/** Bytes are sent as hex: the digits are written into the request's body alone, which is overwritten after the call. */
export type CardParameters = Readonly<Record<string, string | Uint8Array>>;

/**
 * What an answer means for the money. `testAnswer`: a live till was answered in test mode, yes or no: no money moved.
 * `liveAnswer`: a test till was answered by a live channel, so money did.
 */
export type Meaning =
  | 'approved'
  | 'declined'
  | 'pending'
  | 'refused'
  | 'later'
  | 'unknown'
  | 'testAnswer'
  | 'liveAnswer';

export type HostReply =
  | {
      kind: 'answered';
      means: Meaning;
      code: string;
      description: string;
      body: Readonly<Record<string, unknown>>;
      /** The gateway's own time as its answer's Date header gave it, ms since 1970. */
      date?: number;
    }
  /** Proved: no byte of the request was accepted, or nothing was done with it. */
  | { kind: 'notSent'; fault: Fault }
  /** Sent, and no valid answer came. */
  | { kind: 'silent'; fault: Fault };

/** Wall time, ms, both included. */
export type Period = { readonly from: number; readonly to: number };

/** As many as one answer to `list` has (spec 2.24). */
export const LIST_MOST = 500;

/**
 * The payment gateway. Nothing here throws: no answer is an answer too. A repeated key, and a repeated request of the
 * same terminal, sequence number, reference and type, must get the first answer again: the till counts on it.
 */
export interface Host {
  pay(parameters: CardParameters, key: string): Promise<HostReply>;
  /** CP, RV or RF on an earlier payment. */
  refer(payment: string, parameters: Parameters, key: string): Promise<HostReply>;
  /** The payments with this merchantTransactionId, in `body.payments`; `linked`: and those that follow them. */
  find(merchantTransactionId: string, linked?: 'linked'): Promise<HostReply>;
  /**
   * The payments of this time, of all terminals, in `body.payments`: wall time, ms, both ends included to the second.
   * At most `LIST_MOST` of them, the newest: with so many in it there may be more.
   */
  list(period: Period): Promise<HostReply>;
  /**
   * What a result code means for the money. A code that nobody has listed is unknown. `body`: the payment that has it
   * in a list, which may say more than its code.
   */
  meaningOf(code: string, body?: unknown): Meaning;
}

/** The one terminal this till sells on. */
export interface Kept<T> {
  /** Open and ready; opened again after a fault. Throws what the driver throws. */
  get(): Promise<T>;
  /** After a fault: closed now, and made ready again by the next `get`. */
  drop(): Promise<void>;
}

export type Terminals = Kept<Terminal>;
export type IntegratedTerminals = Kept<IntegratedTerminal>;

/** A message for the queue. Its key names it, and is the idempotency key of each try. */
export type OutgoingMessage = {
  kind: 'reversal' | 'forward' | 'repeat' | 'follow';
  sale: string;
  key: string;
  body: string;
  secret?: string;
  /** An earlier try may have reached the gateway. */
  tried?: boolean;
  /** The sale that has to be answered before: this one follows it. */
  after?: string;
  /** How often it was answered by nobody who could decide: after each it is a new request. */
  again?: number;
};

/** One event, and what goes with it. */
export type LedgerEntry = {
  sale: string;
  event: SaleEvent;
  message?: OutgoingMessage | undefined;
  /** The key of a message that was never tried: it is taken out of the queue, and what was sealed with it destroyed. */
  withdraw?: string | undefined;
};

/** The journal and the queue as one: an event and what is to be sent because of it are written in one durable step. */
export interface Ledger {
  /** Returns when it is on the disk. Throws `journal.unwritable`; then nothing was written. */
  record(sale: string, event: SaleEvent, message?: OutgoingMessage): void;
  /** Several events, of several sales, in one durable step. */
  recordAll(entries: readonly LedgerEntry[]): void;
  /** The event that settles a queued message, and the message's end, in one durable step. */
  settle(message: string, sale: string, event: SaleEvent): void;
  events(sale: string): ReadEvent[];
  /** As its events tell it; undefined for a sale that there is not. */
  sale(id: string): Sale | undefined;
  saleOfReceipt(receipt: number): string | undefined;
  /** What follows this sale: refunds, a void, a completion …; oldest first. */
  followersOf(sale: string): string[];
  /** The key of this sale's message that waits and was never tried: nobody but the till has heard of it. */
  untried(sale: string): string | undefined;
  /** The key of this sale's message that was set aside for a person; not of one that another till sends. */
  parked(sale: string): string | undefined;
  /** What sales at this device and counter, begun at `since` or later, tell of its numbers and clock; oldest first. */
  atDevice(place: DevicePlace, since: number): DeviceSale[];
  /** Those of them that the device gave this number. */
  ofNumber(place: DevicePlace & { number: string }, since: number): DeviceSale[];
  /** The newest sale there that tells of its number, or of the clock. */
  newestAtDevice(place: DevicePlace, tells: 'number' | 'aheadMs'): DeviceSale | undefined;
  /** Whether a message of this sale waits, or is parked. */
  isQueued(sale: string): boolean;
  /** Sales that are not at an end that needs nothing more. */
  openSales(): string[];
  /** Open sales that a terminal or a person is asked about, oldest first. */
  openQuestions(): string[];
  /** Fresh numbers for a sale on this terminal; they are taken when `intended` is recorded. */
  nextNumbers(terminalId: string): { receipt: number; sequence: number };
}

export type TillParts = {
  /** The card reader; what it reads is sent to the gateway. */
  terminals: Terminals;
  /** The terminal authorises by itself: sales go to it alone, and neither reader nor gateway is asked. */
  integrated?: IntegratedTerminals;
  host: Host;
  ledger: Ledger;
  clock: Clock;
  /** The shop's, an IANA name; the machine's own where none is set. */
  timeZone?: string | undefined;
  ids: Ids;
  terminalId: string;
  /** Where the shop stands, by its configuration: written into each intent. */
  location?: ShopLocation;
  /** Which gateway this till has, channel and address: written into each sale. */
  gateway: string;
  /** Whether this sale, or what follows a payment, may go on without the gateway. */
  offline(ask: OfflineAsk): OfflineVerdict;
  /** How long after a request the gateway may still receive it: before, "not found" proves nothing. */
  requestLifeMs: number;
  /** One try to settle what is unknown, reversals above all: they go before new sales. Never rejects. */
  settleUnknown(): Promise<void>;
  /** Sales that run now, at this counter and at others on the same journal: nobody ends them but their own run. */
  underWay?: Set<string>;
  /** What went wrong at the terminal or in passing. The sale's events say what it meant; this is for the technician. */
  report(error: unknown): void;
};
