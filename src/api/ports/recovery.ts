/** Unfinished work: the queue, unresolved sales, the comparison with the gateway, and unsent sales of other tills. */
import type {
  ComparisonStep,
  ImportedUnsent,
  ImportRequest,
  QueueView,
  SalesComparison,
  SecondCopyState,
  TakenOverRow,
  UnresolvedSale,
  UnsentExport,
} from '../contract/recovery.ts';
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

/** Copies of the journal, and unsent sales that one till hands over to another. */
export interface TakeoverPort {
  /** Brings the copy up to date first. Empty where the configuration names no place for one. */
  secondCopy(): Promise<{ secondCopy?: SecondCopyState }>;
  /** Seals all there is now: how many entries were not sealed before. */
  seal(): { entries: number };
  /**
   * Seals what is unsent for another till. This till goes on sending it until the export is confirmed, once its file is
   * on a disk. Throws `export.weak`, `export.nothing`, `export.newer`, `journal.corrupt`.
   */
  prepareExport(passphrases: readonly [string, string], by: readonly string[]): Promise<UnsentExport>;
  /** From now on another till sends it. Throws `export.unprepared` for any but the last prepared export. */
  confirmExport(id: string): void;
  /** Takes over the unsent sales of another till. Throws as `openUnsent` and `TakenOverTills.take`. */
  importUnsent(wish: ImportRequest, by: readonly string[]): Promise<ImportedUnsent>;
  takenOver(): TakenOverRow[];
  sendTakenOver(): Promise<{ done: number; later: number; parked: number }>;
  /** Sends from here after all what was handed over, of one export or of all: how many messages. */
  takeBack(by: Actor, exportId?: string): { takenBack: number };
}
