/** The interface of whatever keeps what the gateway keeps. */
import type { Money } from '../../base/money.ts';
import type { Checkouts, HeldCheckouts } from './checkout-store.ts';
import type { AcquirerMemory, HeldDocuments } from './documents.ts';
import type { HeldNotifications, Notifications } from './notification-store.ts';
import type { Payment, PaymentFacts, Registration } from './records.ts';
import type { ScheduleReader, ScheduleWriter } from './schedule-store.ts';
import type { SettlementReader, SettlementSession } from './settlement-store.ts';
import type { Webhooks } from './webhook-store.ts';

/** A request that must happen once: its key, and a keyed hash of its canonical body. */
export type KeyedRequest = { key: string; fingerprint: string };

/** What an earlier request with this key came to. */
export type EarlierRequest = { fingerprint: string } & (
  | { kind: 'payment'; paymentId: string }
  /** Answered without a payment: these bytes. */
  | { kind: 'answer'; status: number; body: string }
);

export interface Reader {
  payment(id: string): Promise<Payment | undefined>;
  /** What refers to this payment directly and may have happened, oldest first. */
  followersOf(id: string): Promise<readonly Payment[]>;
  registration(id: string): Promise<Registration | undefined>;
}

/** Reads and writes of one transaction. */
export interface Session extends Reader {
  /** The first of these keys that was used, in this order. */
  claimed(keys: readonly string[]): Promise<EarlierRequest | undefined>;
  add(payment: Payment, claims: readonly KeyedRequest[]): Promise<void>;
  /** Keeps an answer that no payment stands for. */
  addAnswer(answer: { status: number; body: string }, claims: readonly KeyedRequest[]): Promise<void>;
  addRegistration(registration: Registration): Promise<void>;
  /** Writes state, keptUntil, sealed and facts anew. */
  changeRegistration(registration: Registration): Promise<void>;
  /** Risk: one event of each of these subjects (keyed hashes) at this time, of this much. */
  addSightings(sightings: readonly Sighting[]): Promise<void>;
  /** How many sightings of the subject there are from `since` on, and their sum in minor units. */
  sightings(of: { entityId: string; subject: string; since: number }): Promise<{ count: number; minor: bigint }>;
  /** The acquirer's memory. Only what is held stays true in a shared store. */
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
  /** What was approved, where it is less than what was asked for: from then on the payment's amount. */
  amount?: Money;
  /** Nothing was done for its request: its claims are free from then on, and an equal request is a new one. */
  frees?: 'claims';
  /** What the approved payment stores; the payment gets its id. */
  registration?: Registration;
};

export type PaymentQuery = {
  /** The channel's, or those of a merchant's channels. */
  entityId: string | readonly string[];
  merchantTransactionId?: string;
  shortId?: string;
  /** All of this chain. */
  rootId?: string;
  /** Wall time, ms, both included. */
  from?: number;
  to?: number;
  paymentTypes?: readonly string[];
  paymentMethods?: readonly string[];
  /** At most so many, after leaving out so many. */
  limit: number;
  offset?: number;
};

export interface Store extends Reader {
  /** Whether other processes work on the same data at the same time. */
  readonly shared: boolean;
  /**
   * All of it or nothing. Works that name the same thing run one after another, in all processes; within one work
   * everything read stays true. On the disk when it resolves.
   */
  atomically<T>(names: readonly string[], work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Ends a payment that is processing; whether it was this that ended it. One that has ended stays as it is, with its
   * claims: the first ending counts.
   */
  finish(id: string, ending: PaymentEnding): Promise<boolean>;
  /** New facts of a payment that is processing and stays so: the shopper has been sent somewhere. */
  note(id: string, facts: PaymentFacts): Promise<void>;
  /** Payments begun before this time (ms) that never ended, oldest first. */
  unfinished(before: number): Promise<readonly Payment[]>;
  /** What fits all of the query, and how many there are in all: of a period the newest first, else the oldest. */
  search(query: PaymentQuery): Promise<{ payments: readonly Payment[]; total: number }>;
  /** Registrations of the channel with this hash that are active. */
  registrationsOf(of: { entityId: string; accountHash: string }): Promise<readonly Registration[]>;
  /** Active registrations sealed under another key than this one, so many: for re-wrapping. */
  sealedUnderOther(keyId: string, limit: number): Promise<readonly Registration[]>;
  /** Active registrations kept until this time (ms) or earlier, the longest overdue first, so many. */
  expiredRegistrations(until: number, limit: number): Promise<readonly Registration[]>;
  /** A small named fact about the whole store, such as which secret it belongs to. */
  fact(name: string): Promise<string | undefined>;
  /** Keeps it if there is none; the one that is kept. */
  keepFact(name: string, value: string): Promise<string>;
  memory: AcquirerMemory;
  readonly checkouts: Checkouts;
  readonly notifications: Notifications;
  readonly schedules: ScheduleReader;
  readonly settlements: SettlementReader;
  readonly webhooks: Webhooks;
  /** Resolves when the engine answers; throws `gateway.state` when it does not. */
  ping(): Promise<void>;
  /**
   * Resolves when something has become durable since it was asked, by itself if by nobody else; throws `gateway.state`
   * when the store takes no writes.
   */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
}
