/** Before a try that may not be the first the gateway is asked what it has; the key tells new requests from repeats. */
import type { Intent } from '../machine/facts.ts';
import type { HostReply, OutgoingMessage, Parameters, TillParts } from '../ports.ts';
import { answerOf } from './answer.ts';
import type { Delivered } from './delivered.ts';
import { sortingOf } from './forward-answers.ts';
import { type Answered, findPayments, isNo, speakerOf } from './inquiry.ts';
import { retryNumber } from './retry-number.ts';

/**
 * What was sent before is asked for first: a gateway may have it, though its answer was lost. A payment that never
 * reached anybody who could decide is sent again; so is one that was refused for what could be mended since. `usedUp`:
 * the next key's turn comes first, as under this one the gateway would only say the same again.
 */
export const askedBefore = async (
  message: OutgoingMessage,
  intent: Intent,
  { host }: TillParts,
): Promise<HostReply | 'usedUp' | undefined> => {
  if (message.tried !== true) return undefined;
  const list = await findPayments(host, intent);
  if (list === 'nothing') return undefined;
  if (!Array.isArray(list)) return list;
  const follows = message.kind !== 'forward';
  const found = speakerOf(list);
  if (found === undefined || !list.every((each) => isUndecided(each, follows) || isMendable(each))) return found;
  // Each key that was sent stands in the list by now: all of them ended with a certain no.
  return list.some(isMendable) && list.length > (message.again ?? 0) ? 'usedUp' : undefined;
};

export const nextKeyFirst: Delivered = { means: 'undecided', note: 'refused before; it goes as a new request' };

/** The same on each try, until it was answered by nobody who could decide: then it is a new request. */
export const keyOf = ({ key, again = 0 }: OutgoingMessage): string => (again === 0 ? key : `${key}-${again}`);

/** The gateway knows a terminal's request again by its number: one that nobody decided needs another. */
export const parametersOf = (stored: Parameters, { again = 0 }: OutgoingMessage): Parameters => {
  const name = 'pos.transactionSequenceNumber';
  const own = stored[name];
  return again === 0 || own === undefined ? stored : { ...stored, [name]: retryNumber(own, again) };
};

/** Only a certain no counts as that: a yes, or a code that may be one, is never sent as a new request. */
export const isUndecided = (reply: Answered, follows = false): boolean =>
  isNo(reply) && sortingOf(answerOf(reply), follows)?.sorting === 'undecided';

const isMendable = (reply: Answered): boolean =>
  reply.means === 'testAnswer' ||
  (reply.means === 'refused' && ['channel', 'mend'].includes(sortingOf(answerOf(reply))?.sorting ?? ''));
