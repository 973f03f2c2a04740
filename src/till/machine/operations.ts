/** What a till can do, in one table: what it is on the wire, what begins it, and what it is when the line is down. */
import type { Intent, Operation } from './facts.ts';
import type { Reason } from './reasons.ts';

export type PaymentType = 'DB' | 'PA' | 'CD' | 'RF' | 'RV' | 'CP';

export type OperationRow = {
  readonly paymentType: PaymentType;
  /** `card`: the customer is there with it. `payment`: it names an earlier one, and no card takes part. */
  readonly begins: 'card' | 'payment';
  /** The reason of its good ending. */
  readonly done: Reason;
  /**
   * When the gateway is not reached. `card`: the card and the store's limits decide. `stored`: it tells of what has
   * happened already and is sent later. `asked`: stored where the store allows it. `never`: the bank has to decide.
   */
  readonly offline: 'card' | 'stored' | 'asked' | 'never';
  /** For words: "a refund". */
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

/** Unanswered it is asked for again as it was; what begins with a card is taken back instead. */
export const followsPayment = ({ operation }: Pick<Intent, 'operation'>): boolean =>
  operations[operation].begins === 'payment';

/** What is to be sent for an unknown one: again as it was, or its reversal. */
export const ifUnanswered = (intent: Pick<Intent, 'operation'>): 'repeat' | 'reverse' =>
  followsPayment(intent) ? 'repeat' : 'reverse';
