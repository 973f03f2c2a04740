/**
 * The rows of the sale machine for a terminal that authorises by itself: the till names the amount, the terminal tells
 * the ending. What it did not tell is asked for on a terminal opened anew; the last payment it knew before is written
 * down first, so that an old payment can never be taken for this one.
 */
import type { SaleEvent } from './events.ts';
import { operations } from './operations.ts';
import { type Effect, type EndedSale, end, type Rules, type Sale, type Step } from './states.ts';
import { misfitOf } from './terminal-facts.ts';

/** How often a terminal that was lost is asked while the customer waits, before the sale counts as unknown. */
const INQUIRIES_MAX = 5;

type EventOn<E extends SaleEvent['on']> = Extract<SaleEvent, { on: E }>;
type Begun = Extract<Sale, { at: 'paying' | 'asking' }>;

const reverse: readonly Effect[] = [{ do: 'reverseAtTerminal' }];

/** A refund that reverses: a payment can be reversed once only, so it is asked for again until it is answered. */
const isReversal = ({ intent }: Sale): boolean => intent.follows?.at?.how === 'reverse';

const wasCancelled = (sale: Begun | EndedSale): boolean => sale.cancelled === true;

/** The terminal charged, or gave back. An approval that nobody wants any more, or of another amount, goes back. */
const approved = (told: Begun | EndedSale, { payment, slip }: EventOn<'terminalApproved'>): Step => {
  const sale = { ...told, ...(told.terminal && { terminal: { ...told.terminal, payment, slip } }) };
  const { amount, operation, follows } = sale.intent;
  const fits = payment.amount.minor === amount.minor && payment.amount.currency === amount.currency;
  if (follows !== undefined) {
    // What was given back wrongly cannot be taken from the customer's card: a person decides.
    if (!fits) return end(sale, { ending: 'unknown', reason: 'refundedOtherAmount', forPerson: true });
    const misfit = isReversal(sale) && follows.at ? misfitOf(follows.at, payment) : undefined;
    if (misfit !== undefined) return unclear(sale, misfit);
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

/** Recorded with the approval; then asked for until the terminal has answered. */
const giveBack = (sale: Sale, reason: 'approvedOtherAmount' | 'cancelledAfterApproval'): Step =>
  end(sale, { ending: 'declined', reason, reversal: 'due' }, { effects: reverse });

const declined = (
  told: Begun | EndedSale,
  { code, why, already, payment, slip }: EventOn<'terminalDeclined'>,
): Step => {
  const sale = {
    ...told,
    ...(told.terminal && { terminal: { ...told.terminal, ...(payment && { payment }), ...(slip && { slip }) } }),
  };
  if (isReversal(sale) && already === true) return end(sale, { ending: 'approved', reason: 'reversedAtTerminal' });
  if (isReversal(sale)) return end(sale, { ending: 'declined', reason: 'reversalDeclined', why });
  if (wasCancelled(sale)) return end(sale, { ending: 'declined', reason: 'cancelledByTill' });
  return end(sale, { ending: 'declined', reason: 'declinedAtTerminal', why, code });
};

const notBegun = (sale: Begun | EndedSale, { why }: EventOn<'terminalNotBegun'>): Step =>
  wasCancelled(sale)
    ? end(sale, { ending: 'notSent', reason: 'cancelledByTill' })
    : end(sale, { ending: 'notSent', reason: 'notBegunAtTerminal', why });

/** Proved by one answer. The next one is to confirm it, before it can be taken for another payment's. */
const unchanged = (sale: Begun | EndedSale): Step =>
  end(sale, { ending: 'notSent', reason: wasCancelled(sale) ? 'cancelledByTill' : 'neverMade', confirm: true });

const unclear = (sale: Begun | EndedSale, why: string): Step =>
  end(sale, { ending: 'unknown', reason: 'unclearAtTerminal', why, forPerson: true });

const unanswered = (sale: Begun): Step =>
  end(sale, { ending: 'unknown', reason: 'unansweredAtTerminal', cancelled: sale.cancelled || undefined });

/** A repeated reversal that is refused says nothing about the first, unless it was refused for that. */
const isRefusedAgain = (sale: Sale, { already }: EventOn<'terminalDeclined'>): boolean =>
  isReversal(sale) && already !== true;

/**
 * No payment before, and none now, proves nothing: a terminal forgets its payments when it closes its day, and may say
 * that it has none to tell of while it is at one.
 */
const knewNone = ({ terminal }: Begun | EndedSale): boolean => terminal?.before.text === 'none';

export const terminalRules: Rules<'noting' | 'paying' | 'asking'> = {
  noting: {
    terminalNoted(sale, { device, before, aheadMs, unnamed }) {
      if (sale.cancelled) return end(sale, { ending: 'notSent', reason: 'cancelledByTill' });
      const { intent } = sale;
      // The number of a payment means another one on another device.
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
    terminalApproved: approved,
    terminalDeclined: declined,
    terminalNotBegun: notBegun,
    terminalSilent: ({ intent, terminal, cancelled }) => ({
      sale: { at: 'asking', intent, terminal, cancelled, tries: 1 },
      effects: [{ do: 'askTerminal' }],
    }),
    cancelAsked: (sale) =>
      sale.cancelled || isReversal(sale)
        ? undefined
        : { sale: { ...sale, cancelled: true }, effects: [{ do: 'cancelAtTerminal' }] },
    restarted: unanswered,
  },

  asking: {
    terminalApproved: approved,
    terminalDeclined: (sale, event) => (isRefusedAgain(sale, event) ? unclear(sale, event.why) : declined(sale, event)),
    terminalNotBegun: (sale, event) => (isReversal(sale) ? askAgain(sale) : notBegun(sale, event)),
    terminalUnchanged(sale) {
      if (isReversal(sale)) return undefined;
      return knewNone(sale) ? askAgain(sale) : unchanged(sale);
    },
    terminalUnclear: (sale, { why }) => unclear(sale, why),
    terminalSilent: (sale) => askAgain(sale),
    cancelAsked: (sale) => (sale.cancelled || isReversal(sale) ? undefined : { sale: { ...sale, cancelled: true } }),
    restarted: unanswered,
  },
};

const askAgain = (sale: Extract<Sale, { at: 'asking' }>): Step =>
  sale.tries >= INQUIRIES_MAX
    ? unanswered(sale)
    : { sale: { ...sale, tries: sale.tries + 1 }, effects: [{ do: 'askTerminal' }] };

/** Unknown, and the terminal has not had its say. */
const isOpen = (sale: EndedSale): boolean =>
  sale.intent.by === 'terminal' && sale.ending === 'unknown' && sale.forPerson !== true;

const confirmed = ({ confirm: _, ...sale }: EndedSale): Step => ({ sale });

/**
 * Proof that the money went back counts, whatever was said before: that the terminal had refused, or could not tell.
 * Where a person had spoken, what they said is kept beside it.
 */
const wentBack = (sale: EndedSale, { number }: EventOn<'terminalReversed'>): Step | undefined => {
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

/** Somebody else's payment went back: a person looks, whatever was said of this one. */
const tookAnother = (sale: EndedSale, why: string): Step | undefined => {
  if (sale.terminal?.payment === undefined || sale.intent.follows !== undefined) return undefined;
  if (sale.forced === undefined && sale.reversal !== 'done') return unclear(sale, why);
  return { sale: { ...sale, differs: 'The terminal has taken back another payment' } };
};

export const terminalEnded: Rules<'ended'>['ended'] = {
  terminalApproved(sale, event) {
    if (isOpen(sale)) return approved(sale, event);
    // Too late, or made by hand at the terminal since: nobody but a person can tell.
    return sale.confirm === true ? unclear(sale, 'it names a payment of this amount now') : undefined;
  },
  terminalDeclined(sale, event) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    if (isReversal(sale)) return isRefusedAgain(sale, event) ? unclear(sale, event.why) : declined(sale, event);
    // Since then somebody else's card may have been declined.
    return event.payment === undefined
      ? unclear(sale, 'it does not say which payment was its last')
      : declined(sale, event);
  },
  terminalNotBegun(sale, { why }) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    return isReversal(sale) ? undefined : unclear(sale, why);
  },
  terminalUnchanged(sale) {
    if (!isOpen(sale)) return sale.confirm === true ? confirmed(sale) : undefined;
    if (isReversal(sale)) return undefined;
    return knewNone(sale) ? unclear(sale, 'it knows of no payment') : unchanged(sale);
  },
  terminalUnclear(sale, { why, alike }) {
    if (isOpen(sale)) return unclear(sale, why);
    if (sale.confirm !== true) return undefined;
    return alike ? unclear(sale, why) : confirmed(sale);
  },
  terminalReversed(sale, event) {
    const { how, why = '', again } = event;
    if (sale.intent.by !== 'terminal') return undefined;
    if (how === 'reversed') return wentBack(sale, event);
    if (how === 'other') return tookAnother(sale, why);
    if (sale.reversal !== 'due') return undefined;
    // Refused because it is done already, or for good: the terminal's journal shows which.
    if (again === true) return unclear(sale, `it had approved, and does not take it back: ${why}`);
    return end(sale, { ending: 'approved', reason: 'reversalRefused', why });
  },
};
