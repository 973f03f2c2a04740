/** What printers and receipts need of a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { Noted } from '../staff/audit/noted.ts';
import type { Till } from '../till/till.ts';

/** What a receipt is made of. */
export type ReceiptTill = { readonly ledger: FullLedger; readonly journal: Journal; readonly config: Config };

export type PaperParts = {
  running: ReceiptTill & { readonly till: Pick<Till, 'find'> };
  /** Folder of `till.json`, and of what waits to be printed. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  events: Events;
  mode: DisplayMode;
  report(error: unknown): void;
  /** Left out by a command: who may give it may do anything here. */
  note?: Noted;
  /** A command prints its own paper and no other, and lets go of it when it ends. */
  keeps?: false;
};
