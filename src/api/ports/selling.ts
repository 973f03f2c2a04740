/** What a cashier, or a program at the counter, does: sales and what follows them, live and from the books. */
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { DisplayMode } from '../../base/mode.ts';
import type { DeclineGroup } from '../../base/result-codes.ts';
import type { Operation } from '../../till/machine/facts.ts';
import type { Reason } from '../../till/machine/reasons.ts';
import type { Ending } from '../../till/machine/states.ts';
import type { Actor } from './session.ts';
import type { Amount, LineState, OtherCard, Page, Said, SaleFacts, UnpaidView } from './wire.ts';

/** What is waited for. The screen has the words; `usualMs` of the live sale says how long it takes as a rule. */
export type Phase =
  | 'starting'
  | 'waitingForAmount'
  | 'presentCard'
  | 'reading'
  | 'useChip'
  | 'useStripe'
  | 'enterPin'
  | 'askingBank'
  | 'askingBankAgain'
  | 'goingOffline'
  | 'cardFinishing'
  /** A terminal that authorises by itself takes the payment, or is asked what became of it. */
  | 'terminalPays'
  | 'askingTerminal'
  | 'removeCard'
  /** Its result is known, and its terminal says its last words. */
  | 'terminalFinishing'
  /** Its terminal takes the next sale. */
  | 'ended';

/** The one state that everything shows with one colour, icon and word. */
export type State = 'idle' | 'busy' | 'approved' | 'declined' | 'unknown' | 'offline' | 'person';

export type Result = {
  ending: Ending;
  state: State;
  reason: Reason;
  /** In English: what happened, what it means for the money, what to do next. */
  says: string;
  money: string;
  next: string;
  /** The same, told in the reader's language. */
  told?: { says: LocalizedMessage; money: LocalizedMessage; next: LocalizedMessage };
  /** Whether trying again is safe. */
  again: boolean;
  /** Facts that the reason's words are filled with. */
  why?: string;
  /** Of a decline: what the cashier does, and the code with its meaning, for whoever looks closer. */
  decline?: { group: DeclineGroup; code?: string; means?: string };
  /** pos.statusText of the gateway. */
  statusText?: string;
  /** Of a sale that was taken offline and whose money did not come. */
  unpaid?: UnpaidView;
  otherCard?: OtherCard;
  /** Of an approval for a part: what was approved, and what is left to be paid. */
  approved?: Amount;
  left?: Amount;
  /** The customer has to sign the merchant's copy. */
  signature?: true;
};

export type LiveSale = {
  /** The merchantTransactionId. */
  id: string;
  receipt: number;
  operation: Operation;
  /** Whether money moves: only `live` does. */
  mode: DisplayMode;
  /** Which terminal: `T1`. */
  counter: string;
  amount: Amount;
  tip?: Amount;
  /** It was asked for as a tip: a completion, or the increment that had to come before it. */
  asTip?: true;
  cashier?: string;
  /** How the card may be presented. */
  accept: readonly ('chip' | 'tap' | 'swipe' | 'manual')[];
  phase: Phase;
  /** When the sale, and when this phase of it, began. */
  startedAt: number;
  phaseAt: number;
  /** How long this phase took in the last sales at this terminal: first and last tenth left out. */
  usualMs?: { from: number; to: number };
  /** What usually comes yet, in order. */
  ahead: readonly Phase[];
  cancelling: boolean;
  /**
   * Whether its terminal can take the next sale. A `result` can come before that, with the card still in the terminal:
   * a sale that is begun then waits.
   */
  terminalFree: boolean;
  /** The gateway alone does it, beside whatever its counter's terminal is at: that stays free. */
  beside?: true;
  /** Last four digits and brand once a card was read. */
  card?: { last4: string; brand?: string; entryMode: string };
  result?: Result;
};

export type BeginRequest = {
  operation: 'sale' | 'preauthorisation' | 'credit' | 'giftCard';
  amount: Amount;
  tip?: Amount;
  counter?: string;
  accept?: readonly ('chip' | 'tap' | 'swipe' | 'manual')[];
  /** Take less when the card has too little. */
  partial?: boolean;
  /**
   * The gateway stores the card, and the sale's `registrationId` charges it again. A gateway that cannot open the
   * terminal's encrypted card refuses the payment, and says so. A sale that is made offline stores none.
   */
  storeCard?: boolean;
  /** A receipt of the bill that this pays a part of. */
  bill?: number;
  /** A bill that is begun by this payment: what all of it comes to. */
  billTotal?: Amount;
  giftCard?: { number: string; pin?: string };
  /**
   * The receipt of an unpaid sale. This asks for its money once more, with the customer's card: for all that is
   * missing, or a part of it.
   */
  chargesAgain?: number;
  /**
   * After `sale.likely`: the receipts of the sales that it named. It says that the customer is another one. A sale that
   * it does not name is asked about anew.
   */
  again?: readonly number[];
};

export type FollowOperation = 'refund' | 'void' | 'increment' | 'completion' | 'release' | 'tip';

export type SaleRow = {
  id: string;
  receipt: number;
  at: number;
  operation: Operation;
  amount: Amount;
  tip?: Amount;
  asTip?: true;
  state: State;
  ending: Ending | 'open';
  reason?: Reason;
  says?: string;
  told?: LocalizedMessage;
  last4?: string;
  brand?: string;
  entryMode?: string;
  cashier?: string;
  followsReceipt?: number;
  counter?: string;
  /** Taken offline, and not sent yet. */
  waiting?: true;
  /** Of a sale that was taken offline and whose money did not come. */
  unpaid?: UnpaidView;
  /** The receipt of the unpaid sale whose money this asks for once more. */
  chargesAgain?: number;
  /** Taken over from the gateway: the till's own record of it was lost with another copy of its folder. */
  learned?: true;
  outcome?: SaleFacts;
};

type Held = { held: Amount; completed: Amount; left: Amount; until: number };

export type SaleDetail = SaleRow & {
  result?: Result;
  authorisationCode?: string;
  payment?: string;
  /** Under which the gateway stored the card, after `storeCard`. */
  registrationId?: string;
  terminalId: string;
  sequence: number;
  /** What followed it, oldest first. */
  followers: SaleRow[];
  bill?: { total: Amount; paid: Amount; left: Amount; unknown: Amount; receipts: number[] };
  hold?: Held;
  /** What may follow it now; of a refund the most that can be given back. Nothing that would be refused is offered. */
  may: { operation: FollowOperation; most?: Amount }[];
};

/** `holdUnknown`: a result is missing, of a completion, an increment or a release. */
export type HoldRow = SaleRow & Held & { expired: boolean; holdUnknown?: true; maskedPan?: string };

/** What a terminal that authorises by itself is to do to a payment. `behind`: the receipt of the sale in progress. */
export type WaitingTurn = { operation: FollowOperation; receipt: number; behind: number };

export type Counter = {
  /** `T1`, `T2` … in the order in which they were paired. */
  name: string;
  state: 'ready' | 'busy' | 'away' | 'unpaired';
  model?: string;
  serial?: string;
  /** It stands in while none is paired: no device, and no real card. `model` says so too. */
  simulated?: true;
  /** None is paired, and a simulated one would stand in once somebody asked for it. */
  offersSimulated?: true;
  /** The terminal authorises by itself: no pre-authorisations, no credits. */
  integrated: boolean;
  /** The sale that is under way on it. */
  sale?: string;
  /** What waits for its turn at the terminal, behind that sale. */
  waiting?: WaitingTurn[];
  problem?: Said;
};

/** "The customer says they were charged": what is asked for, and each sale that it may be with its evidence. */
export type Claim = { amount?: Amount; last4?: string; from?: number; to?: number; text?: string };
export type ClaimAnswer = {
  verdict: 'chargedOnce' | 'chargedTwice' | 'notCharged' | 'unknown' | 'notFound';
  /** What to tell the customer, in English; the screen has its own words for the verdict. */
  says: string;
  told?: LocalizedMessage;
  sales: (SaleRow & {
    evidence: { at: number; words: string; told?: LocalizedMessage }[];
    next: string;
    person: string;
    toldNext?: LocalizedMessage;
    toldPerson?: LocalizedMessage;
  })[];
};

export interface SellingPort {
  counters(): Counter[];
  /**
   * The intent is durable when this resolves. The same key again gives the same sale, and with another body is refused
   * by `request.keyReused`; `again` is no part of that comparison. Throws `sale.likely` with the sales where the same
   * amount may have been charged already and `again` does not name each of them; and as `Till.sell` does.
   */
  begin(request: BeginRequest, by: Actor, key: string): Promise<LiveSale>;
  follow(
    request: {
      receipt: number;
      operation: FollowOperation;
      amount?: Amount;
      tip?: Amount;
      /** Of a completion: more will be charged on the hold. Without it what a completion leaves over is given back. */
      keepRest?: boolean;
      counter?: string;
      /** As of a sale: an equal part of the same hold may have been charged. */
      again?: readonly number[];
    },
    by: Actor,
    key: string,
  ): Promise<LiveSale>;
  /**
   * The sale that the request of this key began before, if it did: a request whose answer was lost is answered by that,
   * whatever whoever asks may do by now. Begins nothing. Throws `request.keyReused`.
   */
  repeated?(request: BeginRequest | Parameters<SellingPort['follow']>[0], by: Actor, key: string): LiveSale | undefined;
  /**
   * Waits for the turn at the counter that this would be begun at, and keeps it until the returned function is called.
   * A sale waits while one that has ended holds the terminal, by its card as a rule. What a terminal that authorises by
   * itself does to an earlier payment waits for the sale in progress. While a batch is closed everything waits, and is
   * in the next one then. Rejects with `terminal.busy` once whoever asks has gone, with `terminal.turn` after 90 s, and
   * with `till.stopping`; throws what `begin` or `follow` would for a terminal or receipt that there is not.
   */
  turn?(request: BeginRequest | Parameters<SellingPort['follow']>[0], gone?: AbortSignal): Promise<() => void>;
  /** What waits for a terminal begins no more: the till is being ended. */
  endWaits?(): void;
  /** Asks for a cancel; the ending says what became of it. Throws `till.notFound`. */
  cancel(id: string): LiveSale;
  /** Under way, and the last that ended on each counter since the till was started. */
  live(): LiveSale[];
  /** By merchantTransactionId. Throws `till.notFound`. */
  liveSale(id: string): LiveSale;
  /** `outcomes`: each that has ended with its `outcome`. */
  sales(ask: { from: number; most: number; search?: string; cashier?: string; outcomes?: boolean }): Page<SaleRow>;
  sale(receipt: number): SaleDetail;
  /**
   * The number of the receipt that bears this code: a sale's id, or a terminal's number and a receipt's such as
   * `12345678-417`. Throws `receipt.elsewhere` and `receipt.unknown` for one of another till, `till.notFound`.
   */
  receiptOfCode(code: string): number;
  /**
   * Whether this person or program made the sale, be it with a manager's approval. Throws `till.notFound` for a receipt
   * that there is not.
   */
  isOwn(sale: { id: string } | { receipt: number }, by: Actor): boolean;
  /**
   * Notes that somebody opens a sale that is not theirs: once a day for each. False once they have opened too many
   * within an hour. Throws `till.notFound`, `journal.unwritable`.
   */
  openOthers(sale: { receipt: number }, by: Actor): boolean;
  /** A manager lets them open as many again. */
  allowOthers(by: Actor): void;
  holds(): HoldRow[];
  line(): LineState;
  claim(claim: Claim): ClaimAnswer;
  /** Sales of this amount, and card, that may have been charged: `begin` asks about them first. */
  likely(amount: Amount, last4?: string): SaleRow[];
  /**
   * Turns training on or off for a session: from then on a till of its own answers all that it asks, and nothing of it
   * is real. Absent where the whole till is for training. Throws `terminal.busy` while a sale runs at the till that is
   * left.
   */
  train?(token: string, on: boolean): Promise<{ training: boolean }>;
}
