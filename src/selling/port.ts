/** What selling needs from a running till. */
import type { Events } from '../api/ports/events.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { DisplayMode } from '../base/mode.ts';
import type { ClosingGate } from '../books/closing/gate.ts';
import type { SaleRowParts } from '../books/sale-rows.ts';
import type { LineWatch } from '../line/host.ts';
import type { OfflinePolicy } from '../offline/decision.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import type { Resolver } from '../recovery/resolver.ts';
import type { RecordAudit } from '../staff/audit/audit-notes.ts';
import type { Staff } from '../staff/running.ts';
import type { PlacedTill } from '../takeover/till-on-machine.ts';
import type { TerminalCounter } from '../terminals/port.ts';
import type { Till } from '../till/till.ts';

/** A counter: a terminal, and a till that runs one sale at a time on it. */
export type SellingCounter = TerminalCounter & { readonly till: Till };

export type SellingTill = Omit<SaleRowParts, 'counters'> & {
  /** The till at the first counter. */
  readonly till: Till;
  /** Contains at least the first counter. */
  readonly counters: readonly [SellingCounter, ...SellingCounter[]];
  /** Whether the gateway answered when it was last asked. */
  readonly line: Pick<LineWatch, 'current' | 'onChange'>;
  readonly offline: Pick<OfflinePolicy, 'readiness'>;
  readonly resolver: Pick<Resolver, 'of'>;
  /** Makes sales wait while a close holds them back. */
  readonly gate: Pick<ClosingGate, 'waitWhileHeld'>;
  readonly staff: Pick<Staff, 'named'>;
  readonly place: Pick<PlacedTill, 'compared'>;
  readonly forwarder: Pick<Forwarder, 'look'>;
  /** Asks the gateway about a sale that does not exist, to see whether it answers. Never rejects. */
  isGatewayReachable(): Promise<boolean>;
};

export type SellingParts = {
  running: SellingTill;
  clock: Clock;
  ids: Ids;
  /** Survives a restart of the till. */
  events: Events;
  note: RecordAudit;
  report(error: unknown): void;
  mode: DisplayMode;
  /** Terminals and line are not watched: a single command has opened the till for itself. */
  unattended?: true;
  /** The address of the simulated terminal used because none is paired. */
  simulated?: string | undefined;
  /** A simulated terminal could be used here if somebody asked for it. */
  offersSimulated?: boolean | undefined;
};
