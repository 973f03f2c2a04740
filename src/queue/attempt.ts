/** One try to deliver one message, and its outcome: settled, retried later, or parked for a person. */
import type { Clock } from '../base/clock.ts';
import { errorText, isFault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import { type TestAnswers, testAnswersIn } from '../base/open-messages.ts';
import type { Message, Outbox, WaitingMessage } from './outbox.ts';
import { backoffMs, isAnswer, isLineDown, type TryOutcome, verdictOf } from './policy.ts';

export type Delivery = {
  readonly means: TryOutcome;
  /** The outcome in words, for the list of the queue. */
  readonly note: string;
  /** The answer was about the channel, not this message: the next message would get the same answer. */
  readonly holdsLine?: boolean;
  /** Settles it: writes the resulting event and removes the message from the outbox, in one durable step. */
  settle(): void;
};

export type AttemptParts = {
  outbox: Outbox;
  deliver(message: Message): Promise<Delivery>;
  clock: Clock;
  random: Random;
  report(error: unknown): void;
};

export type Outcome = { readonly became: 'done' | 'later' | 'parked'; readonly lineIsUp: boolean };

/** Call once the try is noted. Rejects when the outcome could not be written. */
export const attempt = async (parts: AttemptParts, message: WaitingMessage): Promise<Outcome> => {
  const { outbox, clock, random, report } = parts;
  const { means, note, settle, holdsLine = false } = await delivered(parts, message);
  const lineIsUp = !(holdsLine || isLineDown(means));
  const unknown = means === 'unknown';
  const verdict = verdictOf({ ...message, means });
  if (verdict === 'park') {
    outbox.park(message.id, note, means === 'otherMode' ? testAnswersTo(message) : undefined);
    return { became: 'parked', lineIsUp };
  }
  try {
    if (verdict === 'done') {
      settle();
      return { became: 'done', lineIsUp };
    }
  } catch (error) {
    // The answer could not be written: the same message gets the same answer again.
    report(error);
  }
  const isRepeat = means === 'undecided';
  const dueAt = clock.now() + backoffMs(message.attempts, random);
  const unsent = means === 'notSent' && isFirstTry(message);
  outbox.retryAt(message.id, { dueAt, note, unknown, answered: isAnswer(means), again: isRepeat, unsent });
  return { became: 'later', lineIsUp };
};

/** `message`: as it was before this try. */
const testAnswersTo = ({ tried, body }: WaitingMessage): TestAnswers =>
  tried !== true || testAnswersIn(body) === 'only' ? 'only' : 'also';

/** A repeated request and a reversal refer to something that was sent before. */
const isFirstTry = ({ kind, tried }: WaitingMessage): boolean =>
  tried !== true && (kind === 'forward' || kind === 'follow');

const delivered = async ({ outbox, deliver }: AttemptParts, message: WaitingMessage): Promise<Delivery> => {
  try {
    const secret = outbox.open(message.id);
    return await deliver(secret === undefined ? message : { ...message, secret });
  } catch (error) {
    // A record that cannot be opened is parked; after any other error the gateway may have received it.
    return { means: isFault(error, 'seal.broken') ? 'refused' : 'silent', note: errorText(error), settle: () => {} };
  }
};
