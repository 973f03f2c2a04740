/** What became of one try to deliver a message. */
import { answerOf } from './answer.ts';
import type { SaleEvent } from './events.ts';
import { sortingOf } from './forward-answers.ts';
import { isOtherMode } from './mode.ts';
import type { HostReply } from './ports.ts';

export type Means =
  | 'approved'
  | 'declined'
  | 'pending'
  | 'refused'
  | 'mend'
  | 'later'
  | 'otherMode'
  | 'undecided'
  | 'unknown'
  | 'notSent'
  | 'silent';

/** With an event the message is settled by it; without one it waits or is parked, as `means` says. */
export type Delivered = {
  means: Means;
  note: string;
  event?: SaleEvent;
  /** It was about the channel: the next message would get the same answer. */
  holdsLine?: boolean;
  /** The card's network answered without a yes: it counts against the scheme's limit for repeats. */
  counts?: { readonly response: string };
};

/** The word for an answer that settles nothing. */
export const noEnding = (reply: HostReply): Delivered => {
  if (reply.kind !== 'answered') return { means: reply.kind, note: reply.fault.message };
  const { means, code, description } = reply;
  const note = `${code} ${description}`;
  const row = sortingOf(answerOf(reply));
  if (row?.sorting === 'channel') return { means: 'later', note, holdsLine: true };
  if (row?.sorting === 'mend' && means === 'refused') return { means: 'mend', note };
  if (isOtherMode(means)) return { means: 'otherMode', note, holdsLine: true };
  return { means: means === 'approved' || means === 'declined' ? 'unknown' : means, note };
};
