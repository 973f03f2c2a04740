/** The interface of the gateway's store. */
import type { Money } from '../../base/money.ts';
import type { Checkouts, HeldCheckouts } from './checkout-store.ts';
import type { AcquirerMemory, HeldDocuments } from './documents.ts';
import type { HeldNotifications, Notifications } from './notification-store.ts';
import type { Payment, PaymentFacts, Registration } from './records.ts';
import type { ScheduleReader, ScheduleWriter } from './schedule-store.ts';
import type { SettlementReader, SettlementSession } from './settlement-store.ts';
import type { Webhooks } from './webhook-store.ts';

/** A request that must take effect once: its key, and a keyed hash of its canonical body. */
export type KeyedRequest = { key: string; fingerprint: string };

/** The outcome of an earlier request with this key. */
export type EarlierRequest = { fingerprint: string } & (
  | { kind: 'payment'; paymentId: string }
  /** Answered without a payment: these bytes. */
  | { kind: 'answer'; status: number; body: string }
);

export interface Reader {
  payment(id: string): Promise<Payment | undefined>;
  /** Follow-ups of this payment that may have happened, oldest first. */
  followersOf(id: string): Promise<readonly Payment[]>;
  registration(id: string): Promise<Registration | undefined>;
}

/** Reads and writes of one transaction. */
export interface Session extends Reader {
  /** The first of these keys that was used, in this order. */
  findClaimed(keys: readonly string[]): Promise<EarlierRequest | undefined>;
  add(payment: Payment, claims: readonly KeyedRequest[]): Promise<void>;
  /** Stores an answer without a payment. */
  addAnswer(answer: { status: number; body: string }, claims: readonly KeyedRequest[]): Promise<void>;
  addRegistration(registration: Registration): Promise<void>;
  /** Overwrites state, keptUntil, sealed and facts. */
  changeRegistration(registration: Registration): Promise<void>;
  /** Risk: one event for each of these subjects (keyed hashes) at this time, with this amount. */
  addSightings(sightings: readonly Sighting[]): Promise<void>;
  /** The number of sightings of the subject from `since` on, and their sum in minor units. */
  sightings(key: { entityId: string; subject: string; since: number }): Promise<{ count: number; minor: bigint }>;
  /** The acquirer's memory. In a shared store, only locked documents stay unchanged. */
  readonly documents: HeldDocuments;
  readonly checkouts: HeldCheckouts;
  readonly notifications: HeldNotifications;
  readonly schedules: ScheduleWriter;
  readonly settlements: SettlementSession;
}

export type Sighting = { entityId: string; subject: string; at: number; minor: bigint };

export type PaymentEnding = {
  resultCode: string;
  facts: PaymentFacts;
  /** The approved amount, if it is less than the requested one: from then on the payment's amount. */
  amount?: Money;
  /** Nothing was done for its request: its claims are released, and an equal request is a new one. */
  releases?: 'claims';
  /** The registration that the approved payment stores; the payment gets its id. */
  registration?: Registration;
};

export type PaymentQuery = {
  /** The channel, or all channels of a merchant. */
  entityId: string | readonly string[];
  merchantTransactionId?: string;
  shortId?: string;
  /** All payments of this chain. */
  rootId?: string;
  /** Wall time, ms, both included. */
  from?: number;
  to?: number;
  paymentTypes?: readonly string[];
  paymentMethods?: readonly string[];
  /** At most `limit`, after skipping `offset`. */
  limit: number;
  offset?: number;
};

export interface Store extends Reader {
  /** Whether other processes use the same data at the same time. */
  readonly shared: boolean;
  /**
   * Atomic. Transactions that name the same thing run one after another, in all processes; within one transaction all
   * that was read stays unchanged. Durable when it resolves.
   */
  transact<T>(names: readonly string[], work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Ends a payment that is processing; returns whether this call ended it. An ended payment stays as it is, with its
   * claims: the first ending counts.
   */
  finish(id: string, ending: PaymentEnding): Promise<boolean>;
  /** New facts of a payment that stays processing: the shopper was redirected. */
  note(id: string, facts: PaymentFacts): Promise<void>;
  /** Payments that started before this time (ms) and never ended, oldest first. */
  unfinished(before: number): Promise<readonly Payment[]>;
  /** One page of the matching payments, and their total number: for a period the newest first, otherwise the oldest. */
  search(query: PaymentQuery): Promise<{ payments: readonly Payment[]; total: number }>;
  /** The channel's active registrations with this hash. */
  registrationsOf(key: { entityId: string; accountHash: string }): Promise<readonly Registration[]>;
  /** Active registrations encrypted under another key than this one, at most `limit`: for re-wrapping. */
  sealedUnderOther(keyId: string, limit: number): Promise<readonly Registration[]>;
  /** Active registrations kept until this time (ms) or earlier, the longest overdue first, at most `limit`. */
  expiredRegistrations(until: number, limit: number): Promise<readonly Registration[]>;
  /** A small named fact about the whole store, such as which secret it belongs to. */
  fact(name: string): Promise<string | undefined>;
  /** Stores the fact if there is none; returns the stored one. */
  keepFact(name: string, value: string): Promise<string>;
  memory: AcquirerMemory;
  readonly checkouts: Checkouts;
  readonly notifications: Notifications;
  readonly schedules: ScheduleReader;
  readonly settlements: SettlementReader;
  readonly webhooks: Webhooks;
  /** Resolves when the engine answers; throws `gateway.state` if it does not. */
  ping(): Promise<void>;
  /**
   * Resolves when something has become durable since the call, if need be by a write of its own; throws `gateway.state`
   * if the store accepts no writes.
   */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
}
