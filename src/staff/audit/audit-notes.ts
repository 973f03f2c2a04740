/** Notes for the audit list, including those of the technician's work, which are allowed to fail. */
import type { Actor } from '../../api/ports/session.ts';

/**
 * What is done at the screens and recorded only for the audit list. Staff, limits and batches record their own changes.
 */
export type AuditNote =
  | { on: 'paired'; counter: string; device: string }
  | { on: 'unpaired'; counter: string }
  | { on: 'testHostSaid'; counter: string; device: string }
  | { on: 'testHostDenied'; counter: string; device: string }
  | { on: 'simulatedUsed' }
  | { on: 'configurationImported'; changed: readonly string[]; approvedBy?: string }
  | { on: 'configurationExported' }
  | { on: 'bundleMade' }
  | { on: 'drawerOpened' }
  /** `of`: whose sale it is. */
  | { on: 'othersSaleOpened'; receipt: number; of?: string }
  | { on: 'othersSalesHeld'; count: number }
  | { on: 'printerAdded'; printer: string }
  | { on: 'printerRemoved'; printer: string }
  | { on: 'downloaded'; what: string }
  | { on: 'reconciled'; file: string; differences: number }
  /** Recorded at the test till. */
  | { on: 'wentLive'; folder: string }
  /** Recorded at the live till, as its very first entry. */
  | { on: 'liveBegun' }
  | { on: 'foundLiveRead' }
  | { on: 'folderMoved' }
  | { on: 'folderCopied'; terminalIds: string }
  | { on: 'plainHttpAllowed'; address: string }
  | { on: 'plainHttpEnded'; address: string }
  | { on: 'tookOver'; sales: number; left: number; setAside: number }
  | { on: 'differenceResolved'; file: string; receipt?: number; choice: string; note: string };

/** Records who did what, for the audit list. Throws `journal.unwritable`. */
export type RecordAudit = (what: AuditNote, actor: Actor) => void;

/**
 * Records who did what. If the journal cannot be written, the failure is reported and the work continues: a broken
 * journal may be what the technician was called for.
 */
export const noteOn =
  ({ note, report }: { note: RecordAudit; report(error: unknown): void }): RecordAudit =>
  (what, actor) => {
    try {
      note(what, actor);
    } catch (error) {
      report(error);
    }
  };
