/** What became of one try to deliver a message. */
import type { SaleEvent } from '../machine/events.ts';
import type { HostReply } from '../ports.ts';
import { answerOf } from './answer.ts';
import { sortingOf } from './forward-answers.ts';

type Means =
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

/** A live till was answered by a test system: nobody who could decide was asked, and the message is not settled. */
export const byTestSystem = (reply: HostReply): Delivered | undefined =>
  reply.kind === 'answered' && reply.means === 'testAnswer'
    ? { means: 'otherMode', note: `${reply.code} ${reply.description}`, holdsLine: true }
    : undefined;

/** The word for an answer that settles nothing. */
export const noEnding = (reply: HostReply): Delivered => {
  if (reply.kind !== 'answered') return { means: reply.kind, note: reply.fault.message };
  const inTest = byTestSystem(reply);
  if (inTest !== undefined) return inTest;
  const { means, code, description } = reply;
  const note = `${code} ${description}`;
  const row = sortingOf(answerOf(reply));
  if (row?.sorting === 'channel') return { means: 'later', note, holdsLine: true };
  if (row?.sorting === 'mend' && means === 'refused') return { means: 'mend', note };
  return { means: means === 'pending' || means === 'refused' || means === 'later' ? means : 'unknown', note };
};
