/**
 * One sale at a time at a terminal; what needs no terminal runs beside it. Nothing begins before the journal's word on
 * what a failed write left open.
 */
import { Fault } from '../base/fault.ts';
import type { Sale } from './machine/sale.ts';
import type { RunningWithoutAmount } from './running.ts';

export interface Turns {
  /** Nothing is looked at, and no number taken, before. Throws `terminal.busy`, and what `recover` throws. */
  mayBegin(): void;
  /** The same for what needs no terminal. Throws what `recover` throws. */
  mayBeginBeside(): void;
  /** Throws as `mayBegin`, and what `begin` throws: then the turn is free again. */
  take(begin: () => RunningWithoutAmount): RunningWithoutAmount;
  /** The terminal's turn stays whose it is. Throws as `mayBeginBeside`, and what `begin` throws. */
  runBeside(begin: () => RunningWithoutAmount): RunningWithoutAmount;
  /** Whether the terminal is somebody's. */
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

  const mayBeginBeside = (): void => {
    if (unwritten) recovered();
  };

  const mayBegin = (): void => {
    if (selling) throw new Fault('terminal.busy', { command: 'another sale' });
    mayBeginBeside();
  };

  /** `over` is called once it has ended. */
  const watched = (running: RunningWithoutAmount, over: () => void): RunningWithoutAmount => {
    const { sale } = running;
    underWay.add(sale);
    const free = (isWritten: boolean): void => {
      // In one go: whoever begins between the two would recover without this sale.
      underWay.delete(sale);
      over();
      if (!isWritten) unwritten = true;
    };
    return { ...running, done: endingIn(running.done, free) };
  };

  return {
    mayBegin,
    mayBeginBeside,
    take(begin) {
      mayBegin();
      selling = true;
      const free = (): void => {
        selling = false;
      };
      try {
        return watched(begin(), free);
      } catch (error) {
        free();
        throw error;
      }
    },
    runBeside(begin) {
      mayBeginBeside();
      return watched(begin(), () => {});
    },
    isTaken: () => selling,
    recover: recovered,
  };
};

/** The same promise, with what is done in the very turn that it comes to its end. */
const endingIn = async <T>(done: Promise<T>, free: (isWritten: boolean) => void): Promise<T> => {
  try {
    const ended = await done;
    free(true);
    return ended;
  } catch (error) {
    free(false);
    throw error;
  }
};
