/**
 * One sale at a time at a terminal; operations that need no terminal run in parallel. Nothing begins until the journal
 * has settled what a failed write left open.
 */
import { Fault } from '../base/fault.ts';
import type { Sale } from './machine/sale.ts';
import type { RunningWithoutAmount } from './running.ts';

export interface Turns {
  /** Called before anything is read or any number taken. Throws `terminal.busy`, and what `recover` throws. */
  mayBegin(): void;
  /** The same for an operation without a terminal. Throws what `recover` throws. */
  mayBeginBeside(): void;
  /** Throws as `mayBegin`, and what `begin` throws: the terminal is free again then. */
  take(begin: () => RunningWithoutAmount): RunningWithoutAmount;
  /** Does not affect who has the terminal. Throws as `mayBeginBeside`, and what `begin` throws. */
  runBeside(begin: () => RunningWithoutAmount): RunningWithoutAmount;
  isTaken(): boolean;
  recover(): Sale[];
}

/**
 * `recover` ends what a crash or a failed write left open. `underWay` has the ids of running sales, and is shared with
 * other tills that sell on the same journal: a recovery leaves those sales alone.
 */
export const oneAtATime = (recover: () => Sale[], underWay: Set<string> = new Set()): Turns => {
  let selling = false;
  /** Whether a sale's ending could not be written: the journal must settle it before the next sale. */
  let unwritten = false;

  const runRecovery = (): Sale[] => {
    const ended = recover();
    unwritten = false;
    return ended;
  };

  const mayBeginBeside = (): void => {
    if (unwritten) runRecovery();
  };

  const mayBegin = (): void => {
    if (selling) throw new Fault('terminal.busy', { command: 'another sale' });
    mayBeginBeside();
  };

  /** `onEnd` is called once the sale has ended. */
  const watch = (running: RunningWithoutAmount, onEnd: () => void): RunningWithoutAmount => {
    const { sale } = running;
    underWay.add(sale);
    const release = (isWritten: boolean): void => {
      // Both in one turn: the recovery of a sale that began in between would leave this one out.
      underWay.delete(sale);
      onEnd();
      if (!isWritten) unwritten = true;
    };
    return { ...running, done: endingIn(running.done, release) };
  };

  return {
    mayBegin,
    mayBeginBeside,
    take(begin) {
      mayBegin();
      selling = true;
      const release = (): void => {
        selling = false;
      };
      try {
        return watch(begin(), release);
      } catch (error) {
        release();
        throw error;
      }
    },
    runBeside(begin) {
      mayBeginBeside();
      return watch(begin(), () => {});
    },
    isTaken: () => selling,
    recover: runRecovery,
  };
};

/** The same promise; `release` is called in the same turn in which it settles. */
const endingIn = async <T>(done: Promise<T>, release: (isWritten: boolean) => void): Promise<T> => {
  try {
    const ended = await done;
    release(true);
    return ended;
  } catch (error) {
    release(false);
    throw error;
  }
};
