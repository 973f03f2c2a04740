/** The machine's desk: where the folder belongs, and a manager's word about it, noted before the till opens anew. */
import type { MachineDesk, MachineState } from '../../api/ports/machine.ts';
import type { Actor } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { RunningTill } from '../start-till.ts';
import { openAudit } from './audit.ts';
import { restarter } from './restart-soon.ts';

export type MachineParts = {
  running: Pick<RunningTill, 'journal' | 'place' | 'counters'>;
  clock: Clock;
  report(error: unknown): void;
  /** Opens the till anew, as soon as it is quiet: what was said holds from then on. */
  restart(): Promise<void>;
  /** A sale is under way. */
  isSelling(): boolean;
  /** Told when what the screens show of sales and batches has changed. */
  changed(): void;
};

export const openMachine = (parts: MachineParts): MachineDesk => {
  const { running, isSelling, changed } = parts;
  const { journal, place, counters } = running;
  const { note } = openAudit(journal);
  const restartSoon = restarter(parts);
  const refuseSale = (): void => {
    if (isSelling()) throw new Fault('terminal.busy', { command: 'a sale' });
  };
  const state = (): MachineState => ({
    binding: place.binding,
    ...(place.comparison && { comparison: place.comparison.state() }),
    terminals: counters.map(({ name, terminalId }) => ({ counter: name, terminalId })),
  });
  return {
    state,
    async compare() {
      await place.comparison?.look('anew');
      return state();
    },
    async takeOver(by: Actor) {
      const taken = await place.takeOver();
      note({ on: 'tookOver', ...taken }, by);
      changed();
      return taken;
    },
    moved(by) {
      refuseSale();
      place.moved();
      note({ on: 'folderMoved' }, by);
      restartSoon();
    },
    copied(terminalIds, by) {
      refuseSale();
      place.copied(terminalIds);
      note({ on: 'folderCopied', terminalIds: terminalIds.join(', ') }, by);
      restartSoon();
    },
  };
};
