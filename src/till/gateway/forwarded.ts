/** What the gateway's answer to a stored sale means: settled by an event, or what the queue is to do with it. */
import type { HostAnswer, Intent } from '../machine/facts.ts';
import type { HostReply } from '../ports.ts';
import { answerOf, misfitOf, moneyOf } from './answer.ts';
import { isUndecided } from './asked-before.ts';
import { byTestSystem, type Delivered, noEnding } from './delivered.ts';

/**
 * `listed`: what the gateway's list has of it, where it was asked. A live answer at a test till was taken back by now:
 * the sale ends, for a new request would charge the card once more.
 */
export const forwarded = (reply: HostReply, listed: HostReply | undefined, intent: Intent): Delivered => {
  if (reply.kind !== 'answered') return noEnding(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const counts = { response: answer.response ?? '' };
  const inTest = byTestSystem(reply);
  if (inTest !== undefined) return inTest;
  if (means === 'liveAnswer')
    return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer, answered: 'live' } };
  if (isUndecided(reply)) return { means: 'undecided', note, counts };
  if (means === 'declined') return { means, note, counts, event: { on: 'forwarded', approved: false, answer } };
  if (means !== 'approved') return noEnding(reply);
  const part = partOf(reply, intent);
  if (part !== undefined && listed !== undefined && isSamePart(part, partOf(listed, intent))) {
    return { means, note, event: { on: 'forwarded', approved: true, answer: { ...answer, approved: part } } };
  }
  const misfit = misfitOf(body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means, note, event: { on: 'forwarded', approved: true, answer } };
};

/** An approval that fits but for being of less than was sold. */
export const isForPart = (reply: HostReply, intent: Intent): boolean => partOf(reply, intent) !== undefined;

const partOf = (reply: HostReply, intent: Intent): HostAnswer['approved'] => {
  if (reply.kind !== 'answered' || reply.means !== 'approved') return undefined;
  const told = moneyOf(reply.body);
  if (told === undefined || told.currency !== intent.amount.currency) return undefined;
  if (told.minor <= 0n || told.minor >= intent.amount.minor) return undefined;
  return misfitOf(reply.body, { ...intent, amount: told }) === undefined ? told : undefined;
};

const isSamePart = (one: HostAnswer['approved'], other: HostAnswer['approved']): boolean => one?.minor === other?.minor;
