/** Everything that can happen to a sale. Each event is written to the journal before it is acted on. */
import type { NotReadReason } from '../../../drivers/terminal.ts';
import type { Money } from '../../base/money.ts';
import type { Attestation, CardFacts, ChipFacts, HostAnswer, Inquiry, Intent, UnpaidEnd } from './facts.ts';
import type { OfflineVerdict } from './offline-facts.ts';
import type { Mark, Slip, TerminalPaymentFacts } from './terminal-facts.ts';

export type SaleEvent =
  | { on: 'intended'; intent: Intent }
  /** Begun without an amount: the terminal reports a card, which was not read yet. */
  | { on: 'cardPresented' }
  /** The amount, including the tip. Durable before the card receives it. */
  | { on: 'amountFixed'; amount: Money; tip?: Money }
  /** `decision` is the chip's first cryptogram: ARQC, TC or AAC. A stripe always goes online. */
  | {
      on: 'cardRead';
      card: CardFacts;
      decision: 'goOnline' | 'approvedOffline' | 'declinedOffline';
      offline: OfflineVerdict;
    }
  | { on: 'cardNotRead'; why: NotReadReason | 'terminalFailed'; words?: string }
  | { on: 'cancelAsked' }
  | { on: 'hostApproved'; answer: HostAnswer }
  | { on: 'hostDeclined'; answer: HostAnswer }
  /** The gateway rejected the request: wrong token, wrong parameter. Nothing was done. */
  | { on: 'hostRefused'; answer: HostAnswer }
  /** Answered in the mode that is not the till's: a test system at a live till, or a live approval at a test till. */
  | { on: 'hostOtherMode'; answered: 'test' | 'live'; answer: HostAnswer }
  /** Proved: the gateway never had the request. */
  | { on: 'hostNotReached'; why: string; offline: OfflineVerdict }
  /** Sent, without a valid answer: it may have been approved. */
  | { on: 'hostSilent'; why: string }
  | { on: 'chipApproved'; chip: ChipFacts }
  | { on: 'chipDeclined'; chip: ChipFacts }
  /** The card was removed or silent, or the terminal was lost. */
  | { on: 'chipGone'; why: string }
  /** The card makes no final decision: a stripe, or a tap that is over. */
  | { on: 'chipNotAsked'; chip?: ChipFacts }
  /** The outcome of a reversal. */
  /** `answered`: a test system answered a live till, for what was not approved. */
  | { on: 'reversed'; how: 'reversed' | 'notFound' | 'notApproved'; answer?: HostAnswer; answered?: 'test' }
  /** The gateway's answer to an offline sale, or to a stored follow-up. */
  /** `answered`: a live channel approved it at a test till, and the till reversed that. */
  | { on: 'forwarded'; approved: boolean; answer: HostAnswer; answered?: 'live' }
  /** For a stored sale and its void: its message was never tried and is removed from the queue in the same step. */
  | { on: 'withdrawn' }
  /** For a stored follow-up: the payment it follows turned out not to exist. */
  | { on: 'nothingToFollow'; why: string }
  /** A terminal that authorises by itself is open, and reported its last payment. It received no request yet. */
  /** `unnamed`: it reports neither serial number nor terminal id, so it cannot be told from another of its model. */
  | { on: 'terminalNoted'; device: string; before: Mark; aheadMs?: number; unnamed?: true }
  /** It accepted the request, made at this wall time: what it reports later may be this payment. */
  | { on: 'terminalTook'; askedAt: number }
  /** It could not be opened or asked: the payment never began. */
  | { on: 'terminalUnready'; why: string }
  | { on: 'terminalApproved'; payment: TerminalPaymentFacts; slip: Slip }
  /** `already`: for a reversal that had been made before. */
  | { on: 'terminalDeclined'; code: string; why: string; already?: true; payment?: TerminalPaymentFacts; slip?: Slip }
  /** Proved by the terminal: its host was never asked. */
  | { on: 'terminalNotBegun'; code: string; why: string }
  /** Begun, without a report of its end: it may have charged. */
  | { on: 'terminalSilent'; why: string }
  /** Asked again, its last payment is still the earlier one: this one was never made. */
  | { on: 'terminalUnchanged' }
  /** Asked again, it names a payment that is not proved to be this one. `alike`: another one of this amount. */
  | { on: 'terminalUnclear'; why: string; alike?: true }
  /**
   * The outcome of reversing its approval. `other`: it reversed another payment. `again`: it may have been asked
   * before, without an answer. `number`: its own number of the reversal.
   */
  | { on: 'terminalReversed'; how: 'reversed' | 'refused' | 'other'; why?: string; again?: true; number?: string }
  /** A person looked up what the terminal could not tell. */
  /** `ends`: its message was parked, and is removed with this decision. */
  | { on: 'personSaid'; charged: boolean; by?: Attestation; ends?: true }
  /** Evidence: a question about the sale, and the answer. It changes nothing by itself. */
  | ({ on: 'asked' } & Inquiry)
  /** Asked once more after its ending, the gateway has approved a sale that counted as never sent. */
  | { on: 'approvedLate'; answer: HostAnswer }
  /** Stored longer than card data is allowed to be: it was destroyed, and can never be sent. */
  | { on: 'cardDataExpired'; days: number }
  /** For a stored sale or follow-up that only a test system had: from here on it belongs to this gateway. */
  | { on: 'movedTo'; gateway: string }
  /**
   * A person ended an unpaid sale: `missing` is what had not been paid. The signature, base64url, is by the till's key,
   * over the sale, the person, the reason and the amount.
   */
  | { on: 'unpaidEnded'; end: UnpaidEnd; missing: Money; signature: string; publicKey: string }
  | { on: 'restarted' };

/** An event as it is read: the journal may have entries of a newer version that this one does not know. */
export type ReadEvent = SaleEvent | { on: 'unread'; what: string; isCritical: boolean };

export type SaleEventName = SaleEvent['on'];
