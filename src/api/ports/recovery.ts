/** Unfinished work: the queue, unresolved sales, the comparison with the gateway, and unsent sales of other tills. */
import type {
  ComparisonStep,
  ExportedJournal,
  ImportedUnsent,
  ImportRequest,
  JournalEntry,
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
  /** Retries parked messages; returns their number. */
  retryParked(actor: Actor): { takenUp: number };
  /** Asks the gateway about every sale, and calls `tell` for each. */
  compareAll(notify: (step: ComparisonStep) => void): Promise<SalesComparison>;
  /** Unresolved sales, oldest first. */
  unresolved(): UnresolvedSale[];
  /** Any sale. Throws `till.notFound`. */
  unresolvedSale(receipt: number): UnresolvedSale;
  /** Asks again about sales that ended as never sent; returns the receipts of those that the bank had approved. */
  askLate(actor: Actor): Promise<{ receipts: number[] }>;
}

/** Copies of the journal, and unsent sales that one till hands over to another. */
export interface TakeoverPort {
  /** Updates the copy first. Empty if the configuration names no folder for one. */
  secondCopy(): Promise<{ secondCopy?: SecondCopyState }>;
  /** Passes on every entry of the journal with the result of its check, in order; returns how many there were. */
  exportJournal(send: (entry: JournalEntry) => Promise<void>): Promise<ExportedJournal>;
  /** Seals all current entries; returns the number of newly sealed ones. */
  seal(): { entries: number };
  /**
   * Seals the unsent sales for another till. This till continues to send them until the export is confirmed, once its
   * file is on a disk. Throws `export.weak`, `export.nothing`, `export.newer`, `journal.corrupt`.
   */
  prepareExport(passphrases: readonly [string, string], by: readonly string[]): Promise<UnsentExport>;
  /** From now on another till sends them. Throws `export.unprepared` for any but the last prepared export. */
  confirmExport(id: string): void;
  /** Takes over the unsent sales of another till. Throws as `openUnsent` and `TakenOverTills.take`. */
  importUnsent(request: ImportRequest, by: readonly string[]): Promise<ImportedUnsent>;
  takenOver(): TakenOverRow[];
  sendTakenOver(): Promise<{ done: number; later: number; parked: number }>;
  /** Takes back one export or all of them, and sends it from here; returns the number of messages. */
  takeBack(actor: Actor, exportId?: string): { takenBack: number };
}
