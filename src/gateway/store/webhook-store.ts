/** Webhooks: the URLs that are notified of events, the events, and the result of each delivery attempt. */
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
  /** NON_CUSTOMER_DATA leaves out the shopper's name and address. */
  fields: 'ALL' | 'NON_CUSTOMER_DATA';
  /** The form of the body: hex digits, or `{"encryptedBody":"…"}`. */
  wrapper: 'RAW' | 'JSON';
  /** Only active webhooks get events. */
  state: 'inactive' | 'active' | 'removed';
  /** Wall time of its registration, ms. */
  at: number;
  /** 64 hex digits, encrypted. Absent once removed. */
  secret?: SealedAccount;
  /** The secret that replaces it at a given time, wall time, ms. */
  next?: { secret: SealedAccount; from: number };
  /** The number of consecutive failed rounds, and when the next one is due, wall time, ms. */
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
  /** The row as it was then, JSON. */
  snapshot: string;
  state: 'waiting' | 'delivered' | 'dead';
  /** Numbers this URL's events from 1, without gaps. */
  number: number;
  /** When it was first seen, and when attempts end, wall time, ms. */
  at: number;
  givesUpAt: number;
  attempts: number;
};

export type Attempt = {
  eventId: string;
  number: number;
  /** 1, 2, … for this event. */
  attempt: number;
  at: number;
  durationMs: number;
} & ({ status: number } | { fault: string; why: string });

/** The new state of an event: it is over, or waits; without `dueAt` it waits for its URL. */
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

/** Which events are to be delivered again. */
export type Resend = { webhookId: string; at: number; givesUpAt: number } & (
  | { eventId: string }
  /** All events that were given up. */
  | { dead: true }
  /** All events seen between these times, in any state. */
  | { from: number; to: number }
);

export interface Webhooks {
  /** Returns whether it was added: not if its channel already has `most`. */
  add(webhook: Webhook, most?: number): Promise<boolean>;
  byId(id: string): Promise<Webhook | undefined>;
  /** A channel's webhooks that are not removed, oldest first; without a channel those of all. */
  list(entityId?: string): Promise<readonly Webhook[]>;
  /** Reads it, and writes what `change` returns; undefined leaves it unchanged. Exclusive among all changes. */
  change(id: string, change: (webhook: Webhook) => Webhook | undefined): Promise<Webhook | undefined>;
  /** Whether any webhook is active; and which active ones have something to do at this time. */
  hasActive(): Promise<boolean>;
  ready(now: number): Promise<readonly Webhook[]>;
  /** Reserves a URL for this gateway until a time, unless another has it; returns whether it is this one's now. */
  lease(key: { id: string; holder: string; now: number; until: number }): Promise<boolean>;
  release(id: string, holder: string): Promise<void>;
  /** Numbers up to `limit` new events in the order in which they were written; returns how many. */
  numberEvents(key: { webhookId: string; now: number; givesUpAt: number; limit: number }): Promise<number>;
  /** Events that are due, in their order. */
  due(key: { webhookId: string; now: number; limit: number }): Promise<readonly WebhookEvent[]>;
  /** Writes the results of many attempts, in one transaction. */
  settleBatch(settling: Settling): Promise<void>;
  /** Returns the number of events concerned. */
  resend(request: Resend): Promise<number>;
  /** The number of a URL's events in each state. */
  eventCounts(webhookId: string): Promise<Readonly<Record<'new' | 'waiting' | 'delivered' | 'dead', number>>>;
  /** The latest attempts, the latest first. */
  log(key: { webhookId: string; eventId?: string; limit: number }): Promise<readonly Attempt[]>;
  /** Deletes a small portion of old rows; returns how many. */
  purge(key: { now: number; limit: number }): Promise<number>;
}
