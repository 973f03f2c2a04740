/** The states of one sale, and the parts of a step from one to the next. */
import type { Reason } from '../../locales/messages/en/reasons.ts';
import type { OfflineRefusal } from '../../locales/messages/en/sales.ts';
import type { SaleEvent, SaleEventName } from './events.ts';
import type { CardFacts, ChipFacts, ForcedEnding, HostAnswer, Intent, UnpaidEnd } from './facts.ts';
import type { AtTerminal } from './terminal-facts.ts';

export const endings = ['approved', 'declined', 'notSent', 'unknown'] as const;
export type Ending = (typeof endings)[number];

type Known = { intent: Intent; card?: CardFacts; answer?: HostAnswer; chip?: ChipFacts; terminal?: AtTerminal };

export type Sale =
  /** Begun before the amount is known. `presented`: the terminal has reported a card, which was not read yet. */
  | (Known & { at: 'awaitingAmount'; presented: boolean })
  | (Known & { at: 'presenting'; cancelled: boolean })
  /** `chipIsDone`: the chip approved by itself, and only the gateway's answer is missing. */
  | (Known & { at: 'authorising'; tries: number; cancelled: boolean; chipIsDone: boolean })
  | (Known & { at: 'completing'; card: CardFacts; answer: HostAnswer; approved: boolean; reason?: Reason })
  | (Known & { at: 'goingOffline'; card: CardFacts; deferred: boolean })
  /** The terminal authorises by itself. It is first asked for its last payment. */
  | (Known & { at: 'noting'; cancelled: boolean })
  /** It received the amount: from here on it may have charged. */
  | (Known & { at: 'paying'; terminal: AtTerminal; cancelled: boolean })
  /** The terminal was lost: it is opened again and asked for the outcome of the payment. */
  | (Known & { at: 'asking'; terminal: AtTerminal; cancelled: boolean; tries: number })
  | (Known & {
      at: 'ended';
      ending: Ending;
      reason: Reason;
      /** Facts for the text of the reason. */
      why?: string;
      /** The terminal's own decline code. */
      code?: string;
      /** The rule that forbade taking the sale offline, if one did. */
      refusal?: OfflineRefusal;
      /** `stored`: it follows a payment, and waits to be sent behind it. */
      offline?: 'chip' | 'deferred' | 'stored';
      /** Whether the approval has been reversed. */
      reversal?: 'due' | 'done';
      /** The gateway's answer to an offline sale. */
      forwarded?: { approved: boolean; answer: HostAnswer };
      /** A cancel was requested: an approval that arrives later is reversed. */
      cancelled?: true;
      /** The terminal's next answer must confirm the ending before another payment begins. */
      confirm?: true;
      /** The terminal was asked and cannot tell: nothing is asked again. */
      forPerson?: true;
      /** A person said how it ended. */
      forced?: ForcedEnding;
      /** What a newer version recorded and this one does not know: this version does nothing with the sale. */
      unread?: string;
      /** The goods left with a stored sale that was then given up: its message is no longer in the queue. */
      goodsLeft?: true;
      /** How a person ended an unpaid sale. */
      unpaidEnd?: UnpaidEnd;
      /** A later answer that contradicts what people were told, in words, until a person has decided again. */
      differs?: string;
    });

export type EndedSale = Extract<Sale, { at: 'ended' }>;

/** Messages that must be durable with the event. */
export type OutgoingKind = 'reverse' | 'forward' | 'repeat' | 'follow';

export type Effect =
  /** Lets the terminal report that a card is there, if it can; the amount comes later. */
  | { do: 'awaitCard' }
  | { do: 'readCard' }
  | { do: 'cancelCard' }
  | { do: 'authorise' }
  /** Gives the card the final decision and reports its response. */
  | { do: 'completeChip'; verdict: 'approved' | 'declined' | 'unableToGoOnline' }
  /** Declines to the card, and expects no response. */
  | { do: 'releaseCard' }
  | TerminalEffect;

/** At a terminal that authorises by itself. */
export type TerminalEffect =
  /** Notes the terminal's last payment before anything else. */
  | { do: 'noteTerminal' }
  /** Pays, refunds or reverses there, by the intent. */
  | { do: 'payAtTerminal' }
  | { do: 'cancelAtTerminal' }
  /** Opens it again and asks for the outcome of the payment. */
  | { do: 'askTerminal' }
  | { do: 'reverseAtTerminal' };

export type Step = { sale: Sale; outgoing?: OutgoingKind; effects?: readonly Effect[] };

export type Rules<States extends Sale['at'] = Sale['at']> = {
  [S in States]: {
    [E in SaleEventName]?: (sale: Extract<Sale, { at: S }>, event: Extract<SaleEvent, { on: E }>) => Step | undefined;
  };
};

/** Tells the card that it is declined, and waits for no response. */
export const release: readonly Effect[] = [{ do: 'releaseCard' }];

/** Only a newer version can tell its outcome: to this one it is unknown, and stays so. */
export const unreadSale = (sale: Sale, what: string): EndedSale => ({
  ...knownOf(sale),
  at: 'ended',
  ending: 'unknown',
  reason: 'newerVersion',
  why: what,
  unread: what,
});

/** The sale at its end, with all that is known of it. */
export const end = (sale: Sale, how: Omit<EndedSale, keyof Known | 'at'>, more: Omit<Step, 'sale'> = {}): Step => ({
  sale: { at: 'ended', ...knownOf(sale), ...how },
  ...more,
});

const knownOf = ({ intent, card, answer, chip, terminal }: Sale): Known => ({ intent, card, answer, chip, terminal });
