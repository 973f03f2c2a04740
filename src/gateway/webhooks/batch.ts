/**
 * Delivers a number of events to one URL, several at a time, and determines their new states. Events of the same
 * payment, registration or schedule are delivered one after another, in order.
 */
import type { SettledEvent, Settling, Webhook, WebhookEvent } from '../store/webhook-store.ts';
import { type WebhookCall, waitMsAfter } from './call.ts';

type Batch = {
  /** In order. */
  events: readonly WebhookEvent[];
  /** The maximum number of calls at a time. */
  width: number;
  /** Undefined if it was too late by the time a slot was free. */
  call: (event: WebhookEvent) => Promise<WebhookCall | undefined>;
  /** Checked before each call: the remaining events wait for another time. */
  isOver: () => boolean;
};

/** Returns the attempts made. If the first calls get no answer, and as long as there is none, no more are made. */
export const deliverBatch = async ({ events, width, call, isOver }: Batch): Promise<readonly WebhookCall[]> => {
  const calls: WebhookCall[] = [];
  let answeredCount = 0;
  const chains = [...Map.groupBy(events, ({ subject }) => subject).values()];
  const canContinue = () => !isOver() && (answeredCount > 0 || calls.length === 0);
  const runWorker = async (): Promise<void> => {
    for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
      for (const event of chain) {
        if (!canContinue()) return;
        const result = await call(event);
        if (result === undefined) return;
        calls.push(result);
        if (result.outcome !== 'silent') answeredCount += 1;
        // Later events of the same subject are not delivered before it: it comes again soon.
        else break;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, chains.length) }, runWorker));
  return calls;
};

// Limits simultaneous calls: many in total, and always at least one for each URL, however slow the others are.

export interface Slots {
  /** Runs `work` when a slot is free. */
  use<T>(of: string, work: () => Promise<T>): Promise<T>;
}

type SlotKind = 'first' | 'shared';
type Waiting = { of: string; begin: (kind: SlotKind) => void };

/** `shared`: the number of simultaneous calls besides the first of each URL. */
export const createSlots = (shared: number): Slots => {
  const urlsWithFirst = new Set<string>();
  const queue = new Set<Waiting>();
  let sharedInUse = 0;

  const takeSlot = (of: string): Promise<SlotKind> => {
    if (!urlsWithFirst.has(of)) {
      urlsWithFirst.add(of);
      return Promise.resolve('first');
    }
    if (sharedInUse < shared) {
      sharedInUse += 1;
      return Promise.resolve('shared');
    }
    return new Promise((begin) => queue.add({ of, begin }));
  };

  /** A slot passes directly to the next waiting call, without being free in between. */
  const passSlot = (kind: SlotKind, of: string): void => {
    for (const each of queue) {
      if (kind === 'first' && each.of !== of) continue;
      queue.delete(each);
      each.begin(kind);
      return;
    }
    if (kind === 'first') urlsWithFirst.delete(of);
    else sharedInUse -= 1;
  };

  return {
    async use(of, work) {
      const kind = await takeSlot(of);
      try {
        return await work();
      } finally {
        passSlot(kind, of);
      }
    },
  };
};

/** `silent`: no receiver answered at all, so the URL backs off as a whole. */
type Settlement = { results: Settling; isSilent: boolean };

/** The new states of events after a batch: over, rescheduled individually, or waiting for their URL as a whole. */
export const settlementOf = (
  { id: webhookId, failures }: Pick<Webhook, 'id' | 'failures'>,
  calls: readonly WebhookCall[],
  at: number,
): Settlement => {
  const silent = calls.length > 0 && calls.every(({ outcome }) => outcome === 'silent');
  const failureCount = silent ? failures + 1 : 0;
  const retryAt = silent ? at + waitMsAfter(failureCount) : 0;
  const settledEvents = calls.map((each) => (silent ? waitForUrl(each, retryAt) : settleEvent(each, at)));
  return { isSilent: silent, results: { webhookId, at, settled: settledEvents, failures: failureCount, retryAt } };
};

const waitForUrl = ({ event, attempt }: WebhookCall, retryAt: number): SettledEvent =>
  retryAt > event.givesUpAt ? { event, attempt, state: 'dead' } : { event, attempt, state: 'waiting' };

const settleEvent = ({ event, attempt, outcome }: WebhookCall, at: number): SettledEvent => {
  if (outcome === 'taken') return { event, attempt, state: 'delivered' };
  const dueAt = at + waitMsAfter(attempt.attempt);
  return dueAt > event.givesUpAt ? { event, attempt, state: 'dead' } : { event, attempt, state: 'waiting', dueAt };
};
