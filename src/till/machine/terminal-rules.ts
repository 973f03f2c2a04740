/**
 * The rows of the sale machine for a terminal that authorises by itself: the till gives the amount, the terminal
 * reports the ending. If it did not, it is opened again and asked; its last payment before this one is noted first, so
 * that an old payment can never be taken for this one.
 */
import type { SaleEvent } from './events.ts';
import { operations } from './operations.ts';
import { type Effect, type EndedSale, end, type Rules, type Sale, type Step } from './states.ts';
import { misfitOf } from './terminal-facts.ts';

/** How often a lost terminal is asked while the customer waits, before the sale counts as unknown. */
const INQUIRIES_MAX = 5;

type EventOn<E extends SaleEvent['on']> = Extract<SaleEvent, { on: E }>;
type Begun = Extract<Sale, { at: 'paying' | 'asking' }>;

const reverse: readonly Effect[] = [{ do: 'reverseAtTerminal' }];

/** A refund by reversal: a payment can be reversed only once, so it is repeated until it is answered. */
const isReversal = ({ intent }: Sale): boolean => intent.follows?.at?.how === 'reverse';

const wasCancelled = (sale: Begun | EndedSale): boolean => sale.cancelled === true;

/** The terminal charged, or refunded. An unwanted approval, or one of another amount, is reversed. */
const approveSale = (presentSale: Begun | EndedSale, { payment, slip }: EventOn<'terminalApproved'>): Step => {
  const sale = {
    ...presentSale,
    ...(presentSale.terminal && { terminal: { ...presentSale.terminal, payment, slip } }),
  };
  const { amount, operation, follows } = sale.intent;
  const fits = payment.amount.minor === amount.minor && payment.amount.currency === amount.currency;
  if (follows !== undefined) {
    // Money that was wrongly refunded cannot be taken from the customer's card: a person decides.
    if (!fits) return end(sale, { ending: 'unknown', reason: 'refundedOtherAmount', forPerson: true });
    const misfit = isReversal(sale) && follows.at ? misfitOf(follows.at, payment) : undefined;
    if (misfit !== undefined) return endUnclear(sale, misfit);
    return end(sale, {
      ending: 'approved',
      reason: isReversal(sale) ? 'reversedAtTerminal' : operations[operation].done,
    });
  }
  if (!fits) return giveBack(sale, 'approvedOtherAmount');
  return wasCancelled(sale)
    ? giveBack(sale, 'cancelledAfterApproval')
    : end(sale, { ending: 'approved', reason: 'approved' });
};

/** The reversal is recorded with the approval, and repeated until the terminal has answered. */
const giveBack = (sale: Sale, reason: 'approvedOtherAmount' | 'cancelledAfterApproval'): Step =>
  end(sale, { ending: 'declined', reason, reversal: 'due' }, { effects: reverse });

const declineSale = (
  presentSale: Begun | EndedSale,
  { code, why, already, payment, slip }: EventOn<'terminalDeclined'>,
): Step => {
  const sale = {
    ...presentSale,
    ...(presentSale.terminal && {
      terminal: { ...presentSale.terminal, ...(payment && { payment }), ...(slip && { slip }) },
    }),
  };
  if (isReversal(sale) && already === true) return end(sale, { ending: 'approved', reason: 'reversedAtTerminal' });
  if (isReversal(sale)) return end(sale, { ending: 'declined', reason: 'reversalDeclined', why });
  if (wasCancelled(sale)) return end(sale, { ending: 'declined', reason: 'cancelledByTill' });
  return end(sale, { ending: 'declined', reason: 'declinedAtTerminal', why, code });
};

const endNotBegun = (sale: Begun | EndedSale, { why }: EventOn<'terminalNotBegun'>): Step =>
  wasCancelled(sale)
    ? end(sale, { ending: 'notSent', reason: 'cancelledByTill' })
    : end(sale, { ending: 'notSent', reason: 'notBegunAtTerminal', why });

/** One answer proves that nothing was paid. The next one must confirm it before another payment begins. */
const endUnchanged = (sale: Begun | EndedSale): Step =>
  end(sale, { ending: 'notSent', reason: wasCancelled(sale) ? 'cancelledByTill' : 'neverMade', confirm: true });

const endUnclear = (sale: Begun | EndedSale, reason: string): Step =>
  end(sale, { ending: 'unknown', reason: 'unclearAtTerminal', why: reason, forPerson: true });

const askOrEnd = (sale: Begun): Step =>
  end(sale, { ending: 'unknown', reason: 'unansweredAtTerminal', cancelled: sale.cancelled || undefined });

/** A refused repetition of a reversal proves nothing about the first try, unless it says that the first succeeded. */
const isRefusedAgain = (sale: Sale, { already }: EventOn<'terminalDeclined'>): boolean =>
  isReversal(sale) && already !== true;

/**
 * "No payment", both before and now, proves nothing: a terminal forgets its payments when it closes its day, and can
 * report none while a payment is in progress.
 */
const hadNoPayment = ({ terminal }: Begun | EndedSale): boolean => terminal?.before.text === 'none';

export const terminalRules: Rules<'noting' | 'paying' | 'asking'> = {
  noting: {
    terminalNoted(sale, { device, before, aheadMs, unnamed }) {
      if (sale.cancelled) return end(sale, { ending: 'notSent', reason: 'cancelledByTill' });
      const { intent } = sale;
      // On another device the same number means another payment.
      if (isReversal(sale) && (unnamed || intent.follows?.at?.device !== device))
        return end(sale, { ending: 'notSent', reason: 'otherTerminal' });
      const terminal = { device, before, aheadMs };
      return { sale: { at: 'paying', intent, terminal, cancelled: false }, effects: [{ do: 'payAtTerminal' }] };
    },
    terminalUnready: (sale, { why }) =>
      sale.cancelled
        ? end(sale, { ending: 'notSent', reason: 'cancelledByTill' })
        : end(sale, { ending: 'notSent', reason: 'terminalFailed', why }),
    cancelAsked: (sale) => (sale.cancelled ? undefined : { sale: { ...sale, cancelled: true } }),
    restarted: (sale) => end(sale, { ending: 'notSent', reason: 'restarted' }),
  },

  paying: {
    terminalTook: (sale, { askedAt }) =>
      isReversal(sale) ? undefined : { sale: { ...sale, terminal: { ...sale.terminal, askedAt } } },
    terminalApproved: approveSale,
    terminalDeclined: declineSale,
    terminalNotBegun: endNotBegun,
    terminalSilent: ({ intent, terminal, cancelled }) => ({
      sale: { at: 'asking', intent, terminal, cancelled, tries: 1 },
      effects: [{ do: 'askTerminal' }],
    }),
    cancelAsked: (sale) =>
      sale.cancelled || isReversal(sale)
        ? undefined
        : { sale: { ...sale, cancelled: true }, effects: [{ do: 'cancelAtTerminal' }] },
    restarted: askOrEnd,
  },

  asking: {
    terminalApproved: approveSale,
    terminalDeclined: (sale, event) =>
      isRefusedAgain(sale, event) ? endUnclear(sale, event.why) : declineSale(sale, event),
    terminalNotBegun: (sale, event) => (isReversal(sale) ? askAgain(sale) : endNotBegun(sale, event)),
    terminalUnchanged(sale) {
      if (isReversal(sale)) return undefined;
      return hadNoPayment(sale) ? askAgain(sale) : endUnchanged(sale);
    },
    terminalUnclear: (sale, { why }) => endUnclear(sale, why),
    terminalSilent: (sale) => askAgain(sale),
    cancelAsked: (sale) => (sale.cancelled || isReversal(sale) ? undefined : { sale: { ...sale, cancelled: true } }),
    restarted: askOrEnd,
  },
};

const askAgain = (sale: Extract<Sale, { at: 'asking' }>): Step =>
  sale.tries >= INQUIRIES_MAX
    ? askOrEnd(sale)
    : { sale: { ...sale, tries: sale.tries + 1 }, effects: [{ do: 'askTerminal' }] };

/** Whether the outcome is unknown and the terminal can still be asked. */
const isOpen = (sale: EndedSale): boolean =>
  sale.intent.by === 'terminal' && sale.ending === 'unknown' && sale.forPerson !== true;

const confirmed = ({ confirm: _, ...sale }: EndedSale): Step => ({ sale });

/**
 * Proof that the money was returned counts, even if the terminal had refused or could not tell. If a person had
 * decided, their statement is kept next to it.
 */
const noteReturned = (sale: EndedSale, { number }: EventOn<'terminalReversed'>): Step | undefined => {
  const { terminal, forced, intent } = sale;
  if (sale.reversal === 'done' || terminal?.payment === undefined || intent.follows !== undefined) return undefined;
  const known = { ...sale, terminal: { ...terminal, ...(number !== undefined && { reversalNumber: number }) } };
  if (sale.reversal === 'due') return { sale: { ...known, reversal: 'done' } };
  if (forced !== undefined) {
    const differs = forced.charged ? { differs: 'The terminal has taken the payment back' } : {};
    return { sale: { ...known, reversal: 'done', ...differs } };
  }
  const { amount } = terminal.payment;
  const fits = amount.minor === intent.amount.minor && amount.currency === intent.amount.currency;
  const reason = fits ? 'cancelledAfterApproval' : 'approvedOtherAmount';
  return end(known, { ending: 'declined', reason, reversal: 'done' });
};

/** Another customer's payment was reversed: a person must look, whatever was reported about this one. */
const noteOtherPayment = (sale: EndedSale, reason: string): Step | undefined => {
  if (sale.terminal?.payment === undefined || sale.intent.follows !== undefined) return undefined;
  if (sale.forced === undefined && sale.reversal !== 'done') return endUnclear(sale, reason);
  return { sale: { ...sale, differs: 'The terminal has taken back another payment' } };
};

export const terminalEnded: Rules<'ended'>['ended'] = {
  terminalApproved(sale, event) {
    if (isOpen(sale)) return approveSale(sale, event);
    // The payment came too late, or was made by hand at the terminal since: only a person can tell.
    return sale.confirm === true ? endUnclear(sale, 'it names a payment of this amount now') : undefined;
  },
  terminalDeclined(sale, event) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    if (isReversal(sale)) return isRefusedAgain(sale, event) ? endUnclear(sale, event.why) : declineSale(sale, event);
    // Another customer's card may have been declined since.
    return event.payment === undefined
      ? endUnclear(sale, 'it does not say which payment was its last')
      : declineSale(sale, event);
  },
  terminalNotBegun(sale, { why }) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    return isReversal(sale) ? undefined : endUnclear(sale, why);
  },
  terminalUnchanged(sale) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    if (isReversal(sale)) return undefined;
    return hadNoPayment(sale) ? endUnclear(sale, 'it knows of no payment') : endUnchanged(sale);
  },
  terminalUnclear(sale, { why, alike }) {
    if (isOpen(sale)) return endUnclear(sale, why);
    if (sale.confirm !== true) return undefined;
    return alike ? endUnclear(sale, why) : confirmed(sale);
  },
  terminalReversed(sale, event) {
    const { how, why = '', again } = event;
    if (sale.intent.by !== 'terminal') return undefined;
    if (how === 'reversed') return noteReturned(sale, event);
    if (how === 'other') return noteOtherPayment(sale, why);
    if (sale.reversal !== 'due') return undefined;
    // The reversal is refused because it is already done, or for good: the terminal's journal shows which.
    if (again === true) return endUnclear(sale, `it had approved, and does not take it back: ${why}`);
    return end(sale, { ending: 'approved', reason: 'reversalRefused', why });
  },
};
