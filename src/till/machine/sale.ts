/**
 * One sale, as a pure machine: an event gives the next state, the messages to send because of it (durable in the same
 * step), and the effects to perform now. Timers, devices and SQL are in the runner.
 *
 * Four endings: approved, declined (with positive evidence), not sent (proved), unknown. An unknown sale stays open
 * until its reversal is answered; an unknown follow-up until its repeated request is.
 */
import { Fault } from '../../base/fault.ts';
import { cardRules } from './card-rules.ts';
import { applyAfterEnd, endedRules, isOpenAfterwards } from './ended-rules.ts';
import type { ReadEvent, SaleEvent } from './events.ts';
import type { Intent } from './facts.ts';
import { followsPayment } from './operations.ts';
import { type EndedSale, end, type Rules, type Sale, type Step, unreadSale } from './states.ts';
import { terminalRules } from './terminal-rules.ts';

export type { Effect, EndedSale, Ending, OutgoingKind, Sale, Step } from './states.ts';

export const begin = (intent: Intent): Step => {
  if (intent.unread !== undefined)
    return { sale: unreadSale({ at: 'presenting', intent, cancelled: false }, intent.unread) };
  if (intent.learned !== undefined) return startLearned(intent, intent.learned);
  return intent.amountLater
    ? { sale: { at: 'awaitingAmount', intent, presented: false }, effects: [{ do: 'awaitCard' }] }
    : start(intent);
};

/** The request was sent long ago, and this journal has lost its record: only the gateway's answer is missing. */
const startLearned = (intent: Intent, { card }: NonNullable<Intent['learned']>): Step => ({
  sale: { at: 'authorising', intent, card, tries: 1, cancelled: false, chipIsDone: true },
});

/** Starts a sale whose amount is known. A follow-up needs no card: the gateway has the payment, or will have it. */
const start = (intent: Intent): Step => {
  if (intent.by === 'terminal')
    return { sale: { at: 'noting', intent, cancelled: false }, effects: [{ do: 'noteTerminal' }] };
  if (followsPayment(intent) && intent.follows?.payment === '')
    return stored({ at: 'authorising', intent, tries: 1, cancelled: false, chipIsDone: true });
  if (followsPayment(intent) || intent.giftCard !== undefined) {
    return {
      sale: { at: 'authorising', intent, tries: 1, cancelled: false, chipIsDone: true },
      effects: [{ do: 'authorise' }],
    };
  }
  return { sale: { at: 'presenting', intent, cancelled: false }, effects: [{ do: 'readCard' }] };
};

/** A follow-up waits in the queue behind its payment. */
const stored = (sale: Sale): Step =>
  end(sale, { ending: 'approved', reason: 'stored', offline: 'stored' }, { outgoing: 'follow' });

const rules: Rules = {
  ...terminalRules,

  awaitingAmount: {
    cardPresented: (sale) => (sale.presented ? undefined : { sale: { ...sale, presented: true } }),
    amountFixed: (sale, { amount, tip }) => start({ ...sale.intent, amount, ...(tip && { tip }) }),
    cancelAsked: (sale) =>
      end(sale, { ending: 'notSent', reason: 'cancelledByTill' }, { effects: [{ do: 'cancelCard' }] }),
    restarted: (sale) => end(sale, { ending: 'notSent', reason: 'restarted' }),
  },

  ...cardRules,
  ended: endedRules,
};

/** The next step; undefined when the event has no meaning in this state: it is recorded, and the state stays. */
export const next = (sale: Sale, event: ReadEvent): Step | undefined => {
  if (isUnread(sale)) return undefined;
  if (event.on === 'unread') return event.isCritical ? { sale: unreadSale(sale, event.what) } : undefined;
  const later = applyAfterEnd(sale, event);
  if (later !== undefined) return later;
  const rule = rules[sale.at][event.on] as ((sale: Sale, event: SaleEvent) => Step | undefined) | undefined;
  return rule?.(sale, event);
};

/** Whether a newer version recorded something about the sale that this one cannot read and so leaves alone. */
export const isUnread = (sale: Sale): sale is EndedSale & { unread: string } =>
  sale.at === 'ended' && sale.unread !== undefined;

/** Throws `sale.newer`. */
export const refuseUnread = (sale: Sale): void => {
  if (isUnread(sale)) throw new Fault('sale.newer', { receipt: sale.intent.receipt, what: sale.unread });
};

/** Whether anything is still to come: an unfinished sale, an unknown one, a pending reversal or stored message. */
export const isOpen = (sale: Sale): boolean =>
  sale.at !== 'ended' ||
  sale.ending === 'unknown' ||
  sale.reversal === 'due' ||
  sale.confirm === true ||
  isOpenAfterwards(sale) ||
  (sale.offline !== undefined && sale.forwarded === undefined);

/** The sale after these events. The first is `intended`. */
export const replay = (events: readonly ReadEvent[]): Sale | undefined => {
  let sale: Sale | undefined;
  for (const event of events) {
    if (event.on === 'intended') sale = begin(event.intent).sale;
    else if (sale !== undefined) sale = next(sale, event)?.sale ?? sale;
  }
  return sale;
};
