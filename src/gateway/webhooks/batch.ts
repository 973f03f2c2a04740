/**
 * Delivers a number of events to one URL, several at a time, and determines their new states. Events of the same
 * payment, registration or schedule are delivered one after another, in order.
 */
import type { SettledEvent, Settling, Webhook, WebhookEvent } from '../store/webhook-store.ts';
import { type Called, waitAfter } from './call.ts';

type Batch = {
  /** In order. */
  events: readonly WebhookEvent[];
  /** How many at a time. */
  width: number;
  /** Undefined if it was too late by the time a slot was free. */
  call: (event: WebhookEvent) => Promise<Called | undefined>;
  /** Checked before each call: the remaining events wait for another time. */
  isOver: () => boolean;
};

/** Returns the attempts made. If the first calls get no answer, and as long as there is none, no more are made. */
export const deliverBatch = async ({ events, width, call, isOver }: Batch): Promise<readonly Called[]> => {
  const called: Called[] = [];
  let answered = 0;
  const chains = [...Map.groupBy(events, ({ subject }) => subject).values()];
  const mayGoOn = () => !isOver() && (answered > 0 || called.length === 0);
  const worker = async (): Promise<void> => {
    for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
      for (const event of chain) {
        if (!mayGoOn()) return;
        const one = await call(event);
        if (one === undefined) return;
        called.push(one);
        if (one.outcome !== 'silent') answered += 1;
        // Later events of the same subject are not delivered before it: it comes again soon.
        else break;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, chains.length) }, worker));
  return called;
};

// Limits simultaneous calls: many in total, and always at least one for each URL, however slow the others are.

export interface Slots {
  /** Runs `work` when a slot is free. */
  use<T>(of: string, work: () => Promise<T>): Promise<T>;
}

type Kind = 'first' | 'shared';
type Waiting = { of: string; begin: (kind: Kind) => void };

/** `shared`: the number of simultaneous calls besides the first of each URL. */
export const slots = (shared: number): Slots => {
  const first = new Set<string>();
  const waiting = new Set<Waiting>();
  let inUse = 0;

  const take = (of: string): Promise<Kind> => {
    if (!first.has(of)) {
      first.add(of);
      return Promise.resolve('first');
    }
    if (inUse < shared) {
      inUse += 1;
      return Promise.resolve('shared');
    }
    return new Promise((begin) => waiting.add({ of, begin }));
  };

  /** A slot passes directly to the next waiting call, without being free in between. */
  const give = (kind: Kind, of: string): void => {
    for (const each of waiting) {
      if (kind === 'first' && each.of !== of) continue;
      waiting.delete(each);
      each.begin(kind);
      return;
    }
    if (kind === 'first') first.delete(of);
    else inUse -= 1;
  };

  return {
    async use(of, work) {
      const kind = await take(of);
      try {
        return await work();
      } finally {
        give(kind, of);
      }
    },
  };
};

/** `silent`: no receiver answered at all, so the URL backs off as a whole. */
type Settlement = { settling: Settling; silent: boolean };

/** The new states of events after a batch: over, rescheduled individually, or waiting for their URL as a whole. */
export const settlementOf = (
  { id: webhookId, failures }: Pick<Webhook, 'id' | 'failures'>,
  called: readonly Called[],
  at: number,
): Settlement => {
  const silent = called.length > 0 && called.every(({ outcome }) => outcome === 'silent');
  const rounds = silent ? failures + 1 : 0;
  const retryAt = silent ? at + waitAfter(rounds) : 0;
  const settled = called.map((each) => (silent ? waitingForUrl(each, retryAt) : onItsOwn(each, at)));
  return { silent, settling: { webhookId, at, settled, failures: rounds, retryAt } };
};

const waitingForUrl = ({ event, attempt }: Called, retryAt: number): SettledEvent =>
  retryAt > event.givesUpAt ? { event, attempt, state: 'dead' } : { event, attempt, state: 'waiting' };

const onItsOwn = ({ event, attempt, outcome }: Called, at: number): SettledEvent => {
  if (outcome === 'taken') return { event, attempt, state: 'delivered' };
  const dueAt = at + waitAfter(attempt.attempt);
  return dueAt > event.givesUpAt ? { event, attempt, state: 'dead' } : { event, attempt, state: 'waiting', dueAt };
};
