/** The services behind the local API, each made by its own area over one running till. */
import type { ApiPorts } from '../api/app.ts';
import { openAudit } from '../staff/audit/audit.ts';
import { openStoreService } from '../staff/service.ts';
import { openPosKeys, type PosKeys } from '../staff/sessions/pos-keys.ts';
import type { Closing, ServiceParts } from './parts.ts';

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
    services: { ...made, events, store: openStoreService({ running, events, audit, posKeys }) },
    posKeys,
    async close() {
      for (const service of [made.selling, made.devices, made.paper]) await service.close?.();
    },
  };
};
