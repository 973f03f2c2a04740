/** The services behind the local API, each created by its own folder for one running till. */
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
import { openTakeoverService } from '../takeover/service.ts';
import type { TerminalsParts } from '../terminals/port.ts';
import { openDevicesService } from '../terminals/service.ts';
import type { RunningTill } from './start-till.ts';

/** All that the services require in their ports; the technician's area requires nearly all of it. */
type ServiceParts = Omit<TerminalsParts, 'running' | 'events'> & {
  running: RunningTill;
  random: Random;
  machine: Machine;
  /** The events for screens, and between services. Survives a restart of the till. */
  events: Events;
};

/** A service with timers or listeners releases them before its till is closed. */
export type Closing = { close?(): void | Promise<void> };

export type Factories = {
  [Area in 'selling' | 'devices' | 'paper']: (parts: ServiceParts) => ApiPorts[Area] & Closing;
} & {
  /** The `close` of this service closes a batch; the service has nothing to release. */
  books(parts: ServiceParts): ApiPorts['books'];
};

export type OpenServices = {
  services: Omit<ApiPorts, 'sessions' | 'goingLive' | 'machine'>;
  posKeys: PosKeys;
  close(): Promise<void>;
};

/** `common` has everything except `note`, which needs the journal of this till. */
export const openServices = (factories: Factories, common: Omit<ServiceParts, 'note'>): OpenServices => {
  const { running, clock, random, events } = common;
  const audit = openAudit(running.journal);
  const posKeys = openPosKeys({ journal: running.journal, clock, random });
  const parts: ServiceParts = { ...common, note: audit.note };
  const created = {
    selling: factories.selling(parts),
    books: factories.books(parts),
    devices: factories.devices(parts),
    paper: factories.paper(parts),
  };
  return {
    services: {
      ...created,
      events,
      recovery: openRecoveryService(parts),
      takeover: openTakeoverService(parts),
      store: openStoreService({ running, events, audit, posKeys }),
    },
    posKeys,
    async close() {
      for (const service of [created.selling, created.devices, created.paper]) await service.close?.();
    },
  };
};

export const tillServices: Factories = {
  selling: openSellingService,
  books: openBooksService,
  devices: openDevicesService,
  paper: openPaperService,
};
