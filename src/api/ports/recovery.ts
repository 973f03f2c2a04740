/** What is not at its end: the queue, unresolved sales, and every sale compared with the gateway. */
import type { ComparisonStep, QueueView, SalesComparison, UnresolvedSale } from '../contract/recovery.ts';
import type { Actor } from './session.ts';

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
