/** The states of one sale, and what a step from one to the next is made of. */
import type { SaleEvent, SaleEventName } from './events.ts';
import type { CardFacts, ChipFacts, Forced, HostAnswer, Intent, UnpaidEnd } from './facts.ts';
import type { OfflineRefusal } from './offline-facts.ts';
import type { Reason } from './reasons.ts';
import type { AtTerminal } from './terminal-facts.ts';

export type Ending = 'approved' | 'declined' | 'notSent' | 'unknown';

type Known = { intent: Intent; card?: CardFacts; answer?: HostAnswer; chip?: ChipFacts; terminal?: AtTerminal };

export type Sale =
  /** Begun before the amount is known. `presented`: the terminal has reported a card; nothing was read of it. */
  | (Known & { at: 'awaitingAmount'; presented: boolean })
  | (Known & { at: 'presenting'; cancelled: boolean })
  /** `chipIsDone`: the chip approved by itself, and only the gateway's word is missing. */
  | (Known & { at: 'authorising'; tries: number; cancelled: boolean; chipIsDone: boolean })
  | (Known & { at: 'completing'; card: CardFacts; answer: HostAnswer; approved: boolean; reason?: Reason })
  | (Known & { at: 'goingOffline'; card: CardFacts; deferred: boolean })
  /** The terminal authorises by itself. It is asked first for the payment that it knows as its last. */
  | (Known & { at: 'noting'; cancelled: boolean })
  /** It was told the amount: from here on it may have charged. */
  | (Known & { at: 'paying'; terminal: AtTerminal; cancelled: boolean })
  /** It was lost on the way: opened anew, it is asked what became of the payment. */
  | (Known & { at: 'asking'; terminal: AtTerminal; cancelled: boolean; tries: number })
  | (Known & {
      at: 'ended';
      ending: Ending;
      reason: Reason;
      /** Facts for the reason's words. */
      why?: string;
      /** The terminal's own code of its decline. */
      code?: string;
      /** Of what could not be taken offline: which rule stood against it. */
      refusal?: OfflineRefusal;
      /** `stored`: it follows a payment, and waits to be sent behind it. */
      offline?: 'chip' | 'deferred' | 'stored';
      /** Whether the approval has been given back. */
      reversal?: 'due' | 'done';
      /** What the gateway made of an offline sale. */
      forwarded?: { approved: boolean; answer: HostAnswer };
      /** A cancel was asked for: an approval that turns up later is given back. */
      cancelled?: true;
      /** The terminal's next answer is to confirm it before another payment. */
      confirm?: true;
      /** The terminal was asked and cannot tell: nothing is asked again. */
      forPerson?: true;
      /** A person said how it ended. */
      forced?: Forced;
      /** Of a newer version, which this one does not know: nothing is done with the sale here. */
      unread?: string;
      /** The goods left with a stored sale that was then given up: its message is not in the queue any more. */
      goodsLeft?: true;
      /** Of an unpaid sale: how a person ended it. */
      unpaidEnd?: UnpaidEnd;
      /** What came later and does not fit what people were told: in words, until a person has spoken again. */
      differs?: string;
    });

export type EndedSale = Extract<Sale, { at: 'ended' }>;

/** Messages that must be durable with the event. */
export type OutgoingKind = 'reverse' | 'forward' | 'repeat' | 'follow';

export type Effect =
  /** Lets the terminal tell that a card is there, where it can; the amount comes later. */
  | { do: 'awaitCard' }
  | { do: 'readCard' }
  | { do: 'cancelCard' }
  | { do: 'authorise' }
  /** Gives the card its last word and reports what it made of it. */
  | { do: 'completeChip'; verdict: 'approved' | 'declined' | 'unableToGoOnline' }
  /** Tells the card no, and wants to hear nothing more of it. */
  | { do: 'releaseCard' }
  | TerminalEffect;

/** At a terminal that authorises by itself. */
export type TerminalEffect =
  /** Its last payment is noted before anything else. */
  | { do: 'noteTerminal' }
  /** Pays, gives back or reverses there, as the intent says. */
  | { do: 'payAtTerminal' }
  | { do: 'cancelAtTerminal' }
  /** Opens it anew and asks what became of the payment. */
  | { do: 'askTerminal' }
  | { do: 'reverseAtTerminal' };

export type Step = { sale: Sale; outgoing?: OutgoingKind; effects?: readonly Effect[] };

export type Rules<States extends Sale['at'] = Sale['at']> = {
  [S in States]: {
    [E in SaleEventName]?: (sale: Extract<Sale, { at: S }>, event: Extract<SaleEvent, { on: E }>) => Step | undefined;
  };
};

/** Tells the card no, and waits for no word of it. */
export const release: readonly Effect[] = [{ do: 'releaseCard' }];

/** What became of it only a newer version can tell: to this one it is unknown, and stays so. */
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
