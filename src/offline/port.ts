/** What the offline limits need from a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Config } from '../folder/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { Till } from '../till/till.ts';
import type { OfflinePolicy } from './decision.ts';

export type OfflineTill = {
  readonly journal: Journal;
  readonly ledger: Pick<FullLedger, 'events'>;
  readonly config: Config;
  readonly offline: OfflinePolicy;
  readonly till: Pick<Till, 'findSale'>;
  readonly counters: readonly { readonly terminalId: string }[];
  /** Asks the gateway about a sale that nobody made, to see whether it answers. Never rejects. */
  isGatewayReachable(): Promise<boolean>;
};

export type LimitsParts = {
  running: OfflineTill;
  /** The folder that contains `till.json`. */
  dataDir: string;
  clock: Clock;
  ids: Ids;
  events: Pick<Events, 'tell'>;
};
