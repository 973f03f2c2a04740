/** Webhooks: the URLs that are told of events, the events, and what became of each attempt to deliver one. */
import type { SealedAccount } from './records.ts';

export const EVENT_TYPES = ['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type Webhook = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  name?: string;
  url: string;
  types: readonly EventType[];
  /** NON_CUSTOMER_DATA leaves out who the shopper is and where they live. */
  fields: 'ALL' | 'NON_CUSTOMER_DATA';
  /** What the body is: hex digits, or `{"encryptedBody":"…"}`. */
  wrapper: 'RAW' | 'JSON';
  /** Events are made for active ones only. */
  state: 'inactive' | 'active' | 'removed';
  /** Wall time of its registration, ms. */
  at: number;
  /** 64 hex digits, sealed. Absent once removed. */
  secret?: SealedAccount;
  /** The secret that takes its place at a time, wall time, ms. */
  next?: { secret: SealedAccount; from: number };
  /** Rounds in which nobody answered there, one after another; and when the next one is due, wall time, ms. */
  failures: number;
  retryAt: number;
};

export type WebhookEvent = {
  sequence: bigint;
  webhookId: string;
  /** 32 lower-case hex digits. */
  id: string;
  type: EventType;
  action?: 'CREATED' | 'UPDATED' | 'DELETED';
  /** The payment, registration or schedule. */
  subject: string;
  /** The row as it stood then, JSON. */
  snapshot: string;
  state: 'waiting' | 'delivered' | 'dead';
  /** Counts this URL's events from 1, without gaps. */
  number: number;
  /** When it was first seen, and when no further attempt is made, wall time, ms. */
  at: number;
  givesUpAt: number;
  attempts: number;
};

/** What came of one attempt. */
export type Attempt = {
  eventId: string;
  number: number;
  /** 1, 2, … for this event. */
  attempt: number;
  at: number;
  durationMs: number;
} & ({ status: number } | { fault: string; why: string });

/** What became of an event: it is over, or waits; without `dueAt` for its URL. */
export type SettledEvent = { event: WebhookEvent; attempt: Attempt } & (
  | { state: 'delivered' | 'dead' }
  | { state: 'waiting'; dueAt?: number }
);

export type Settling = {
  webhookId: string;
  at: number;
  settled: readonly SettledEvent[];
  failures: number;
  retryAt: number;
};

/** Which events are to be delivered once more. */
export type Resend = { webhookId: string; at: number; givesUpAt: number } & (
  | { eventId: string }
  /** All that were given up. */
  | { dead: true }
  /** Seen between these times, whatever became of them. */
  | { from: number; to: number }
);

export interface Webhooks {
  /** Whether it was added: not if its channel has `most` already. */
  add(webhook: Webhook, most?: number): Promise<boolean>;
  byId(id: string): Promise<Webhook | undefined>;
  /** Those of a channel that are not removed, oldest first; of all channels without one. */
  list(entityId?: string): Promise<readonly Webhook[]>;
  /** Reads it, lets `change` say what it is to be, and writes that; undefined leaves it. Alone among all changes. */
  change(id: string, change: (webhook: Webhook) => Webhook | undefined): Promise<Webhook | undefined>;
  /** Whether any is active; and which of the active ones have something to do at this time. */
  active(): Promise<boolean>;
  ready(now: number): Promise<readonly Webhook[]>;
  /** Takes a URL for this gateway until a time, unless another has it; whether it is this one's now. */
  lease(of: { id: string; holder: string; now: number; until: number }): Promise<boolean>;
  release(id: string, holder: string): Promise<void>;
  /** Gives so many new events their numbers, in the order in which they were written; how many. */
  number(of: { webhookId: string; now: number; givesUpAt: number; limit: number }): Promise<number>;
  /** Events whose time has come, in their order. */
  due(of: { webhookId: string; now: number; limit: number }): Promise<readonly WebhookEvent[]>;
  /** Writes what came of many attempts, in one transaction. */
  settle(settling: Settling): Promise<void>;
  /** How many events it concerns. */
  resend(wanted: Resend): Promise<number>;
  /** How many events of a URL are in each state. */
  counts(webhookId: string): Promise<Readonly<Record<'new' | 'waiting' | 'delivered' | 'dead', number>>>;
  /** The latest attempts, the latest first. */
  log(of: { webhookId: string; eventId?: string; limit: number }): Promise<readonly Attempt[]>;
  /** One small step of forgetting; how many rows it took away. */
  purge(of: { now: number; limit: number }): Promise<number>;
}
