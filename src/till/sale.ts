/**
 * One sale, as a pure machine: an event gives the next state, what is to be sent because of it (durable in the same
 * step), and what is to be done now. Timers, devices and SQL live in the runner.
 *
 * Four endings: approved, declined (with positive evidence), not sent (proved), unknown. An unknown sale stays open
 * until its reversal, or for a refund its repeated request, was answered.
 */
import type { SaleEvent } from './events.ts';
import type { CardFacts, HostAnswer, Intent } from './facts.ts';
import type { Reason } from './reasons.ts';
import { type Effect, type EndedSale, end, type Rules, type Sale, type Step } from './states.ts';
import { terminalEnded, terminalRules } from './terminal-rules.ts';

export type { Effect, EndedSale, Ending, Outgoing, Sale, Step } from './states.ts';

/** How often the same request is sent while the customer waits, before the sale counts as unknown. */
const TRIES_MOST = 2;

/** The first step. A refund by receipt needs no card: the gateway has the payment. */
export const begin = (intent: Intent): Step => {
  if (intent.by === 'terminal')
    return { sale: { at: 'noting', intent, cancelled: false }, effects: [{ do: 'noteTerminal' }] };
  if (intent.operation === 'sale')
    return { sale: { at: 'presenting', intent, cancelled: false }, effects: [{ do: 'readCard' }] };
  return {
    sale: { at: 'authorising', intent, tries: 1, cancelled: false, chipIsDone: true },
    effects: [{ do: 'authorise' }],
  };
};

const release: readonly Effect[] = [{ do: 'releaseCard' }];

const rules: Rules = {
  ...terminalRules,

  presenting: {
    cardRead(sale, { card, decision, offline }) {
      const read = { ...sale, card };
      if (sale.cancelled) return end(read, { ending: 'notSent', reason: 'cancelledByTill' }, { effects: release });
      if (decision === 'declinedOffline') return end(read, { ending: 'declined', reason: 'declinedByChip' });
      const chipIsDone = decision === 'approvedOffline';
      if (chipIsDone && offline.kind === 'allowed' && offline.chip) return offlineApproved(read, 'chip');
      const { intent } = sale;
      return {
        sale: { at: 'authorising', intent, card, tries: 1, cancelled: false, chipIsDone },
        effects: [{ do: 'authorise' }],
      };
    },
    cardNotRead(sale, { why, words }) {
      const reason = sale.cancelled ? 'cancelledByTill' : why === 'cardRemoved' ? 'cardPulled' : why;
      return end(sale, { ending: 'notSent', reason, ...(words === undefined ? {} : { why: words }) });
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
      if (sale.card === undefined) return end(answered, { ending: 'approved', reason: 'refunded' });
      if (sale.chipIsDone) return end(answered, { ending: 'approved', reason: 'approved' });
      return complete({ intent: sale.intent, card: sale.card, answer, approved: true });
    },
    hostDeclined(sale, { answer }) {
      if (sale.chipIsDone || sale.card === undefined) {
        return end({ ...sale, answer }, { ending: 'declined', reason: 'declinedByHost', why: answer.description });
      }
      return complete({ intent: sale.intent, card: sale.card, answer, approved: false });
    },
    hostRefused(sale, { answer }) {
      // The first try may have been taken before the second was refused.
      if (sale.tries > 1) return unanswered(sale);
      const why = `${answer.code} ${answer.description}`;
      return end({ ...sale, answer }, { ending: 'declined', reason: 'refusedByHost', why }, { effects: release });
    },
    hostNotReached(sale, { offline, why }) {
      if (sale.tries > 1) return unanswered(sale);
      if (sale.cancelled) return end(sale, { ending: 'notSent', reason: 'cancelledByTill' }, { effects: release });
      if (sale.card === undefined) return end(sale, { ending: 'notSent', reason: 'neverArrived', why });
      if (offline.kind === 'refused' || sale.chipIsDone) {
        const words = offline.kind === 'refused' ? offline.why : why;
        return end(
          sale,
          { ending: 'notSent', reason: 'offlineRefused', why: words },
          sale.chipIsDone ? {} : { effects: release },
        );
      }
      const { intent, card } = sale;
      const verdict = offline.chip ? 'unableToGoOnline' : 'declined';
      return {
        sale: { at: 'goingOffline', intent, card, deferred: offline.deferred },
        effects: [{ do: 'completeChip', verdict }],
      };
    },
    hostSilent(sale) {
      if (sale.cancelled || sale.tries >= TRIES_MOST) return unanswered(sale);
      return { sale: { ...sale, tries: sale.tries + 1 }, effects: [{ do: 'authorise' }] };
    },
    cancelAsked: (sale) =>
      sale.cancelled || sale.card === undefined ? undefined : { sale: { ...sale, cancelled: true } },
    restarted: (sale) => unanswered(sale),
  },

  completing: {
    chipApproved: (sale, { chip }) => settle({ ...sale, chip }),
    chipNotAsked: (sale, { chip }) => settle({ ...sale, ...(chip && { chip }) }),
    chipDeclined: (sale, { chip }) =>
      sale.approved ? giveBack({ ...sale, chip }, 'chipRefusedApproval') : settle({ ...sale, chip }),
    chipGone: (sale) => (sale.approved ? giveBack(sale, 'cardPulledAfterApproval') : settle(sale)),
    // Nobody was told of the approval: it is given back, also when the card would have had no further say.
    restarted: (sale) => (sale.approved ? giveBack(sale, 'restartedAfterApproval') : settle(sale)),
  },

  goingOffline: {
    chipApproved: (sale, { chip }) => offlineApproved({ ...sale, chip }, 'chip'),
    chipDeclined: (sale, { chip }) =>
      sale.deferred
        ? offlineApproved({ ...sale, chip }, 'deferred')
        : end({ ...sale, chip }, { ending: 'declined', reason: 'declinedByChip' }),
    chipNotAsked: (sale, { chip }) =>
      sale.deferred
        ? offlineApproved({ ...sale, ...(chip && { chip }) }, 'deferred')
        : end(sale, { ending: 'notSent', reason: 'offlineRefused', why: 'the card cannot approve by itself' }),
    chipGone: (sale) => end(sale, { ending: 'notSent', reason: 'cardPulled' }),
    restarted: (sale) => end(sale, { ending: 'notSent', reason: 'restarted' }),
  },

  ended: {
    ...terminalEnded,
    reversed(sale, { how, answer }) {
      if (isHeld(sale)) return undefined;
      if (sale.reversal === 'due' && sale.ending === 'declined') return { sale: { ...sale, reversal: 'done' } };
      if (sale.ending !== 'unknown' || isOpenRefund(sale)) return undefined;
      const known = answer === undefined ? sale : { ...sale, answer };
      if (how === 'reversed') return end(known, { ending: 'declined', reason: 'reversed', reversal: 'done' });
      if (how === 'notFound') return end(known, { ending: 'notSent', reason: 'neverArrived' });
      return end(known, { ending: 'declined', reason: 'declinedByHost', why: answer?.description ?? '' });
    },
    forwarded(sale, { approved, answer }) {
      if (sale.offline === undefined || sale.forwarded !== undefined) return undefined;
      const known: EndedSale = { ...sale, answer, forwarded: { approved, answer } };
      if (approved) return { sale: known };
      return { sale: { ...known, ending: 'declined', reason: 'declinedOnForwarding', why: answer.description } };
    },
    // A refund's repeated request was answered at last.
    hostApproved: (sale, { answer }) =>
      isOpenRefund(sale) ? end({ ...sale, answer }, { ending: 'approved', reason: 'refunded' }) : undefined,
    hostDeclined: (sale, { answer }) =>
      isOpenRefund(sale)
        ? end({ ...sale, answer }, { ending: 'declined', reason: 'declinedByHost', why: answer.description })
        : undefined,
  },
};

const complete = (known: { intent: Intent; card: CardFacts; answer: HostAnswer; approved: boolean }): Step => ({
  sale: { at: 'completing', ...known },
  effects: [{ do: 'completeChip', verdict: known.approved ? 'approved' : 'declined' }],
});

const settle = (sale: Extract<Sale, { at: 'completing' }>): Step =>
  sale.approved
    ? end(sale, { ending: 'approved', reason: 'approved' })
    : end(sale, { ending: 'declined', reason: 'declinedByHost', why: sale.answer.description });

/** The host said yes and the sale will not happen: the approval goes back, stored before anything else. */
const giveBack = (sale: Sale, reason: Reason): Step =>
  end(sale, { ending: 'declined', reason, reversal: 'due' }, { outgoing: 'reverse' });

const offlineApproved = (sale: Sale, offline: 'chip' | 'deferred'): Step =>
  end(sale, { ending: 'approved', reason: 'approvedOffline', offline }, { outgoing: 'forward' });

/** A refund is asked for again until it is answered; a sale is taken back, because its customer will not wait. */
const unanswered = (sale: Sale): Step =>
  sale.intent.operation === 'refund'
    ? end(sale, { ending: 'unknown', reason: 'unanswered' }, { outgoing: 'repeat' })
    : end(sale, { ending: 'unknown', reason: 'unanswered' }, { outgoing: 'reverse', effects: release });

const isHeld = ({ intent }: EndedSale): boolean => intent.by === 'terminal';

const isOpenRefund = (sale: EndedSale): boolean =>
  sale.ending === 'unknown' && sale.intent.operation === 'refund' && !isHeld(sale);

/** The next step, or undefined when the event has no meaning in this state: the caller writes it down and stays. */
export const next = (sale: Sale, event: SaleEvent): Step | undefined => {
  const rule = rules[sale.at][event.on] as ((sale: Sale, event: SaleEvent) => Step | undefined) | undefined;
  return rule?.(sale, event);
};

/** Whether anything is still to come: an unfinished sale, an unknown one, a reversal or a forwarding under way. */
export const isOpen = (sale: Sale): boolean =>
  sale.at !== 'ended' ||
  sale.ending === 'unknown' ||
  sale.reversal === 'due' ||
  sale.confirm === true ||
  (sale.offline !== undefined && sale.forwarded === undefined);

/** The sale that these events tell of. The first is `intended`. */
export const replay = (events: readonly SaleEvent[]): Sale | undefined => {
  let sale: Sale | undefined;
  for (const event of events) {
    if (event.on === 'intended') sale = begin(event.intent).sale;
    else if (sale !== undefined) sale = next(sale, event)?.sale ?? sale;
  }
  return sale;
};
