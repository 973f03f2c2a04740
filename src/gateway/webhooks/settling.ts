/** What becomes of events after a batch: over, set aside each on its own, or waiting for their URL as a whole. */
import type { Called } from './call.ts';
import { waitAfter } from './retries.ts';
import type { SettledEvent, Settling, Webhook } from './store/webhooks.ts';

/** `silent`: nobody answered at all, so the URL backs off as a whole. */
type Settlement = { settling: Settling; silent: boolean };

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
