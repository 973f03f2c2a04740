/** The rows of the sale machine for an ended sale: what the queue, a void or the gateway adds to it. */

import { type Money, money } from '../../base/money.ts';
import type { SaleEvent } from './events.ts';
import type { ForcedEnding } from './facts.ts';
import { followsPayment, operations, unansweredAction } from './operations.ts';
import { type EndedSale, end, type Rules, type Sale, type Step } from './states.ts';
import { terminalEnded } from './terminal-rules.ts';

export const endedRules: Rules<'ended'>['ended'] = {
  ...terminalEnded,
  reversed(sale, { how, answer, answered }) {
    if (isHeld(sale)) return undefined;
    if (sale.reversal === 'due' && sale.ending === 'declined') return { sale: { ...sale, reversal: 'done' } };
    if (sale.ending !== 'unknown' || isRepeated(sale)) return undefined;
    const known = answer === undefined ? sale : { ...sale, answer };
    if (how === 'reversed') return end(known, { ending: 'declined', reason: 'reversed', reversal: 'done' });
    if (how === 'notFound') return end(known, { ending: 'notSent', reason: 'neverArrived' });
    if (answered === 'test') return end(known, { ending: 'declined', reason: 'testAnswer' });
    return end(known, { ending: 'declined', reason: 'declinedByHost', why: answer?.description ?? '' });
  },
  forwarded(sale, { approved, answer, answered }) {
    if (!isStored(sale)) return undefined;
    const { operation } = sale.intent;
    const known: EndedSale = { ...sale, answer, forwarded: { approved, answer } };
    if (!approved) {
      if (answered === 'live') return { sale: { ...known, ending: 'declined', reason: 'liveAnswer' } };
      const reason = sale.offline === 'stored' ? 'storedRefused' : 'declinedOnForwarding';
      return { sale: { ...known, ending: 'declined', reason, why: answer.description } };
    }
    // A sale keeps the mark that it was taken offline.
    return { sale: operation === 'sale' ? known : { ...known, reason: operations[operation].done } };
  },
  withdrawn(sale) {
    if (!isStored(sale)) return undefined;
    if (sale.offline !== 'stored') return end(sale, { ending: 'notSent', reason: 'voidedBeforeSending' });
    return operations[sale.intent.operation].paymentType === 'RV'
      ? end(sale, { ending: 'approved', reason: 'voidedBeforeSending' })
      : undefined;
  },
  movedTo: (sale, { gateway }) =>
    isStored(sale) ? { sale: { ...sale, intent: { ...sale.intent, gateway } } } : undefined,
  nothingToFollow: (sale, { why }) =>
    isStored(sale) && sale.offline === 'stored'
      ? end(sale, { ending: 'notSent', reason: 'nothingToFollow', why })
      : undefined,
  // A follow-up was repeated, and finally answered.
  hostApproved: (sale, { answer }) =>
    isRepeated(sale)
      ? end({ ...sale, answer }, { ending: 'approved', reason: operations[sale.intent.operation].done })
      : undefined,
  hostDeclined: (sale, { answer }) =>
    isRepeated(sale)
      ? end({ ...sale, answer }, { ending: 'declined', reason: 'declinedByHost', why: answer.description })
      : undefined,
};

const isHeld = ({ intent }: EndedSale): boolean => intent.by === 'terminal';

/** Whether the sale was taken offline and is still to be sent. */
const isStored = ({ ending, offline, forwarded }: EndedSale): boolean =>
  ending === 'approved' && offline !== undefined && forwarded === undefined;

const isRepeated = (sale: EndedSale): boolean =>
  sale.ending === 'unknown' && followsPayment(sale.intent) && !isHeld(sale);

// What is learnt about a sale after its ending: a person's statement where no machine could tell, an answer that
// contradicts it, a late approval, card data that had to be destroyed. A contradiction stays open until a person has
// decided again.

type EventOn<E extends SaleEvent['on']> = Extract<SaleEvent, { on: E }>;

/** The step for this event after the ending, or undefined: then the machine's own rules apply. */
export const applyAfterEnd = (sale: Sale, event: SaleEvent): Step | undefined => {
  if (sale.at !== 'ended') return undefined;
  switch (event.on) {
    case 'personSaid':
      return forced(sale, event);
    case 'reversed':
      return isAwaited(sale)
        ? compared(sale, reversalReason(sale, event), event.how === 'reversed' || sale.reversal === 'due')
        : undefined;
    case 'hostApproved':
      return isAwaited(sale) ? compared(sale, contradictionReason(sale, true)) : undefined;
    case 'hostDeclined':
      return isAwaited(sale) ? compared(sale, contradictionReason(sale, false)) : undefined;
    case 'approvedLate':
      return approvedLate(sale, event);
    case 'cardDataExpired':
      return cardDataExpired(sale, event);
    case 'unpaidEnded':
      return unpaidEnded(sale, event);
    default:
      return undefined;
  }
};

/** Whether something is still expected, or a person must look once more. */
export const isOpenAfterwards = (sale: Sale): boolean =>
  sale.at === 'ended' && (isAwaited(sale) || sale.differs !== undefined);

const isAwaited = (sale: EndedSale): boolean => sale.forced?.awaited === true;

const forced = (sale: EndedSale, { charged, by, ends }: EventOn<'personSaid'>): Step | undefined => {
  const isLast = ends === true && isUnsettled(sale);
  if (sale.ending !== 'unknown' && sale.differs === undefined && !isLast) return undefined;
  // Entries of older tills: only about a terminal's payment, and unsigned.
  if (by === undefined && sale.intent.by !== 'terminal') return undefined;
  if (isLast) return applyForced(sale, { charged, ...by });
  const awaited = sale.intent.by !== 'terminal' && (sale.ending === 'unknown' || isAwaited(sale));
  const statement: ForcedEnding = { charged, ...by, awaited: awaited || undefined };
  const { done } = operations[sale.intent.operation];
  const doneReason = sale.intent.by === 'terminal' ? done : 'personSaidDone';
  const { offline, forwarded, reversal, goodsLeft } = sale;
  return end(sale, {
    ending: charged ? 'approved' : 'notSent',
    reason: charged ? doneReason : 'personSaidNot',
    forced: statement,
    offline,
    forwarded,
    reversal,
    goodsLeft: charged ? undefined : goodsLeft,
  });
};

/** Whether something was still to be sent or asked. */
const isUnsettled = (sale: EndedSale): boolean =>
  sale.intent.by !== 'terminal' &&
  (sale.ending === 'unknown' ||
    sale.reversal === 'due' ||
    isAwaited(sale) ||
    (sale.offline !== undefined && sale.forwarded === undefined));

/** Nothing is sent or asked for it any more: a stored message is dropped, and a pending reversal is settled. */
const applyForced = (sale: EndedSale, statement: ForcedEnding): Step => {
  const { reversal, ending, reason, why } = sale;
  if (statement.charged) return end(sale, { ending: 'approved', reason: 'personSaidDone', forced: statement });
  if (reversal === 'due' && ending === 'declined')
    return end(sale, { ending, reason, forced: statement, reversal: 'done', why });
  const goods = hasGoodsLeft(sale) && { goodsLeft: true as const };
  return end(sale, { ending: 'notSent', reason: 'personSaidNot', forced: statement, ...goods });
};

/** Whether the sale was taken offline with a card and only the bank's answer is missing. */
const hasGoodsLeft = ({ ending, offline, forwarded }: EndedSale): boolean =>
  ending === 'approved' && offline !== undefined && offline !== 'stored' && forwarded === undefined;

/** The question is answered now. An answer that contradicts the person's statement is kept next to it. */
const compared = (sale: EndedSale, differs: string | undefined, takenBack = false): Step => {
  const { forced: statement, differs: before, ...rest } = sale;
  const { awaited: _, ...answered } = statement ?? { charged: false };
  return {
    sale: { ...rest, forced: answered, ...(takenBack && { reversal: 'done' as const }), differs: differs ?? before },
  };
};

const reversalReason = (sale: EndedSale, { how }: EventOn<'reversed'>): string | undefined => {
  if (sale.forced?.charged !== true) return undefined;
  if (how === 'reversed') return 'The gateway has taken the payment back';
  return how === 'notFound' ? 'The gateway never had the payment' : 'The gateway had not approved the payment';
};

const contradictionReason = (sale: EndedSale, moved: boolean): string | undefined => {
  if (sale.forced?.charged === moved) return undefined;
  return moved ? 'The gateway has carried it out' : 'The gateway has declined it';
};

/**
 * Nobody was told about the approval, so an operation with a card is reversed. Money given back cannot be retrieved.
 */
const approvedLate = (sale: EndedSale, { answer }: EventOn<'approvedLate'>): Step | undefined => {
  const { intent, ending, reversal, offline } = sale;
  const isOver = ending === 'notSent' || ending === 'declined';
  if (intent.by === 'terminal' || !isOver || reversal !== undefined || offline !== undefined) return undefined;
  const known: EndedSale = { ...sale, answer };
  if (followsPayment(intent)) {
    const differs = 'The gateway has carried it out after it was said not to have been sent';
    return { sale: { ...known, ending: 'approved', reason: operations[intent.operation].done, differs } };
  }
  const differs = sale.forced === undefined ? {} : { differs: 'The gateway had approved it; it is taken back' };
  const late: EndedSale = { ...known, ending: 'declined', reason: 'approvedLate', reversal: 'due', ...differs };
  // If a person decided while the gateway was still being asked, the reversal is in the queue already.
  return isAwaited(sale) ? { sale: late } : { sale: late, outgoing: unansweredAction(intent) };
};

const cardDataExpired = (sale: EndedSale, { days }: EventOn<'cardDataExpired'>): Step | undefined =>
  // A follow-up is stored without card data.
  hasGoodsLeft(sale)
    ? end(sale, { ending: 'notSent', reason: 'cardDataExpired', why: `${days} days`, goodsLeft: true })
    : undefined;

/** It is decided only once who covers the missing money. */
const unpaidEnded = (sale: EndedSale, { end: unpaidEnd }: EventOn<'unpaidEnded'>): Step | undefined =>
  missingOf(sale) === undefined || sale.unpaidEnd !== undefined ? undefined : { sale: { ...sale, unpaidEnd } };

// Offline sales whose money did not arrive although the goods are gone: declined or partially approved when sent, or
// never sent. The card data was destroyed with the answer, so nothing is sent again.

/**
 * The part of the amount that the sale itself did not bring, whatever was paid since; undefined if nothing is missing,
 * and while that is unknown. A sale that charges another one's money again has no goods of its own.
 */
export const missingOf = (sale: Sale): Money | undefined => {
  if (sale.at !== 'ended' || sale.intent.chargesAgain !== undefined || isUndecided(sale)) return undefined;
  const { intent, ending, offline, forwarded, goodsLeft } = sale;
  const { amount } = intent;
  if (goodsLeft === true) return ending === 'approved' ? undefined : amount;
  if (offline === undefined || offline === 'stored' || forwarded === undefined) return undefined;
  if (!forwarded.approved) return ending === 'approved' ? undefined : amount;
  const receivedMinor = forwarded.answer.approved?.minor ?? amount.minor;
  return receivedMinor < amount.minor ? money(amount.minor - receivedMinor, amount.currency) : undefined;
};

/** Whether something is still being asked about the sale, or a person must decide first. */
const isUndecided = ({ ending, reversal, differs, forced, unread }: EndedSale): boolean =>
  ending === 'unknown' ||
  reversal === 'due' ||
  differs !== undefined ||
  forced?.awaited === true ||
  unread !== undefined;
