/** The rows of the sale machine from the card to the gateway's answer and the chip's final decision. */
import type { Reason } from '../../locales/messages/en/reasons.ts';
import type { CardFacts, HostAnswer, Intent } from './facts.ts';
import type { OfflineVerdict } from './offline-facts.ts';
import { followsPayment, operations, unansweredAction } from './operations.ts';
import { end, type Rules, release, type Sale, type Step } from './states.ts';

/** How often the same request is sent while the customer waits, before the sale counts as unknown. */
const TRIES_MOST = 2;

type Authorising = Extract<Sale, { at: 'authorising' }>;

export const cardRules: Rules<'presenting' | 'authorising' | 'completing' | 'goingOffline'> = {
  presenting: {
    cardRead(sale, { card, decision, offline }) {
      const { intent } = sale;
      const read = { ...sale, card };
      if (sale.cancelled) return end(read, { ending: 'notSent', reason: 'cancelledByTill' }, { effects: release });
      // The chip is not asked to approve a credit: its decline ends only the chip's part.
      if (decision === 'declinedOffline' && intent.operation !== 'credit')
        return end(read, { ending: 'declined', reason: 'declinedByChip' });
      const chipIsDone = decision !== 'goOnline';
      if (chipIsDone && offline.kind === 'allowed' && offline.chip && mayGoOffline(intent))
        return storedOffline(read, 'chip');
      return {
        sale: { at: 'authorising', intent, card, tries: 1, cancelled: false, chipIsDone },
        effects: [{ do: 'authorise' }],
      };
    },
    cardNotRead(sale, { why, words }) {
      const reason = sale.cancelled ? 'cancelledByTill' : why === 'cardRemoved' ? 'cardPulled' : why;
      return end(sale, { ending: 'notSent', reason, why: words });
    },
    cancelAsked: (sale) =>
      sale.cancelled ? undefined : { sale: { ...sale, cancelled: true }, effects: [{ do: 'cancelCard' }] },
    restarted: (sale) => end(sale, { ending: 'notSent', reason: 'restarted' }),
  },

  authorising: {
    hostApproved(sale, { answer }) {
      const answered = { ...sale, answer };
      if (sale.cancelled) {
        return end(
          answered,
          { ending: 'declined', reason: 'cancelledAfterApproval', reversal: 'due' },
          { outgoing: 'reverse', effects: release },
        );
      }
      if (sale.card === undefined || sale.chipIsDone) return approveSale(answered);
      return complete({ intent: sale.intent, card: sale.card, answer, approved: true });
    },
    hostDeclined(sale, { answer }) {
      if (sale.chipIsDone || sale.card === undefined) {
        return end({ ...sale, answer }, { ending: 'declined', reason: 'declinedByHost', why: answer.description });
      }
      return complete({ intent: sale.intent, card: sale.card, answer, approved: false });
    },
    hostRefused(sale, { answer }) {
      // The first try may have been accepted before the second was refused.
      if (sale.tries > 1) return endUnanswered(sale);
      const why = `${answer.code} ${answer.description}`;
      return end({ ...sale, answer }, { ending: 'declined', reason: 'refusedByHost', why }, { effects: release });
    },
    hostOtherMode(sale, { answered, answer }) {
      // The first try may have been accepted in the till's own mode.
      if (sale.tries > 1) return endUnanswered(sale);
      const reason = answered === 'test' ? 'testAnswer' : 'liveAnswer';
      const known = { ...sale, answer };
      // A follow-up is not reversed: a live channel has carried it out, a test one has not.
      if (followsPayment(sale.intent))
        return answered === 'live' ? approveSale(known) : end(known, { ending: 'declined', reason });
      return end(known, { ending: 'declined', reason, reversal: 'due' }, { outgoing: 'reverse', effects: release });
    },
    hostNotReached(sale, { offline, why }) {
      if (sale.tries > 1) return endUnanswered(sale);
      if (sale.cancelled) return end(sale, { ending: 'notSent', reason: 'cancelledByTill' }, { effects: release });
      if (sale.card !== undefined) return withoutGateway({ ...sale, card: sale.card }, { offline, why });
      return mayBeStored(sale.intent, offline)
        ? end(sale, { ending: 'approved', reason: 'stored', offline: 'stored' }, { outgoing: 'follow' })
        : end(sale, { ending: 'notSent', reason: 'neverArrived', why });
    },
    hostSilent(sale) {
      if (sale.cancelled || sale.tries >= TRIES_MOST) return endUnanswered(sale);
      return { sale: { ...sale, tries: sale.tries + 1 }, effects: [{ do: 'authorise' }] };
    },
    // A follow-up is sent at once and never reversed: it is repeated until it is answered.
    cancelAsked: (sale) =>
      sale.cancelled || followsPayment(sale.intent) ? undefined : { sale: { ...sale, cancelled: true } },
    restarted: (sale) => endUnanswered(sale),
  },

  completing: {
    chipApproved: (sale, { chip }) => settle({ ...sale, chip }),
    chipNotAsked: (sale, { chip }) => settle({ ...sale, ...(chip && { chip }) }),
    chipDeclined: (sale, { chip }) =>
      sale.approved ? giveBack({ ...sale, chip }, 'chipRefusedApproval') : settle({ ...sale, chip }),
    chipGone: (sale) => (sale.approved ? giveBack(sale, 'cardPulledAfterApproval') : settle(sale)),
    // Nobody was told about the approval: it is reversed, even if the card had no further decision to make.
    restarted: (sale) => (sale.approved ? giveBack(sale, 'restartedAfterApproval') : settle(sale)),
  },

  goingOffline: {
    chipApproved: (sale, { chip }) => storedOffline({ ...sale, chip }, 'chip'),
    chipDeclined: (sale, { chip }) =>
      sale.deferred
        ? storedOffline({ ...sale, chip }, 'deferred')
        : end({ ...sale, chip }, { ending: 'declined', reason: 'declinedByChip' }),
    chipNotAsked: (sale, { chip }) =>
      sale.deferred
        ? storedOffline({ ...sale, ...(chip && { chip }) }, 'deferred')
        : end(sale, { ending: 'notSent', reason: 'offlineRefused', ...chipAlone }),
    chipGone: (sale) => end(sale, { ending: 'notSent', reason: 'cardPulled' }),
    restarted: (sale) => end(sale, { ending: 'notSent', reason: 'restarted' }),
  },
};

const chipAlone = { why: 'the card cannot approve by itself', refusal: 'chipAlone' } as const;

const mayGoOffline = ({ operation }: Intent): boolean => operations[operation].offline === 'card';

const mayBeStored = ({ operation }: Intent, verdict: OfflineVerdict): boolean => {
  const { offline } = operations[operation];
  return offline === 'stored' || (offline === 'asked' && verdict.kind === 'allowed' && verdict.stored === true);
};

const withoutGateway = (
  { card, ...sale }: Authorising & { card: CardFacts },
  { offline, why }: { offline: OfflineVerdict; why: string },
): Step => {
  const { intent } = sale;
  const isAllowed = offline.kind === 'allowed' && (offline.chip || offline.deferred);
  if (!isAllowed || sale.chipIsDone || !mayGoOffline(intent)) {
    const refused = mayGoOffline(intent) && offline.kind === 'refused' ? offline : undefined;
    const text = refused?.why ?? why;
    return end(
      { ...sale, card },
      { ending: 'notSent', reason: 'offlineRefused', why: text, refusal: refused?.code },
      sale.chipIsDone ? {} : { effects: release },
    );
  }
  const verdict = offline.chip ? 'unableToGoOnline' : 'declined';
  return {
    sale: { at: 'goingOffline', intent, card, deferred: offline.deferred },
    effects: [{ do: 'completeChip', verdict }],
  };
};

const complete = (known: { intent: Intent; card: CardFacts; answer: HostAnswer; approved: boolean }): Step => ({
  sale: { at: 'completing', ...known },
  effects: [{ do: 'completeChip', verdict: known.approved ? 'approved' : 'declined' }],
});

const approveSale = (sale: Sale): Step =>
  end(sale, { ending: 'approved', reason: operations[sale.intent.operation].done });

const settle = (sale: Extract<Sale, { at: 'completing' }>): Step =>
  sale.approved
    ? approveSale(sale)
    : end(sale, { ending: 'declined', reason: 'declinedByHost', why: sale.answer.description });

/** The host approved and the sale will not happen: the approval is reversed, stored before anything else. */
const giveBack = (sale: Sale, reason: Reason): Step =>
  end(sale, { ending: 'declined', reason, reversal: 'due' }, { outgoing: 'reverse' });

const storedOffline = (sale: Sale, offline: 'chip' | 'deferred'): Step => {
  const isSale = sale.intent.operation === 'sale';
  // Only the chip can approve offline: a sale at the store's risk is taken, not approved.
  const approved = isSale ? 'approvedOffline' : 'heldOffline';
  const offlineReason = isSale ? 'takenOffline' : 'holdTakenOffline';
  const reason = offline === 'chip' ? approved : offlineReason;
  return end(sale, { ending: 'approved', reason, offline }, { outgoing: 'forward' });
};

/** A follow-up is repeated until it is answered; a sale is reversed, because its customer will not wait. */
const endUnanswered = (sale: Authorising): Step => {
  const outgoing = unansweredAction(sale.intent);
  const effects = outgoing === 'reverse' ? { effects: release } : {};
  return end(sale, { ending: 'unknown', reason: 'unanswered' }, { outgoing, ...effects });
};
