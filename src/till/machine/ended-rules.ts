/** The rows of the sale machine for a sale that has ended: what the queue, a void or the gateway still say of it. */
import { followsPayment, operations } from './operations.ts';
import { type EndedSale, end, type Rules } from './states.ts';
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
    // A sale keeps the word that it was taken offline.
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
  // What follows a payment was asked for again, and answered at last.
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

/** Taken offline, and still to be sent. */
const isStored = ({ ending, offline, forwarded }: EndedSale): boolean =>
  ending === 'approved' && offline !== undefined && forwarded === undefined;

const isRepeated = (sale: EndedSale): boolean =>
  sale.ending === 'unknown' && followsPayment(sale.intent) && !isHeld(sale);
