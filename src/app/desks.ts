/** The desks behind the local API, each made by its own area over one running till. */
import type { Desks } from '../api/app.ts';
import { openAudit } from '../staff/audit/audit.ts';
import { openStoreDesk } from '../staff/service.ts';
import { openPosKeys, type PosKeys } from '../staff/sessions/pos-keys.ts';
import type { Closing, DeskParts } from './parts.ts';

/** The areas whose desks are made elsewhere, by name. */
export type Factories = {
  [Area in 'selling' | 'devices' | 'paper']: (parts: DeskParts) => Desks[Area] & Closing;
} & {
  /** Its `close` is that of the batch: it holds nothing that it would have to let go of. */
  books(parts: DeskParts): Desks['books'];
};

export type OpenDesks = {
  desks: Omit<Desks, 'sessions' | 'goingLive' | 'machine'>;
  posKeys: PosKeys;
  close(): Promise<void>;
};

/** `common` has everything but `note`, which needs the journal of this till. */
export const openDesks = (factories: Factories, common: Omit<DeskParts, 'note'>): OpenDesks => {
  const { running, clock, random, events } = common;
  const audit = openAudit(running.journal);
  const posKeys = openPosKeys({ journal: running.journal, clock, random });
  const parts: DeskParts = { ...common, note: audit.note };
  const made = {
    selling: factories.selling(parts),
    books: factories.books(parts),
    devices: factories.devices(parts),
    paper: factories.paper(parts),
  };
  return {
    desks: { ...made, events, store: openStoreDesk({ running, events, audit, posKeys }) },
    posKeys,
    async close() {
      for (const desk of [made.selling, made.devices, made.paper]) await desk.close?.();
    },
  };
};
