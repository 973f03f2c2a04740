/**
 * The machine service: shows where the folder belongs, and records a manager's decision about it before the till
 * reopens.
 */

import type { MachineState } from '../api/contract/machine.ts';
import type { MachinePort } from '../api/ports/machine.ts';
import type { Actor } from '../api/ports/session.ts';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { createRestarter } from '../base/restart-soon.ts';
import type { Journal } from '../journal/journal.ts';
import { allowPlain, disallowPlain, permittedOrigin } from '../line/plain-gateway.ts';
import type { Forwarder } from '../queue/forwarder.ts';
import { openAudit } from '../staff/audit/audit.ts';
import type { PlacedTill } from './till-on-machine.ts';

export type MachineParts = {
  running: {
    readonly journal: Journal;
    readonly place: PlacedTill;
    readonly counters: readonly { readonly name: string; readonly terminalId: string }[];
    readonly forwarder: Pick<Forwarder, 'wake'>;
  };
  clock: Clock;
  report(error: unknown): void;
  /** Reopens the till as soon as it is idle: the decision applies from then on. */
  restart(): Promise<void>;
  isSelling(): boolean;
  /** Called when what the screens show of sales and batches has changed. */
  changed(): void;
};

export const openMachine = (parts: MachineParts): MachinePort => {
  const { running, clock, isSelling, changed } = parts;
  const { journal, place, counters, forwarder } = running;
  const { note } = openAudit(journal);
  const restartSoon = createRestarter(parts);
  const refuseSale = (): void => {
    if (isSelling()) throw new Fault('terminal.busy', { command: 'a sale' });
  };
  const state = (): MachineState => {
    const plainHttp = place.plain.state();
    return {
      binding: place.binding,
      comparison: place.comparison?.state(),
      plainHttp,
      terminals: counters.map(({ name, terminalId }) => ({ counter: name, terminalId })),
    };
  };
  return {
    state,
    async compare() {
      await place.comparison?.look('anew');
      return state();
    },
    async takeOver(actor: Actor) {
      const takenSales = await place.takeOver();
      note({ on: 'tookOver', ...takenSales }, actor);
      changed();
      return takenSales;
    },
    setPlainHttp(of, actor) {
      const { allowed } = of;
      const address = permittedOrigin(of.address);
      const request = { at: clock.now(), by: actor.name };
      if (allowed) note({ on: 'plainHttpAllowed', address }, actor, () => allowPlain(journal.sql, address, request));
      else note({ on: 'plainHttpEnded', address }, actor, () => disallowPlain(journal.sql, address));
      // Waiting messages are sent now, or held from now on.
      if (allowed) forwarder.wake();
      void place.comparison?.look('anew');
      changed();
      return state();
    },
    moved(actor) {
      refuseSale();
      place.moved();
      note({ on: 'folderMoved' }, actor);
      restartSoon();
    },
    declareCopy(terminalIds, actor) {
      refuseSale();
      place.declareCopy(terminalIds);
      note({ on: 'folderCopied', terminalIds: terminalIds.join(', ') }, actor);
      restartSoon();
    },
  };
};
