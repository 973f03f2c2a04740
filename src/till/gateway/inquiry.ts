/** Asks the gateway by merchantTransactionId what it has of a sale. "Nothing" is an answer too, and proves little. */
import { type CodeRow, codes, type RetryGroup, rowOf } from '../../base/result-codes.ts';
import type { HostAnswer, Intent } from '../machine/facts.ts';
import { operations } from '../machine/operations.ts';
import type { Host, HostReply } from '../ports.ts';
import { answerOf, textAt } from './answer.ts';

// How answers to stored messages are sorted, by the table of result codes. An unsorted answer follows its meaning: an
// approval or decline settles, a refusal is for a person, and an unknown one is asked about.

export type SortingRow = { readonly sorting: RetryGroup; readonly mend?: string };

/** DE 39 codes of networks in which nobody decided: cut-off, issuer not available, no route, malfunction. */
const nobodyDecided: ReadonlySet<string> = new Set(['90', '91', '92', '96']);

/** How this answer is sorted; undefined if its meaning decides. `follows`: the message follows a payment. */
export const sortingOf = (
  { code, response }: Pick<HostAnswer, 'code' | 'response'>,
  follows = false,
): SortingRow | undefined => {
  const { sorting, ofFollowers, mend }: CodeRow = rowOf(code);
  if (sorting !== undefined && (follows || ofFollowers !== true)) return { sorting, mend };
  return response !== undefined && nobodyDecided.has(response) ? { sorting: 'undecided' } : undefined;
};

export type AnsweredReply = Extract<HostReply, { kind: 'answered' }>;

/** All payments with this reference in the gateway's list, `nothing`, or the reply that is not a list. */
export const listPayments = async (host: Host, reference: string): Promise<AnsweredReply[] | 'nothing' | HostReply> => {
  const reply = await host.find(reference);
  if (reply.kind !== 'answered') return reply;
  if (reply.code === codes.transactionNotFound) return 'nothing';
  const { payments } = reply.body;
  if (reply.means !== 'approved' || !Array.isArray(payments)) return { ...reply, means: 'unknown' };
  return payments.flatMap((body: unknown) => listed(host, reference, body));
};

/** The answer to the request of this sale or follow-up, as if it arrived now; `nothing` when the gateway has none. */
export const findPayment = async (host: Host, intent: Intent): Promise<HostReply | 'nothing'> => {
  const ownReplies = await findPayments(host, intent);
  return Array.isArray(ownReplies) ? (authoritativeReply(ownReplies) ?? 'nothing') : ownReplies;
};

/** All answers to requests of this sale or follow-up, at least one; `nothing`, or the reply that is not a list. */
export const findPayments = async (host: Host, intent: Intent): Promise<AnsweredReply[] | 'nothing' | HostReply> => {
  const list = await listPayments(host, intent.sale);
  if (!Array.isArray(list)) return list;
  const { paymentType } = operations[intent.operation];
  const ownReplies = list.filter(({ body }) => textAt(body, 'paymentType') === paymentType);
  return ownReplies.length === 0 ? 'nothing' : ownReplies;
};

/**
 * Which of several answers decides: the first that is not certainly a refusal, otherwise the first that somebody
 * decided. A duplicate was not carried out: it does not count if the list contains the original with an ending.
 */
export const authoritativeReply = (ownReplies: readonly AnsweredReply[]): AnsweredReply | undefined => {
  const first = ownReplies.filter(({ code }) => rowOf(code).repeats !== true);
  const all = first.some((reply) => !isRefusal(reply) || isDecided(reply)) ? first : ownReplies;
  return all.find((reply) => !isRefusal(reply)) ?? all.find(isDecided) ?? all[0];
};

/** Whether the answer makes it certain that no money was moved. */
export const isRefusal = ({ means }: AnsweredReply): boolean =>
  means === 'declined' || means === 'refused' || means === 'testAnswer';

const isDecided = (reply: AnsweredReply): boolean =>
  reply.means === 'declined' && sortingOf(answerOf(reply))?.sorting !== 'undecided';

const listed = (host: Host, reference: string, body: unknown): AnsweredReply[] => {
  if (typeof body !== 'object' || body === null || textAt(body, 'merchantTransactionId') !== reference) return [];
  const code = textAt(body, 'result.code') ?? '';
  const description = textAt(body, 'result.description') ?? '';
  return [
    { kind: 'answered', code, description, means: host.meaningOf(code, body), body: body as AnsweredReply['body'] },
  ];
};
