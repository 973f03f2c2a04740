/**
 * The operations of a till, in one table: their form on the wire, what begins them, and what happens without a line.
 */
import type { Reason } from '../../locales/messages/en/reasons.ts';
import type { Intent, Operation } from './facts.ts';

export type PaymentType = 'DB' | 'PA' | 'CD' | 'RF' | 'RV' | 'CP';

export type OperationRow = {
  readonly paymentType: PaymentType;
  /** `card`: the customer is present with it. `payment`: it names an earlier payment, and no card takes part. */
  readonly begins: 'card' | 'payment';
  /** The reason of its successful ending. */
  readonly done: Reason;
  /**
   * If the gateway is not reached. `card`: the card and the store's limits decide. `stored`: it reports something that
   * has already happened and is sent later. `asked`: stored if the store allows it. `never`: the bank must decide.
   */
  readonly offline: 'card' | 'stored' | 'asked' | 'never';
  /** For messages: "a refund". */
  readonly noun: string;
};

export const operations: Readonly<Record<Operation, OperationRow>> = {
  sale: { paymentType: 'DB', begins: 'card', done: 'approved', offline: 'card', noun: 'a sale' },
  preauthorisation: { paymentType: 'PA', begins: 'card', done: 'held', offline: 'card', noun: 'a preauthorisation' },
  credit: { paymentType: 'CD', begins: 'card', done: 'credited', offline: 'never', noun: 'a credit' },
  refund: { paymentType: 'RF', begins: 'payment', done: 'refunded', offline: 'asked', noun: 'a refund' },
  void: { paymentType: 'RV', begins: 'payment', done: 'voided', offline: 'stored', noun: 'a void' },
  increment: { paymentType: 'PA', begins: 'payment', done: 'heldMore', offline: 'never', noun: 'an increment' },
  completion: { paymentType: 'CP', begins: 'payment', done: 'completed', offline: 'stored', noun: 'a completion' },
  release: { paymentType: 'RV', begins: 'payment', done: 'released', offline: 'stored', noun: 'a release' },
};

/** An unanswered follow-up is repeated unchanged; an operation with a card is reversed instead. */
export const followsPayment = ({ operation }: Pick<Intent, 'operation'>): boolean =>
  operations[operation].begins === 'payment';

/** What must be sent after an unknown outcome: the same request again, or its reversal. */
export const unansweredAction = (intent: Pick<Intent, 'operation'>): 'repeat' | 'reverse' =>
  followsPayment(intent) ? 'repeat' : 'reverse';
