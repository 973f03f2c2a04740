/** The services behind the local API, each made by its own area over one running till. */
import type { ApiPorts } from '../api/app.ts';
import type { Events } from '../api/ports/events.ts';
import type { Random } from '../base/ids.ts';
import { openBooksService } from '../books/service.ts';
import type { Machine } from '../folder/machine.ts';
import { openPaperService } from '../printing/service.ts';
import { openRecoveryService } from '../recovery/service.ts';
import { openSellingService } from '../selling/service.ts';
import { openAudit } from '../staff/audit/audit.ts';
import { openStoreService } from '../staff/service.ts';
import { openPosKeys, type PosKeys } from '../staff/sessions/pos-keys.ts';
import type { TerminalsParts } from '../terminals/port.ts';
import { openDevicesService } from '../terminals/service.ts';
import type { RunningTill } from './start-till.ts';

/** What the rooms ask for in their ports; the technician's area asks for nearly all of it. */
type ServiceParts = Omit<TerminalsParts, 'running' | 'events'> & {
  running: RunningTill;
  random: Random;
  machine: Machine;
  /** What the screens are told, and where services hear of one another. It outlives a restart. */
  events: Events;
};

/** A service that holds timers or listeners lets go of them before the till under it is closed. */
export type Closing = { close?(): void | Promise<void> };

/** The areas whose services are made elsewhere, by name. */
export type Factories = {
  [Area in 'selling' | 'devices' | 'paper']: (parts: ServiceParts) => ApiPorts[Area] & Closing;
} & {
  /** Its `close` is that of the batch: it holds nothing that it would have to let go of. */
  books(parts: ServiceParts): ApiPorts['books'];
};

export type OpenServices = {
  services: Omit<ApiPorts, 'sessions' | 'goingLive' | 'machine'>;
  posKeys: PosKeys;
  close(): Promise<void>;
};

/** `common` has everything but `note`, which needs the journal of this till. */
export const openServices = (factories: Factories, common: Omit<ServiceParts, 'note'>): OpenServices => {
  const { running, clock, random, events } = common;
  const audit = openAudit(running.journal);
  const posKeys = openPosKeys({ journal: running.journal, clock, random });
  const parts: ServiceParts = { ...common, note: audit.note };
  const made = {
    selling: factories.selling(parts),
    books: factories.books(parts),
    devices: factories.devices(parts),
    paper: factories.paper(parts),
  };
  return {
    services: {
      ...made,
      events,
      recovery: openRecoveryService(parts),
      store: openStoreService({ running, events, audit, posKeys }),
    },
    posKeys,
    async close() {
      for (const service of [made.selling, made.devices, made.paper]) await service.close?.();
    },
  };
};

export const tillServices: Factories = {
  selling: openSellingService,
  books: openBooksService,
  devices: openDevicesService,
  paper: openPaperService,
};
