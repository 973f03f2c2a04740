/** What printers and receipts need from a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { RecordAudit } from '../staff/audit/audit-notes.ts';
import type { Till } from '../till/till.ts';

/** What a receipt is made from. */
export type ReceiptTill = { readonly ledger: FullLedger; readonly journal: Journal; readonly config: Config };

export type PaperParts = {
  running: ReceiptTill & { readonly till: Pick<Till, 'find'> };
  /** The folder of `till.json` and of the stored print jobs. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  events: Events;
  mode: DisplayMode;
  report(error: unknown): void;
  /** Absent for a command: whoever can run it may do anything here. */
  note?: RecordAudit;
  /** A command prints only its own jobs, and drops them when it ends. */
  keeps?: false;
};
