/**
 * Asks once more about sales that ended as never sent: a request that nobody saw arrive may have been approved all the
 * same. What is found is taken back, and the answer is evidence either way.
 */
import { ifUnanswered } from '../machine/operations.ts';
import { isUnread, next, replay, type Sale } from '../machine/sale.ts';
import { repeatFor, reversalFor } from '../messages.ts';
import type { TillParts } from '../ports.ts';
import { answerOf, approvedPartOf } from './answer.ts';
import { findPayment, isNo } from './inquiry.ts';

/**
 * `approved`: it was, and goes back. `clear`: the gateway has no yes. `later`: it could not tell. `unheard`: it did not
 * answer. `elsewhere`: another gateway would have it, which is not asked.
 */
export type Late =
  | { readonly found: 'approved'; readonly sale: Sale }
  | { readonly found: 'clear' | 'later' | 'unheard' | 'elsewhere' };

/** Throws `journal.unwritable`. */
export const askLate = async (parts: TillParts, id: string): Promise<Late> => {
  const { host, ledger, ids, clock, gateway } = parts;
  const before = replay(ledger.events(id));
  // It is asked about once more by the version that knows it.
  if (before !== undefined && isUnread(before)) return { found: 'elsewhere' };
  if (before?.at !== 'ended' || before.intent.by === 'terminal' || before.ending === 'approved')
    return { found: 'clear' };
  if (before.intent.gateway !== gateway) return { found: 'elsewhere' };
  const reply = await findPayment(host, before.intent);
  if (reply === 'nothing') return { found: 'clear' };
  if (reply.kind !== 'answered') return { found: 'unheard' };
  if (isNo(reply)) return { found: 'clear' };
  // A live channel's approval at a test till moved money: it goes back like any other.
  if (reply.means !== 'approved' && reply.means !== 'liveAnswer') return { found: 'later' };
  // Meanwhile it may have been spoken of elsewhere.
  const now = replay(ledger.events(id));
  const approved = approvedPartOf(reply.body, before.intent);
  const event = { on: 'approvedLate', answer: { ...answerOf(reply), ...(approved && { approved }) } } as const;
  const step = now && next(now, event);
  if (step === undefined) return { found: 'clear' };
  const message =
    step.outgoing === undefined
      ? undefined
      : ifUnanswered(step.sale.intent) === 'reverse'
        ? reversalFor(step.sale, { key: ids.next(), sentAt: clock.monotonic() })
        : repeatFor(step.sale, clock.monotonic());
  ledger.record(id, event, message);
  return { found: 'approved', sale: step.sale };
};
