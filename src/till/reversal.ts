/** Takes back what a gateway may have approved, and is content only with proof: reversed, declined, or never there. */
import { answerOf, sameAmount, textAt } from './answer.ts';
import { type Delivered, noEnding } from './delivered.ts';
import type { Intent } from './facts.ts';
import { type Answered, listPayments } from './inquiry.ts';
import type { ReversalBody } from './messages.ts';
import type { OutgoingMessage, TillParts } from './ports.ts';
import { reversalRequest } from './request.ts';

/** Also said of a payment that was refunded: it proves nothing by itself. */
const CANNOT_REVERSE = '700.400.300';
/** The payment has no final state yet: asked again when it has. */
const STILL_PENDING = '700.400.570';
/** Nothing that was successful is there to reverse: said of a payment that was never approved, and of none at all. */
const NOTHING_TO_REVERSE = '700.400.530';

const reversedWhole = (note: string): Delivered => ({
  means: 'approved',
  note,
  event: { on: 'reversed', how: 'reversed' },
});
const forPerson = (note: string): Delivered => ({ means: 'refused', note });

export const deliverReversal = async (
  message: OutgoingMessage,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const { payment, sentAt } = JSON.parse(message.body) as ReversalBody;
  if (payment !== undefined) return reverse({ payment }, intent, parts);
  const list = await listPayments(parts.host, intent.sale);
  if (list === 'nothing') return neverThere(sentAt, parts);
  if (!Array.isArray(list)) return noEnding(list);
  const debits = list.filter(({ body }) => textAt(body, 'paymentType') === 'DB');
  if (debits.length === 0) return forPerson('the gateway’s list does not name the payment');
  return reverseAll(debits, intent, parts);
};

/** A request still on its way would be taken after this "not found": it proves something only when that is over. */
const neverThere = (sentAt: number, { clock, requestLifeMs }: TillParts): Delivered => {
  const now = clock.monotonic();
  // Less than then: the machine was started since, and that long ago at least.
  const passedMs = now >= sentAt ? now - sentAt : now;
  if (passedMs < requestLifeMs)
    return { means: 'later', note: 'not at the gateway so far; asked again before that counts' };
  return { means: 'approved', note: 'the gateway never had it', event: { on: 'reversed', how: 'notFound' } };
};

/** Every payment under this reference that is not certainly a no. */
const reverseAll = async (debits: readonly Answered[], intent: Intent, parts: TillParts): Promise<Delivered> => {
  const standing = debits.filter(({ means }) => means !== 'declined' && means !== 'refused');
  const [no] = debits;
  if (standing.length === 0 && no !== undefined) {
    return {
      means: 'declined',
      note: no.description,
      event: { on: 'reversed', how: 'notApproved', answer: answerOf(no) },
    };
  }
  let last = forPerson('no payment was left to reverse');
  for (const listed of standing) {
    last = await reverse({ payment: textAt(listed.body, 'id') ?? '', listed }, intent, parts);
    if (last.event === undefined) return last;
  }
  return last;
};

type Target = {
  payment: string;
  /** As the gateway lists it. Absent: its approval stands in the journal. */
  listed?: Answered;
};

/** The key is the payment's: each try, also after a restart, is the same operation. */
const reverse = async ({ payment, listed }: Target, intent: Intent, parts: TillParts): Promise<Delivered> => {
  const reply = await parts.host.refer(payment, reversalRequest(intent.sale), `reverse-${payment}`);
  if (reply.kind !== 'answered') return noEnding(reply);
  const { code, description, means, body } = reply;
  if (means === 'approved') {
    return isWhole(body, intent)
      ? reversedWhole('taken back')
      : forPerson(`only ${textAt(body, 'amount')} was taken back`);
  }
  if (code === STILL_PENDING) return { means: 'later', note: description };
  if (code === CANNOT_REVERSE) return proveReversed(payment, intent, parts);
  // It has the payment, with a code that is neither yes nor no, and nothing successful in it to reverse.
  if (code === NOTHING_TO_REVERSE && listed?.means === 'unknown') {
    return {
      means: 'declined',
      note: description,
      event: { on: 'reversed', how: 'notApproved', answer: answerOf(listed) },
    };
  }
  // We hold its approval, and the gateway does not know it: nobody can say what happened but a person.
  if (code === NOTHING_TO_REVERSE) return { means: 'unknown', note: `${code} ${description}` };
  const word = noEnding(reply);
  return word.means === 'unknown' && means === 'declined' ? forPerson(word.note) : word;
};

/** "Cannot be reversed" is good news only if a reversal of the whole amount stands in the books. */
const proveReversed = async (payment: string, intent: Intent, { host }: TillParts): Promise<Delivered> => {
  const list = await listPayments(host, intent.sale);
  if (!Array.isArray(list)) return list === 'nothing' ? forPerson('the gateway lists no reversal') : noEnding(list);
  const proof = list.some(
    ({ means, body }) =>
      means === 'approved' && textAt(body, 'paymentType') === 'RV' && isOf(body, payment) && isWhole(body, intent),
  );
  return proof
    ? reversedWhole('had been taken back')
    : forPerson('it can no longer be reversed, and no reversal stands in the books');
};

const isOf = (body: unknown, payment: string): boolean => (textAt(body, 'referencedId') ?? payment) === payment;

/** A reversal without an amount is of all. */
const isWhole = (body: unknown, intent: Intent): boolean => {
  const amount = textAt(body, 'amount');
  const currency = textAt(body, 'currency') ?? intent.amount.currency;
  return amount === undefined || sameAmount({ amount, currency }, intent);
};
