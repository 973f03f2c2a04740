/** One notification: encrypted, sent, and the result of the attempt. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/clock.ts';
import type { Outgoing, OutgoingCall } from '../outgoing/outgoing.ts';
import type { Body } from '../payments/response.ts';
import type { Attempt, Webhook, WebhookEvent } from '../store/webhook-store.ts';
import type { Encrypt } from './encryption.ts';
import { type Names, notificationOf } from './payload.ts';

/** The time in which a receiver must acknowledge with a status of 200 to 299. */
export const ACKNOWLEDGE_WITHIN_MS = 30_000;

/** The attempt and its result: accepted, refused with another status, or no answer. */
export type WebhookCall = { event: WebhookEvent; attempt: Attempt; outcome: 'taken' | 'refused' | 'silent' };

export type CallContext = {
  outgoing: Pick<Outgoing, 'send'>;
  names: Names;
  clock: { now(): number; monotonic(): number };
};

/** Sends the event to the URL of its webhook. Never rejects. */
export const callWith = async (
  { outgoing, names, clock }: CallContext,
  { webhook, encrypt }: { webhook: Webhook; encrypt: Encrypt },
  event: WebhookEvent,
): Promise<WebhookCall> => {
  const at = clock.now();
  const startedAt = clock.monotonic();
  const payload = notificationOf({ event, fields: webhook.fields, names });
  const number = event.attempts + 1;
  const headers = { 'X-Event-Id': event.id, 'X-Event-Sequence': String(event.number), 'X-Event-Attempt': `${number}` };
  const outcome = await outgoing.send(callOf({ url: webhook.url, encrypt }, payload, headers));
  const attemptInfo = { eventId: event.id, number: event.number, attempt: number, at };
  const durationMs = clock.monotonic() - startedAt;
  if (outcome.kind === 'failed') {
    const { fault, why } = outcome;
    return { event, outcome: 'silent', attempt: { ...attemptInfo, durationMs, fault, why } };
  }
  const { status } = outcome;
  return { event, outcome: isTaken(status) ? 'taken' : 'refused', attempt: { ...attemptInfo, durationMs, status } };
};

export const isTaken = (status: number): boolean => status >= 200 && status <= 299;

type EncryptionContext = { url: string; encrypt: Encrypt };

/** The call with `payload` encrypted. */
export const callOf = (
  { url, encrypt }: EncryptionContext,
  payload: Body,
  headers: Readonly<Record<string, string>> = {},
): OutgoingCall => {
  const encrypted = encrypt(JSON.stringify(payload));
  return {
    url,
    method: 'POST',
    headers: { ...encrypted.headers, ...headers },
    body: encrypted.body,
    timeoutMs: ACKNOWLEDGE_WITHIN_MS,
  };
};

// When an unaccepted event is retried: soon, then at growing intervals, then once a day for thirty days.

const WAITS_MS = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/** From an event's first attempt until it is given up. */
export const GIVES_UP_AFTER_MS = 30 * DAY_MS;

/** The longest time that an event without an attempt waits for a receiver that did not answer. */
export const FRESH_WAIT_MS = HOUR_MS;

/** From the end of the attempt with this number (1, 2, …) to the next, ms. */
export const waitMsAfter = (attempt: number): number => WAITS_MS[attempt - 1] ?? DAY_MS;
