/** The interfaces that the till needs from outside. The runtime supplies the real parts; tests supply their own. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Terminal } from '../../drivers/terminal.ts';
import type { Clock } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Ids } from '../base/ids.ts';
import type { ReadEvent, SaleEvent } from './machine/events.ts';
import type { ShopLocation } from './machine/facts.ts';
import type { OfflineVerdict } from './machine/offline-facts.ts';
import type { Sale } from './machine/states.ts';
import type { OfflineTry } from './offline/limits.ts';
import type { DevicePlace, DeviceSale } from './terminal/device-numbers.ts';

/** Flat parameters under their wire names, host API spec section 2. */
export type Parameters = Readonly<Record<string, string>>;

/** Bytes are sent as hex: the digits are written only into the request's body, which is overwritten after the call. */
export type CardParameters = Readonly<Record<string, string | Uint8Array>>;

/**
 * What an answer means for the money. `testAnswer`: a live till was answered in test mode, with an approval or not: no
 * money moved. `liveAnswer`: a test till was answered by a live channel, so money moved.
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
      /** The gateway's own time in its answer's Date header, ms since 1970. */
      date?: number;
    }
  /** Proved: no byte of the request was accepted, or nothing was done with it. */
  | { kind: 'notSent'; fault: Fault }
  /** Sent, and no valid answer came. */
  | { kind: 'silent'; fault: Fault };

/** Wall time, ms, both included. */
export type Period = { readonly from: number; readonly to: number };

/** The most payments in one answer to `list` (spec 2.24). */
export const LIST_MOST = 500;

/**
 * The payment gateway. Nothing here throws: no answer is also a result. A repeated key, and a repeated request with the
 * same terminal, sequence number, reference and type, must get the first answer again: the till relies on it.
 */
export interface Host {
  pay(parameters: CardParameters, key: string): Promise<HostReply>;
  /** CP, RV or RF on an earlier payment. */
  refer(payment: string, parameters: Parameters, key: string): Promise<HostReply>;
  /** The payments with this merchantTransactionId, in `body.payments`; `linked`: also those that follow them. */
  find(merchantTransactionId: string, linked?: 'linked'): Promise<HostReply>;
  /**
   * The payments of this period, of all terminals, in `body.payments`: wall time, ms, both ends included to the second.
   * At most `LIST_MOST` of them, the newest: a full list may be incomplete.
   */
  list(period: Period): Promise<HostReply>;
  /**
   * What a result code means for the money. An unlisted code is unknown. `body`: the payment in a list that has the
   * code, which may say more than the code.
   */
  meaningOf(code: string, body?: unknown): Meaning;
}

/** The one terminal that this till sells on. */
export interface KeptTerminal<T> {
  /** The terminal, open and ready; opened again after a fault. Throws what the driver throws. */
  get(): Promise<T>;
  /** Call it after a fault: the terminal is closed now, and opened again by the next `get`. */
  drop(): Promise<void>;
}

export type Terminals = KeptTerminal<Terminal>;
export type IntegratedTerminals = KeptTerminal<IntegratedTerminal>;

/** A message for the queue. Its key names it, and is the idempotency key of each try. */
export type OutgoingMessage = {
  kind: 'reversal' | 'forward' | 'repeat' | 'follow';
  sale: string;
  key: string;
  body: string;
  secret?: string;
  /** An earlier try may have reached the gateway. */
  tried?: boolean;
  /** The sale that must be answered first, because this message's sale follows it. */
  after?: string;
  /** How many answers came from someone who could not decide: after each, the next try is a new request. */
  again?: number;
};

/** One event, and what is written with it. */
export type LedgerEntry = {
  sale: string;
  event: SaleEvent;
  message?: OutgoingMessage | undefined;
  /** The key of a message that was never tried: it is removed from the queue, and its sealed content destroyed. */
  withdraw?: string | undefined;
};

/** The journal and the queue together: an event and the messages it causes are written in one durable step. */
export interface Ledger {
  /** Returns when it is on the disk. Throws `journal.unwritable`; then nothing was written. */
  record(sale: string, event: SaleEvent, message?: OutgoingMessage): void;
  /** Several events, of several sales, in one durable step. */
  recordAll(entries: readonly LedgerEntry[]): void;
  /** The event that settles a queued message, and the removal of the message, in one durable step. */
  settle(message: string, sale: string, event: SaleEvent): void;
  events(sale: string): ReadEvent[];
  /** The sale after its events; undefined when there is none. */
  sale(id: string): Sale | undefined;
  saleOfReceipt(receipt: number): string | undefined;
  /** What follows this sale: refunds, a void, a completion …; oldest first. */
  followersOf(sale: string): string[];
  /** The key of this sale's waiting message that was never tried: only the till knows of it. */
  untriedMessage(sale: string): string | undefined;
  /** The key of this sale's parked message; not of one that another till sends. */
  parkedMessage(sale: string): string | undefined;
  /**
   * What sales at this device and counter, begun at `since` or later, say about its numbers and clock; oldest first.
   */
  salesAtDevice(place: DevicePlace, since: number): DeviceSale[];
  /** Those of these sales to which the device gave this number. */
  salesOfNumber(place: DevicePlace & { number: string }, since: number): DeviceSale[];
  /** The newest sale there with data about its number or clock. */
  newestAtDevice(place: DevicePlace, field: 'number' | 'aheadMs'): DeviceSale | undefined;
  /** Whether a message of this sale waits, or is parked. */
  isQueued(sale: string): boolean;
  /** Sales that are unfinished or whose ending still needs something. */
  openSales(): string[];
  /** Open sales about which a terminal or a person is asked, oldest first. */
  openQuestions(): string[];
  /** Fresh numbers for a sale on this terminal; they are used when `intended` is recorded. */
  nextNumbers(terminalId: string): { receipt: number; sequence: number };
}

export type TillParts = {
  /** The card reader; the cards that it reads are sent to the gateway. */
  terminals: Terminals;
  /** The terminal authorises by itself: sales go only to it, and neither reader nor gateway is asked. */
  integrated?: IntegratedTerminals;
  host: Host;
  ledger: Ledger;
  clock: Clock;
  /** The shop's time zone, an IANA name; the machine's own where none is set. */
  timeZone?: string | undefined;
  ids: Ids;
  terminalId: string;
  /** The shop's configured location, written into each intent. */
  location?: ShopLocation;
  /** This till's gateway, channel and address: written into each sale. */
  gateway: string;
  /** Whether this sale or follow-up may go on without the gateway. */
  offline(ask: OfflineTry): OfflineVerdict;
  /** How long after a request the gateway can still receive it: until then "not found" proves nothing. */
  requestLifeMs: number;
  /** One try to settle what is unknown, reversals above all: called before a new sale. Never rejects. */
  settleUnknown(): Promise<void>;
  /** Sales running now, at this counter and at others on the same journal: only their own run ends them. */
  underWay?: Set<string>;
  /** Receives errors at the terminal and in passing. The sale's events have their meaning; this is for technicians. */
  report(error: unknown): void;
};
