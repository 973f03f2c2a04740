/** What is not at its end: the queue, unresolved sales, and every sale compared with the gateway. */
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Operation } from '../../till/machine/facts.ts';
import type { Actor } from './session.ts';
import type { Amount, SaleFacts, UnpaidView } from './wire.ts';

/** One message in the outbox, question for a terminal, or matter for a person. */
export type QueueItem = {
  /**
   * waiting: sent automatically. overdue: the same, but it should have ended long ago. behind: sent after what it
   * follows. parked: refused until somebody fixes the cause. terminal: the terminal is asked. person: only a person can
   * decide. task: the goods have left and the money did not come.
   */
  state: 'waiting' | 'overdue' | 'behind' | 'parked' | 'terminal' | 'person' | 'task';
  /** The message's kind: reversal, forward, repeat, follow; inquiry at a terminal or by a person; loss of a task. */
  kind: string;
  /** The sale's merchantTransactionId. */
  sale: string;
  receipt: number;
  operation: Operation;
  /** Of a task: what is still missing. */
  amount: Amount;
  /** When the sale was made. */
  since: number;
  tries: number;
  /** When it is tried next by itself. */
  nextAt?: number;
  why: string;
  toDo: string;
  told: { why?: LocalizedMessage; toDo?: LocalizedMessage };
  /** Of a task. */
  unpaid?: UnpaidView;
};

/** A sale of which more was given back than it had: an older program's, or an error. `amount`: how much more. */
export type OverRefundedSale = { sale: string; receipt: number; amount: Amount };

export type QueueView = {
  items: QueueItem[];
  /** By currency, of what is still sent or asked: nothing of a task is. */
  totals: Amount[];
  overRefunded: OverRefundedSale[];
};

/** How far the comparison is: at which receipt, and the last there is. */
export type ComparisonStep = { receipt: number; last: number };

/** One line of the gateway's books under a sale's merchantTransactionId. */
export type BookedPayment = {
  payment: string;
  paymentType: string;
  code: string;
  /** An approval that counts as money: of a test system it does at a test till, and not at a live one. */
  moved: boolean;
  amount?: Amount;
};

export type SaleDifference = {
  receipt: number;
  sale: string;
  /** What each holds to have been moved, negative for money given back; `gateway` is absent without an answer. */
  till: Amount;
  gateway?: Amount;
  /** A terminal that authorised by itself: the gateway is not asked about its sales. */
  heldBy: 'gateway' | 'terminal';
  why: string;
  booked: BookedPayment[];
};

/** Every sale compared with what the gateway has of it. `asked`: how many there are. */
export type SalesComparison = { asked: number; differences: SaleDifference[] };

export type UnresolvedSale = {
  receipt: number;
  sale: string;
  operation: Operation;
  amount: Amount;
  at: number;
  /**
   * unfinished: the next start ends it. waiting: it is asked about again automatically. overdue: the same, but it
   * should have ended long ago. parked: it is asked about again only when a person says so. person: only a person can
   * decide. differs: a later answer contradicts what people were told.
   */
  state: 'unfinished' | 'waiting' | 'overdue' | 'parked' | 'person' | 'differs' | 'closed';
  /** In English: what is known, what happens next by itself, what a person can do. */
  known: string;
  next: string;
  person: string;
  told: { known: LocalizedMessage; next: LocalizedMessage };
  /** What was asked and answered. `event`: as it was written down. */
  evidence: {
    at: number;
    entry: number;
    words: string;
    told: LocalizedMessage;
    event: { on: string; [fact: string]: unknown };
  }[];
  /** Of a sale that has ended. */
  outcome?: SaleFacts;
};

/** How many messages were settled, are tried again, and are for a person. */
type SentCounts = { done: number; later: number; parked: number };

export type SendResult = SentCounts & {
  /** Of those the ones of other tills whose unsent sales were taken over here. */
  ofOtherTills?: SentCounts;
  /** Sales that their terminal was asked about, and what it said. */
  asked?: { receipt: number; amount: Amount; says: string; money: string }[];
};

export interface RecoveryPort {
  queue(): QueueView;
  /** What was parked gets another turn: how many messages. */
  retryParked(by: Actor): { takenUp: number };
  /** Asks the gateway about every sale. `tell`: called for each. */
  compareAll(tell: (step: ComparisonStep) => void): Promise<SalesComparison>;
  /** Sales that are not at an end that needs nothing more, oldest first. */
  unresolved(): UnresolvedSale[];
  /** Any sale. Throws `till.notFound`. */
  unresolvedSale(receipt: number): UnresolvedSale;
  /** Asks once more about sales that ended as never sent: the receipts of those that the bank had approved. */
  askLate(by: Actor): Promise<{ receipts: number[] }>;
}
