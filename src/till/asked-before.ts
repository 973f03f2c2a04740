/** Before a try that may not be the first the gateway is asked what it has; the key tells new requests from repeats. */
import { answerOf } from './answer.ts';
import type { Intent } from './facts.ts';
import { sortingOf } from './forward-answers.ts';
import { type Answered, findPayment } from './inquiry.ts';
import type { HostReply, OutgoingMessage, TillParts } from './ports.ts';

/**
 * What was sent before is asked for first: a gateway may have it, though its answer was lost. A payment that never
 * reached anybody who could decide is sent again.
 */
export const askedBefore = async (
  message: OutgoingMessage,
  intent: Intent,
  { host }: TillParts,
): Promise<HostReply | undefined> => {
  if (message.tried !== true) return undefined;
  const found = await findPayment(host, intent);
  if (found === 'nothing') return undefined;
  return found.kind === 'answered' && isUndecided(found) ? undefined : found;
};

/** The same on each try, until it was answered by nobody who could decide: then it is a new request. */
export const keyOf = ({ key, again = 0 }: OutgoingMessage): string => (again === 0 ? key : `${key}-${again}`);

export const isUndecided = (reply: Answered): boolean => sortingOf(answerOf(reply))?.sorting === 'undecided';
