/** What is noted for the audit list, and notes of the technician's work that may fail. */
import type { Actor } from '../../api/ports/session.ts';

/** What is done at the screens, in the journal for the audit list alone. Staff, limits and batches note their own. */
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
  /** `of`: whose it is. */
  | { on: 'othersSaleOpened'; receipt: number; of?: string }
  | { on: 'othersSalesHeld'; count: number }
  | { on: 'printerAdded'; printer: string }
  | { on: 'printerRemoved'; printer: string }
  | { on: 'downloaded'; what: string }
  | { on: 'reconciled'; file: string; differences: number }
  /** At the test till. */
  | { on: 'wentLive'; folder: string }
  /** At the live till: its first entry of all. */
  | { on: 'liveBegun' }
  | { on: 'foundLiveRead' }
  | { on: 'folderMoved' }
  | { on: 'folderCopied'; terminalIds: string }
  | { on: 'plainHttpAllowed'; address: string }
  | { on: 'plainHttpEnded'; address: string }
  | { on: 'tookOver'; sales: number; left: number; setAside: number }
  | { on: 'differenceResolved'; file: string; receipt?: number; choice: string; note: string };

/** Writes down who did what; it stands in the audit list. Throws `journal.unwritable`. */
export type Noted = (what: AuditNote, by: Actor) => void;

/**
 * Writes down who did what. Where the journal cannot take it that is reported, and the work goes on: it may be what the
 * technician was called for.
 */
export const noteOn =
  ({ note, report }: { note: Noted; report(error: unknown): void }): Noted =>
  (what, by) => {
    try {
      note(what, by);
    } catch (error) {
      report(error);
    }
  };
