/** Everything that can happen to a sale. Each is written to the journal before anything is done because of it. */
import type { NotRead } from '../../drivers/terminal.ts';
import type { CardFacts, ChipFacts, HostAnswer, Intent, OfflineVerdict } from './facts.ts';

export type SaleEvent =
  | { on: 'intended'; intent: Intent }
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
  /** Proved: the gateway never had the request. */
  | { on: 'hostNotReached'; why: string; offline: OfflineVerdict }
  /** Sent, and no valid answer: it may have been approved. */
  | { on: 'hostSilent'; why: string }
  | { on: 'chipApproved'; chip: ChipFacts }
  | { on: 'chipDeclined'; chip: ChipFacts }
  /** Pulled, silent, or the terminal was lost. */
  | { on: 'chipGone'; why: string }
  /** The card takes no part in the end: a stripe, or a tap that has left. */
  | { on: 'chipNotAsked' }
  /** What became of a reversal. */
  | { on: 'reversed'; how: 'reversed' | 'notFound' | 'notApproved'; answer?: HostAnswer }
  /** The gateway's answer to a sale that was approved offline. */
  | { on: 'forwarded'; approved: boolean; answer: HostAnswer }
  | { on: 'restarted' };

export type SaleEventName = SaleEvent['on'];
