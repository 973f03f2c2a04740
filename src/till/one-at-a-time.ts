/** One sale at a time, and none before the journal's word on what a failed write left open. */
import { Fault } from '../base/fault.ts';
import type { RunningWithoutAmount } from './running.ts';
import type { Sale } from './sale.ts';

export interface Turns {
  /** Nothing is looked at, and no number taken, before. Throws `terminal.busy`, and what `recover` throws. */
  mayBegin(): void;
  /** Throws as `mayBegin`, and what `begin` throws: then the turn is free again. */
  take(begin: () => RunningWithoutAmount): RunningWithoutAmount;
  isTaken(): boolean;
  recover(): Sale[];
}

/**
 * `recover` ends what a crash, or a write that failed, left open. `underWay` has the ids of what runs, and is shared
 * with whoever sells on the same journal beside this one: what is in it is no business of a recovery.
 */
export const oneAtATime = (recover: () => Sale[], underWay: Set<string> = new Set()): Turns => {
  let selling = false;
  /** A sale could not be written down to its end: the journal's word on it comes before the next one. */
  let unwritten = false;

  const recovered = (): Sale[] => {
    const ended = recover();
    unwritten = false;
    return ended;
  };

  const mayBegin = (): void => {
    if (selling) throw new Fault('terminal.busy', { command: 'another sale' });
    if (unwritten) recovered();
  };

  const noteUnwritten = (error: unknown): never => {
    unwritten = true;
    throw error;
  };

  return {
    mayBegin,
    take(begin) {
      mayBegin();
      selling = true;
      let sale: string | undefined;
      const free = () => {
        selling = false;
        if (sale !== undefined) underWay.delete(sale);
      };
      try {
        const running = begin();
        sale = running.sale;
        underWay.add(sale);
        return { ...running, done: running.done.catch(noteUnwritten).finally(free) };
      } catch (error) {
        free();
        throw error;
      }
    },
    isTaken: () => selling,
    recover: recovered,
  };
};
