/** Everything that can happen to a sale. Each is written to the journal before anything is done because of it. */
import type { NotRead } from '../../../drivers/terminal.ts';
import type { Money } from '../../base/money.ts';
import type { CardFacts, ChipFacts, HostAnswer, Inquiry, Intent, SaidBy, UnpaidEnd } from './facts.ts';
import type { OfflineVerdict } from './offline-facts.ts';
import type { Mark, Slip, TerminalPaymentFacts } from './terminal-facts.ts';

export type SaleEvent =
  | { on: 'intended'; intent: Intent }
  /** Begun without an amount: the terminal reports a card, and nothing was read of it yet. */
  | { on: 'cardPresented' }
  /** The amount, with the tip in it. On the disk before the card hears of it. */
  | { on: 'amountFixed'; amount: Money; tip?: Money }
  /** `decision` is the chip's first cryptogram: ARQC, TC or AAC. A stripe always goes online. */
  | {
      on: 'cardRead';
      card: CardFacts;
      decision: 'goOnline' | 'approvedOffline' | 'declinedOffline';
      offline: OfflineVerdict;
    }
  | { on: 'cardNotRead'; why: NotRead | 'terminalFailed'; words?: string }
  | { on: 'cancelAsked' }
  | { on: 'hostApproved'; answer: HostAnswer }
  | { on: 'hostDeclined'; answer: HostAnswer }
  /** The gateway would not take the request at all: wrong token, wrong parameter. Nothing was done. */
  | { on: 'hostRefused'; answer: HostAnswer }
  /** Answered in the other mode than the till's: by a test system at a live till, or a live approval at a test till. */
  | { on: 'hostOtherMode'; answered: 'test' | 'live'; answer: HostAnswer }
  /** Proved: the gateway never had the request. */
  | { on: 'hostNotReached'; why: string; offline: OfflineVerdict }
  /** Sent, and no valid answer: it may have been approved. */
  | { on: 'hostSilent'; why: string }
  | { on: 'chipApproved'; chip: ChipFacts }
  | { on: 'chipDeclined'; chip: ChipFacts }
  /** Pulled, silent, or the terminal was lost. */
  | { on: 'chipGone'; why: string }
  /** The card takes no part in the end: a stripe, or a tap that has left. */
  | { on: 'chipNotAsked'; chip?: ChipFacts }
  /** What became of a reversal. */
  /** `answered`: of what was not approved, that a test system answered a live till. */
  | { on: 'reversed'; how: 'reversed' | 'notFound' | 'notApproved'; answer?: HostAnswer; answered?: 'test' }
  /** The gateway's answer to a sale that was taken offline, or to what follows a payment and was stored. */
  /** `answered`: a live channel approved it at a test till, and the till took that back. */
  | { on: 'forwarded'; approved: boolean; answer: HostAnswer; answered?: 'live' }
  /** Of a stored sale and of its void: its message was never tried and is taken out of the queue in the same step. */
  | { on: 'withdrawn' }
  /** Of what was stored to follow a payment: that payment turned out not to have been made. */
  | { on: 'nothingToFollow'; why: string }
  /** A terminal that authorises by itself is open, and told its last payment. Nothing was asked of it yet. */
  /** `unnamed`: it tells neither serial number nor terminal id, and cannot be told from another of its model. */
  | { on: 'terminalNoted'; device: string; before: Mark; aheadMs?: number; unnamed?: true }
  /** It has taken the request, which was made at this wall time: what it tells later may be of this payment. */
  | { on: 'terminalTook'; askedAt: number }
  /** It could not be opened or asked: the payment was never begun. */
  | { on: 'terminalUnready'; why: string }
  | { on: 'terminalApproved'; payment: TerminalPaymentFacts; slip: Slip }
  /** `already`: of a reversal, which was made before. */
  | { on: 'terminalDeclined'; code: string; why: string; already?: true; payment?: TerminalPaymentFacts; slip?: Slip }
  /** Proved by the terminal: its host was never asked. */
  | { on: 'terminalNotBegun'; code: string; why: string }
  /** Begun, and no word of its end: it may have charged. */
  | { on: 'terminalSilent'; why: string }
  /** Asked again, its last payment is still the one from before: this one was never made. */
  | { on: 'terminalUnchanged' }
  /** Asked again, it names a payment that is not proved to be this one. `alike`: another one of this amount. */
  | { on: 'terminalUnclear'; why: string; alike?: true }
  /**
   * What became of giving its approval back. `other`: it took back another payment. `again`: it may have been asked
   * for before, without an answer. `number`: its own number of the reversal.
   */
  | { on: 'terminalReversed'; how: 'reversed' | 'refused' | 'other'; why?: string; again?: true; number?: string }
  /** What the terminal could not tell, or not yet, a person looked up. */
  /** `ends`: its message was set aside, and goes with this word. */
  | { on: 'personSaid'; charged: boolean; by?: SaidBy; ends?: true }
  /** Evidence: a question about the sale, and the answer. It changes nothing by itself. */
  | ({ on: 'asked' } & Inquiry)
  /** Asked once more after its ending, the gateway has approved what was taken for never sent. */
  | { on: 'approvedLate'; answer: HostAnswer }
  /** Stored longer than card data may be: it was destroyed, and can never be sent. */
  | { on: 'cardDataExpired'; days: number }
  /** Of a stored sale, or what follows one, that a test system alone had: from here on it is this gateway's. */
  | { on: 'movedTo'; gateway: string }
  /**
   * A person ended an unpaid sale: `missing` is what had not been paid. The signature, base64url, is by the till's key,
   * over the sale, the person, the reason and the amount.
   */
  | { on: 'unpaidEnded'; end: UnpaidEnd; missing: Money; signature: string; publicKey: string }
  | { on: 'restarted' };

/** As it is read: what stands in the journal may be of a newer version, and not known to this one. */
export type ReadEvent = SaleEvent | { on: 'unread'; what: string; isCritical: boolean };

export type SaleEventName = SaleEvent['on'];
